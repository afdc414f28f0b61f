/* test_out_of_malloc.c - malloc itself runs out, below everything: every allocation of a whole life, be it of resida,
 * of SUNDIALS or of libc, fails once, and from every one on all fail. No crash, nothing lost, nothing printed,
 * RESIDA_ERR_MEMORY with a reason; and a call that is made again after one failure comes to the same end, bit for bit.
 * What a library below does wrong and cannot be kept from is listed here. The list may only shrink: an entry that is
 * not needed fails the test. */
#include "malloc_probe.h"
#include "starve.h"

typedef struct exception {
    const char *sundials; /* major version */
    const char *site;     /* a function that is among those that asked */
    int faults;
    int lives; /* with every solver that is made: each site fails once, and for ever */
    const char *reason;
} exception;

static const exception exceptions[] = {
    {"6.", "SUNContext_Create", STARVED_DIED, 4,
     "the table of files of its logger is used without a look whether it is there"},
    {"6.", "IDACreate", STARVED_PRINTED, 2, "says so on stderr before a handler can be set"},
    {"7.", "SUNContext_Create", STARVED_DIED, 6, "tables of its logger are used without a look whether they are there"},
    {"7.", "IDACreate", STARVED_PRINTED, 1, "says so on stderr before a handler can be set"},
    {"7.", "IDACreate", STARVED_DIED, 1, "makes words of it without a look whether there is memory for them"},
    {"7.", "SUNNonlinSol_Newton < IDAInit", STARVED_DIED, 6, "its solver is used without a look whether it is there"},
};
enum { N_EXCEPTIONS = sizeof exceptions / sizeof exceptions[0], VERSION = 32 };
static const char *const counted[] = {"6.4.", "7.5."}; /* versions whose lives are those of the list */

static int met[N_EXCEPTIONS];
static char version[VERSION];

static int is_of(const char *which)
{
    return strncmp(version, which, strlen(which)) == 0;
}

static int known(const starved *result, int faults)
{
    for (int i = 0; i < N_EXCEPTIONS; i++) {
        const exception *x = &exceptions[i];
        if (is_of(x->sundials) && x->faults == faults && strstr(result->site, x->site)) {
            met[i]++;
            return 1;
        }
    }
    return 0;
}

/* Every exception was met in all its lives: else the list is too long. `solvers` were made. */
static void check_list_is_not_too_long(int solvers)
{
    int is_counted = 0;
    for (size_t i = 0; claims_one_of() == 1 && i < sizeof counted / sizeof *counted; i++)
        is_counted |= is_of(counted[i]);
    for (int i = 0; i < N_EXCEPTIONS; i++) {
        const exception *x = &exceptions[i];
        if (met[i]) print_message("    listed: %s, %d times: %s\n", x->site, met[i], x->reason);
        const int expected = !is_of(x->sundials) ? 0 : is_counted ? x->lives * solvers : met[i];
        if (met[i] != expected) fail_msg("%s: met %d times, listed %d: change the list", x->site, met[i], expected);
        met[i] = 0;
    }
}

static void begin(long fail_at, int for_ever)
{
    malloc_probe_start(fail_at, for_ever);
}

static ledger end(void)
{
    malloc_probe probe = malloc_probe_stop();
    return (ledger){.allocations = probe.allocations, .failed = probe.failed, .live = probe.live};
}

static const supply from_malloc = {"malloc", NULL, begin, end, malloc_probe_site};

static void starve_life(const char *name, life_fn *run)
{
    hunger sum = starve_everywhere(&from_malloc, name, run, known);
    assert_true(sum.sites > 0);
    assert_int_equal(sum.crashes, 0);
    assert_int_equal(sum.leaks, 0);
    assert_int_equal(sum.others, 0);
}

static void begin_with_budget(long bytes, int unused)
{
    malloc_probe_start_with_budget(bytes);
}

static const supply from_small_malloc = {"malloc with a budget", NULL, begin_with_budget, end, NULL};

/* As on a machine that has little: all allocations draw on one budget. */
CLAIM(a_mechanism_succeeds_or_reports_lack_of_memory_on_every_budget)
{
    hunger sum = starve_on_a_budget(&from_small_malloc, "mechanism", life_of_a_mechanism, 128);
    assert_true(sum.sites > 100 / claims_one_of());
    assert_int_equal(sum.crashes, 0);
    assert_int_equal(sum.leaks, 0);
    assert_int_equal(sum.others, 0);
}

CLAIM(a_mechanism_survives_every_failed_malloc)
{
    starve_life("mechanism", life_of_a_mechanism);
    check_list_is_not_too_long(1);
}

CLAIM(a_dae_survives_every_failed_malloc)
{
    starve_life("dae", life_of_a_dae);
    check_list_is_not_too_long(1);
}

CLAIM(a_jacobian_survives_every_failed_malloc)
{
    starve_life("jacobian", life_of_a_jacobian);
    check_list_is_not_too_long(0);
}

CLAIM(a_plugin_survives_every_failed_malloc)
{
    test_environment("RESIDA_PLUGIN");
    starve_life("plugin", life_of_a_plugin);
    check_list_is_not_too_long(1);
}

int main(void)
{
    if (resida_sundials_version(version, sizeof version) < 0) return 1;
    return claims_run(NULL, NULL);
}
