/* test_out_file.c - a result that cannot be written: the reason that is given is that of the write that failed, however
 * long ago that was and whatever has failed since, and the rows that are kept are whole. */
#include "program/base/complain.h"
#include "program/files/out_file.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"

enum { ROWS = 10000, LIMIT = 9999 }; /* more than a stream holds back; bytes, within a row */

static char folder[64];

static int set_up(void **state)
{
    signal(SIGXFSZ, SIG_IGN);
    test_folder_make(folder);
    return 0;
}

static int tear_down(void **state)
{
    test_folder_remove(folder);
    return 0;
}

/* Rows that do not arrive, and another failure after them. */
static void fail_to_write(cmd_out *out, const char *path, int keeps_lines, char *said, size_t size)
{
    assert_int_equal(cmd_out_open(out, path), 0);
    if (keeps_lines) assert_int_equal(cmd_out_keep_lines(out), 0);
    for (int i = 0; i < ROWS; i++) fputs("1,2,3\n", out->stream);
    assert_true(ferror(out->stream) != 0);
    assert_null(fopen(test_path(folder, "nothing"), "r"));
    assert_int_equal(errno, ENOENT);
    cmd_complain_to_text(said, size);
    assert_int_equal(cmd_out_fail(out), CMD_EXIT_IO);
    cmd_complain_to_text(NULL, 0);
}

CLAIM_WITH(a_full_device_is_named_as_full, set_up, tear_down)
{
    char said[300] = "";
    cmd_out out;
    fail_to_write(&out, "/dev/full", 0, said, sizeof said);
    assert_non_null(strstr(said, "cannot write /dev/full: No space left on device"));
}

CLAIM_WITH(a_file_that_grows_too_large_is_named_and_keeps_whole_rows, set_up, tear_down)
{
    struct rlimit before, low;
    char said[300] = "";
    cmd_out out;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    low.rlim_cur = LIMIT;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    fail_to_write(&out, test_path(folder, "a.csv"), 1, said, sizeof said);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(strstr(said, "a.csv: File too large"));
    test_file kept = test_file_read(test_path(folder, "a.partial.csv"));
    assert_true(kept.size > 0);
    assert_int_equal(kept.size % strlen("1,2,3\n"), 0);
    assert_int_equal(access(test_path(folder, "a.csv"), F_OK), -1);
}
