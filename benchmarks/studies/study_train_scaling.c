/* study_train_scaling.c - cost of a train of K carriages, K = 1 .. 32 (or up to the word): steps, residual calls,
 * evaluations of J and groups of its columns, processor time of the run, per simulated second and of the start; memory;
 * seconds of `resida check`, if RESIDA_BIN names the program. Exponents of K are computed between rows and from all
 * rows by least squares, for whole runs and for the first 9 s. Whole runs are longer and have more curves for longer
 * trains; in the first 9 s the first carriage passes the curves. For 64 carriages, only check and start are
 * measured. */
#include "studies.h"

#include "benchmarks/conditioning/conditioning.h"
#include "benchmarks/models/models.h"
#include "program/base/complain.h"
#include "program/process/subprocess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MAX_ROWS = 12, MAX_RUN = 32, MAX_CHECKED = 64 };

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double used(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return seconds(u.ru_utime) + seconds(u.ru_stime);
}

/** A run up to the time `simulated`. */
typedef struct part {
    double simulated, cpu; /* [s] */
    resida_stats stats;
} part;

typedef struct row {
    int carriages;
    resida_status status;
    part first, whole;
    double start, check; /* [s] */
    long memory;         /* [KiB] peak */
} row;

static const double first_passes = 9; /* [s] */

static resida_status go_on(resida_solver *solver, double t, double began, part *p)
{
    resida_status status = resida_solver_advance(solver, t);
    *p = (part){.simulated = t, .cpu = used(RUSAGE_SELF) - began, .stats = {.size = sizeof p->stats}};
    return status < 0 ? status : resida_solver_stats(solver, &p->stats);
}

static void travel(row *r, const resida_model *model)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options o;
    resida_solver_options_init(&o);
    o.rtol = model->rtol, o.atol = model->atol;
    const double t0 = used(RUSAGE_SELF);
    r->status = resida_problem_create(&problem, &model->mechanism, NULL, NULL);
    if (r->status >= 0) r->status = resida_solver_create(&solver, problem, &o, NULL);
    if (r->status >= 0) r->status = resida_solver_start(solver, model->t0, model->p0, model->v0, NULL, NULL);
    const double t1 = used(RUSAGE_SELF);
    r->start = t1 - t0;
    r->whole.stats.n = 98 * r->carriages;
    if (r->status >= 0 && r->carriages <= MAX_RUN) r->status = go_on(solver, first_passes, t1, &r->first);
    if (r->status >= 0 && r->carriages <= MAX_RUN) r->status = go_on(solver, model->t_end, t1, &r->whole);
    resida_solver_free(solver);
    resida_problem_free(problem);
}

static void run(row *r)
{
    const char *const name = "carriages";
    const double value = r->carriages;
    struct rusage usage;
    resida_model model;
    r->status = resida_model_create(&bench_train.cls, 1, &name, &value, &model, NULL);
    if (r->status >= 0) travel(r, &model);
    resida_model_destroy(&bench_train.cls, &model);
    getrusage(RUSAGE_SELF, &usage);
    r->memory = usage.ru_maxrss;
}

static int run_and_send(int socket, void *context)
{
    run(context);
    return bench_write_all(socket, context, sizeof(row)) == 0 ? 0 : CMD_EXIT_FAILED;
}

/* Run in a separate process, whose peak memory is that of this row. @return 0, or -1 on failure */
static int run_apart(row *r)
{
    bench_subprocess child;
    if (bench_subprocess_start(&child, run_and_send, r) != 0) return -1;
    const int got = bench_read_all(child.socket, r, sizeof *r) == 0;
    return bench_subprocess_end(&child) == 0 && got && r->status >= 0 ? 0 : -1;
}

static void check(row *r)
{
    char line[500];
    const char *command = getenv("RESIDA_BIN");
    if (!command) return;
    snprintf(line, sizeof line, "'%s' check train -p carriages=%d > /dev/null", command, r->carriages);
    const double before = used(RUSAGE_CHILDREN);
    if (system(line) == 0) r->check = used(RUSAGE_CHILDREN) - before;
}

static double each_second(const row *r)
{
    return r->whole.cpu / r->whole.simulated;
}

static double first_each_second(const row *r)
{
    return r->first.cpu / r->first.simulated;
}

static void print_exponent(const row *r, const row *before, double (*y)(const row *r))
{
    if (before)
        printf("  %5.2f", log(y(r) / y(before)) / log((double)r->carriages / before->carriages));
    else
        printf("  %5s", "");
}

static void print(const row *r, const row *before)
{
    const resida_stats *s = &r->whole.stats;
    printf("%3d  %5d %5ld  %8.5f", r->carriages, s->n, r->first.stats.steps, first_each_second(r));
    print_exponent(r, before, first_each_second);
    printf("  %5.1f  %5ld  %6ld  %7ld  %5ld  %6d  %7ld  %7.3f  %8.5f", r->whole.simulated, s->steps,
           s->residual_calls.total, s->residual_calls.pattern, s->jacobian_evaluations.coloured, s->groups, s->nnz,
           r->whole.cpu, each_second(r));
    print_exponent(r, before, each_second);
    printf("  %6.3f  %6.3f  %8ld", r->start, r->check, r->memory);
    if (before) printf("  %13ld", (r->memory - before->memory) / (r->carriages - before->carriages));
    printf("\n");
    fflush(stdout);
}

/* Return the least-squares slope of log y over log K. */
static double slope(int n, const row *rows, double (*y)(const row *r))
{
    double K[MAX_ROWS], values[MAX_ROWS];
    for (int i = 0; i < n; i++) K[i] = rows[i].carriages, values[i] = y(&rows[i]);
    return cmd_slope(K, values, 0, n);
}

static double first_steps(const row *r)
{
    return (double)r->first.stats.steps;
}

static double steps_each_second(const row *r)
{
    return (double)r->whole.stats.steps / r->whole.simulated;
}

static double check_of(const row *r)
{
    return r->check;
}

static int measure(row *r, int carriages)
{
    *r = (row){.carriages = carriages};
    check(r);
    return run_apart(r);
}

int bench_study_train_scaling(const cmd_settings *s)
{
    row rows[MAX_ROWS];
    const int asked = s->n_words > 0 ? atoi(s->words[0]) : MAX_RUN, last = asked < MAX_RUN ? asked : MAX_RUN;
    int n = 0;
    if (asked < 1) return cmd_complain(CMD_EXIT_USAGE, "train-scaling: '%s' is not a number of carriages", s->words[0]);
    printf("             first 9 s:             whole run:\n  K      n steps  cpu/sim s   exp.  t_end  steps   calls  "
           "pattern  evals  groups  entries    cpu s  cpu/sim s  exp.   start   check  peak KiB   KiB/carriage\n");
    for (int carriages = 1; carriages <= last; carriages *= 2) {
        if (measure(&rows[n], carriages) != 0)
            return cmd_complain(CMD_EXIT_FAILED, "train-scaling: the run of the train with %d carriages failed",
                                carriages);
        print(&rows[n], n > 0 ? &rows[n - 1] : NULL);
        n++;
    }
    if (n > 1)
        printf("exponents of K by least squares: processor time per simulated second %.2f in the first 9 s (steps "
               "%.2f), %.2f in the whole run (steps %.2f); check %.2f\n",
               slope(n, rows, first_each_second), slope(n, rows, first_steps), slope(n, rows, each_second),
               slope(n, rows, steps_each_second), slope(n, rows, check_of));
    if (last < MAX_RUN || measure(&rows[n], MAX_CHECKED) != 0) return 0;
    printf("%3d  %5d  start %.3f s, check %.3f s, peak %ld KiB\n", MAX_CHECKED, rows[n].whole.stats.n, rows[n].start,
           rows[n].check, rows[n].memory);
    return 0;
}
