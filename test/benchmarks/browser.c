/* browser.c - see browser.h. */
#include "browser.h"
#include "test/command/command_fixture.h"

int browser_has(const char *program)
{
    const char *const ask[] = {program, "--version", NULL};
    if (test_run(ask) == 0) return 1;
    printf("lacks: %s\n", program);
    return 0;
}

void browser_open(const char *page, const char *options)
{
    const char *line = claims_text(
        "exec timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars "
        "--allow-file-access-from-files --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir='%s/profile' "
        "--log-net-log='%s/net.json' --enable-logging=stderr %s 'file://%s/%s' >dom.txt 2>console.txt",
        command_folder(), command_folder(), options, command_folder(), page);
    if (system(line) != 0) fail_msg("chromium failed: %s", line);
    const char *const clean[] = {"rm", "-rf", "profile", NULL};
    assert_int_equal(test_run(clean), 0);
}
