/* csv.c - numbers with 17 significant digits, which read back to the same bits; a decimal point always (number.h).
 * A name with a comma, a quote or a line break stands in quotes, its own quotes doubled (RFC 4180). Lines end with a
 * line feed. The auxiliary multipliers of GGL are zero but for the tolerance and not written. */
#include "csv.h"

#include "command/base/complain.h"

#include <string.h>

static void put_name(FILE *f, const char *name)
{
    fputc(',', f);
    if (!strpbrk(name, ",\"\r\n")) {
        fputs(name, f);
        return;
    }
    fputc('"', f);
    for (; *name; name++) {
        if (*name == '"') fputc('"', f);
        fputc(*name, f);
    }
    fputc('"', f);
}

/** Names of n components of y from `first` on. */
static void put_names(FILE *f, const resida_problem *problem, int first, int n)
{
    char name[128];
    for (int i = 0; i < n; i++) {
        if (resida_problem_component_name(problem, first + i, name, sizeof name) < 0) name[0] = 0;
        put_name(f, name);
    }
}

/** An acceleration is called after its velocity: a[3] for v[3], else the model's own name with a prime. */
static void put_acceleration_names(FILE *f, const resida_problem *problem, int v, int n)
{
    char name[130], plain[32];
    for (int i = 0; i < n; i++) {
        if (resida_problem_component_name(problem, v + i, name, sizeof name - 2) < 0) name[0] = 0;
        snprintf(plain, sizeof plain, "v[%d]", i);
        if (strcmp(name, plain) == 0)
            name[0] = 'a';
        else
            strcat(name, "'");
        put_name(f, name);
    }
}

static void put_numbers(FILE *f, const double *x, int n)
{
    for (int i = 0; i < n; i++) fprintf(f, ",%.17g", x[i]);
}

/** 0, or the complaint about what could not be written. */
static int check(const bench_csv *csv)
{
    return ferror(csv->out->stream) ? bench_out_fail(csv->out) : 0;
}

static int begin(void *self, const resida_problem *problem)
{
    bench_csv *csv = self;
    FILE *f = csv->out->stream;
    if (resida_problem_layout(problem, &csv->layout) < 0)
        return bench_complain(BENCH_EXIT_FAILED, "the problem has no layout");
    const resida_layout *l = &csv->layout;
    fputs("t", f);
    if (csv->is_dae) {
        put_names(f, problem, 0, l->n);
    } else {
        put_names(f, problem, l->p, l->n_p);
        put_names(f, problem, l->v, l->n_v);
        put_acceleration_names(f, problem, l->v, l->n_v);
        if (l->lam >= 0) put_names(f, problem, l->lam, l->n_g + l->n_h);
    }
    fputc('\n', f);
    return check(csv);
}

static int output(void *self, const resida_state *state)
{
    bench_csv *csv = self;
    const resida_layout *l = &csv->layout;
    FILE *f = csv->out->stream;
    fprintf(f, "%.17g", state->t);
    if (csv->is_dae) {
        put_numbers(f, state->y, l->n);
    } else {
        put_numbers(f, state->p, l->n_p);
        put_numbers(f, state->v, l->n_v);
        put_numbers(f, state->a, l->n_v);
        if (l->lam >= 0) put_numbers(f, state->lam, l->n_g + l->n_h);
    }
    fputc('\n', f);
    csv->rows++;
    return check(csv);
}

void bench_csv_sink(bench_csv *csv, bench_out *out, int is_dae, bench_sink *sink)
{
    *csv = (bench_csv){.out = out, .is_dae = is_dae};
    *sink = (bench_sink){.begin = begin, .output = output, .self = csv};
}
