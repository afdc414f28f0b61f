/* test_command_check_models.c - `resida check` passes every built-in model, which compares its callbacks with each
 * other, with differences and with its patterns. */
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

/* Of models whose callbacks depend on parameters: those that none of the defaults calls. */
static const char *const variants[] = {
    "train -p case=2",
    "train -p case=3",
    "car -p case=2",
    "car -p rigid=2",
    "double-wishbone -p axles=2 --rtol 1e-3 --atol 1e-3",
    "double-wishbone -p given=1 --rtol 1e-3 --atol 1e-3",
    "bushing-pendulum -p root=1",
    "slider-crank-flexible -p damping=1 -p grav=9.81",
    "bricard -p mass=0.7 -p length=1.3 --drop-redundant",
    "chain -p n=1",
    "chain -p n=20 -p m=0.3 -p l=0.4 -p d=0.7",
    "chain-cartesian -p n=1",
    "chain-cartesian -p alpha0=0.5 -p d=0.7 -p omega=2",
};

static void check_passes(const char *model)
{
    const char *line = claims_text("check %s", model);
    command_result r = command_run(line);
    if (r.code != 0 || !notes_events_alone(r.err.bytes) || strstr(r.out.bytes, "FAIL"))
        fail_msg("%s: exit code %d\n%s%s", line, r.code, r.out.bytes, r.err.bytes);
    assert_true(command_lines(r.out.bytes) >= 4);
}

/* Bricard's mechanism has a redundant row, which is no fault when it may be dropped. */
COMMAND_CLAIM(check_passes_every_built_in_model)
{
    for (int i = 0; bench_models[i]; i++) {
        const int is_redundant = strcmp(bench_models[i]->name, "bricard") == 0;
        check_passes(claims_text("%s%s", bench_models[i]->name, is_redundant ? " --drop-redundant" : ""));
    }
}

COMMAND_CLAIM(check_passes_what_parameters_make_of_them)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) check_passes(variants[i]);
}
