/* test_sweep_mpi.c - a sweep over ranks of MPI: the table is that of one process, whatever happens to a rank. Each
 * start of ranks takes half a second, so there are few. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "program/process/subprocess.h"
#include "sweep_fixture.h"

static const char plan[] =
    "{\"model\": \"%s\", \"design\": \"list\", \"fixed\": {\"what\": 8, \"--time-limit\": 60}, \"vary\": {"
    "\"k\": {\"from\": 1, \"to\": 4, \"points\": 400}}}";
static const char faults[] = "{\"model\": \"%s\", \"vary\": {\"k\": [1, 2, 3], \"what\": [0, 1, 3, 7]}}";

/** mpirun of that many ranks, under way. */
static bench_subprocess start_ranks(const char *ranks, const char *plan_path, const char *out)
{
    bench_subprocess mpirun;
    const int null = open("/dev/null", O_RDWR);
    const char *const arguments[] = {"mpirun", "--oversubscribe", "-n",    ranks, test_environment("RESIDA_BIN"),
                                     "sweep",  plan_path,         "--out", out,   NULL};
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    assert_int_equal(bench_subprocess_execute(&mpirun, arguments, null, null, null), 0);
    close(null);
    return mpirun;
}

/** @return exit code of mpirun */
static int wait_for(bench_subprocess mpirun)
{
    return bench_subprocess_code(bench_subprocess_end(&mpirun));
}

static void expect_same_tables(const char *a, const char *b)
{
    char *one = sweep_table(a), *two = sweep_table(b);
    assert_true(strlen(one) > 0);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

COMMAND_CLAIM(the_table_is_the_same_from_any_number_of_ranks)
{
    sweep_write_plan("f.json", faults);
    command_result r = command_run("sweep f.json");
    assert_int_equal(r.code, 1); /* not all are ok */
    assert_int_equal(wait_for(start_ranks("2", "f.json", "two.db")), 1);
    assert_int_equal(wait_for(start_ranks("4", "f.json", "four.db")), 1);
    expect_same_tables("f.db", "two.db");
    expect_same_tables("f.db", "four.db");
    assert_int_equal((int)sweep_number("two.db", "SELECT count(*) FROM clock WHERE rank <> 1"), 0);
    assert_true(sweep_number("four.db", "SELECT count(DISTINCT rank) FROM clock") > 1);
}

/* MPI ends all ranks with the one that is lost; the next start goes on, here without MPI. */
COMMAND_CLAIM(a_killed_rank_costs_the_cases_under_way)
{
    pid_t ranks[8];
    sweep_write_plan("s.json", plan);
    const bench_subprocess mpirun = start_ranks("3", "s.json", "s.db");
    for (int i = 0; sweep_rows("s.db", NULL, 0) < 20; i++) {
        if (i > 1000) fail_msg("no rows");
        sweep_nap(10000);
    }
    const int n = sweep_children(mpirun.pid, ranks, 8);
    assert_true(n >= 3);
    kill(ranks[n - 1], SIGKILL);
    assert_true(wait_for(mpirun) != 0);
    command_run_well("sweep s.json --out s.db");
    command_run("sweep s.json --out whole.db");
    expect_same_tables("s.db", "whole.db");
    assert_true(sweep_number("s.db", "SELECT count(*) FROM clock WHERE rank > 0") >= 20);
}

COMMAND_CLAIM(ranks_end_with_the_line_of_the_first)
{
    sweep_write_plan("w.json", "{\"model\": \"%s\", \"vary\": {\"kk\": [1]}}");
    assert_int_equal(wait_for(start_ranks("3", "w.json", "w.db")), 2);
    assert_int_equal(access("w.db", F_OK), -1);
}
