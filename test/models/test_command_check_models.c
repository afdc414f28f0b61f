/* test_command_check_models.c - `resida check` passes every built-in model. */
#include "benchmarks/models/models.h"
#include "test/command/command_fixture.h"

/* Is each line a note of an event? */
static int notes_events_alone(const char *lines)
{
    static const char note[] = "resida: event at t = ";
    for (; *lines; lines = strchr(lines, '\n') + 1)
        if (strncmp(lines, note, sizeof note - 1) != 0) return 0;
    return 1;
}

/* Bricard's mechanism has a redundant row, which is no fault when it may be dropped. */
COMMAND_CLAIM(check_passes_every_built_in_model)
{
    for (int i = 0; bench_models[i]; i++) {
        const int is_redundant = strcmp(bench_models[i]->name, "bricard") == 0;
        const char *line = claims_text("check %s%s", bench_models[i]->name, is_redundant ? " --drop-redundant" : "");
        command_result r = command_run(line);
        if (r.code != 0 || !notes_events_alone(r.err.bytes) || strstr(r.out.bytes, "FAIL"))
            fail_msg("%s: exit code %d\n%s%s", line, r.code, r.out.bytes, r.err.bytes);
        assert_true(command_lines(r.out.bytes) >= 4);
    }
}
