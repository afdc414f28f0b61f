/* hints.c - see hints.h. Each rule compares the calls, the steps that a cause took with those of the run. */
#include "hints.h"

#include "model_cost.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_STEPS = 50,       /* a shorter run shows little */
    MUCH = 5,             /* a fifth of the run */
    CALLS_OF_G = 2,       /* calls of g for each call of the formalism: with dg/dp it is about one */
    LARGE_MATRIX = 200,   /* entries of dg/dp: below that a full one costs nothing */
    SPARSE = 4,           /* at most every fourth of them is not zero */
    STEPS_OF_A_JUMP = 10, /* to come back to the order and the step before */
    MUCH_OF_JUMPS = 3     /* a third of the run; a smooth motion that turns quickly has a fifth */
};
#define CUT 0.6 /* of h_max, on average: most steps are cut by it */

static void put(cmd_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(cmd_row *row, const char *format, ...)
{
    va_list arguments;
    if (row->n_hints == CMD_HINTS) return;
    va_start(arguments, format);
    vsnprintf(row->hints[row->n_hints++], sizeof row->hints[0], format, arguments);
    va_end(arguments);
}

static long formalism_calls(const resida_stats *s)
{
    const resida_callback_calls *c = &s->callback_calls;
    return c->residual + c->acceleration + c->residual_lam + c->acceleration_lam;
}

/** A model that leaves dg/dp out has g called instead. */
static void hint_constraint_matrix(const resida_mechanism *m, cmd_row *row)
{
    const long g = row->stats.callback_calls.constraint, calls = formalism_calls(&row->stats);
    if (m->n_g == 0 || m->constraint_matrix || g <= CALLS_OF_G * calls) return;
    put(row, "constraint was called %ld times for %ld calls of the formalism: give constraint_matrix, dg/dp", g, calls);
}

/** Entries of dg/dp at the start that are not zero; -1: not known. */
static int filled(const resida_model *model)
{
    const resida_mechanism *m = &model->mechanism;
    const int size = m->n_g * m->n_p;
    double *u = calloc(3 * (size_t)m->n_u + 1, sizeof *u), *G = calloc((size_t)size + 1, sizeof *G);
    int n = u && G ? 0 : -1;
    if (n == 0 && m->excitation && m->excitation(model->t0, u, u + m->n_u, u + 2 * m->n_u, m->user)) n = -1;
    const resida_excitation e = {u, u ? u + m->n_u : u, u ? u + 2 * m->n_u : u};
    if (n == 0 && m->constraint_matrix(model->t0, model->p0, &e, G, m->user)) n = -1;
    for (int i = 0; i < size && n >= 0; i++) n += G[i] != 0;
    free(u);
    free(G);
    return n;
}

/** A full dg/dp that is mostly zeros is differenced column by column, and multiplied out. */
static void hint_G_pattern(const resida_model *model, cmd_row *row)
{
    const resida_mechanism *m = &model->mechanism;
    const long size = (long)m->n_g * m->n_p;
    if (!m->constraint_matrix || m->G_pattern.row || size < LARGE_MATRIX) return;
    const int n = filled(model);
    if (n < 0 || SPARSE * (long)n > size) return;
    put(row, "%d of the %ld entries of dg/dp are not zero: give G_pattern (--emit-patterns)", n, size);
}

/** Calls to find dF/dy, or where it has entries. */
static void hint_pattern(const resida_model *model, cmd_row *row)
{
    const resida_stats *s = &row->stats;
    const resida_mechanism *m = &model->mechanism;
    const int is_given = model->is_dae ? model->dae.J_pattern.row != NULL || model->dae.jacobian
                                       : m->Phi_p_pattern.row != NULL || m->derivatives;
    const long columns = s->jacobian_evaluations.dense * s->n, jacobian = s->residual_calls.jacobian;
    const long calls = s->residual_calls.pattern + (columns < jacobian ? columns : jacobian);
    if (is_given || MUCH * calls <= s->residual_calls.total || 2 * s->nnz > (long)s->n * s->n) return;
    put(row, "%ld of %ld calls of the formalism went into J column by column: give %s (--emit-patterns)", calls,
        s->residual_calls.total, model->is_dae ? "J_pattern" : "Phi_p_pattern and Phi_v_pattern");
}

static void hint_jumps(const resida_model *model, cmd_row *row)
{
    const resida_stats *s = &row->stats;
    const int n_root = model->is_dae ? model->dae.n_root : model->mechanism.n_root;
    const long jumps = s->jumps + s->error_test_repeats;
    if (n_root > 0 || MUCH_OF_JUMPS * STEPS_OF_A_JUMP * jumps <= s->steps) return;
    put(row, "%ld times steps were cut again and again, as where a force jumps%s; or where a stiff bushing vibrates",
        jumps, model->n_breakpoints > 0 ? " between its breakpoints" : ": give root functions, and start there");
}

static void hint_h_max(const cmd_job *job, cmd_row *row)
{
    const double h_max = job->settings->solver.h_max;
    const double mean = (row->t_reached - job->grid.t0) / (double)row->stats.steps;
    if (isfinite(row->step) || !isfinite(h_max) || !(mean > CUT * h_max)) return;
    put(row, "steps are %.2g s long on average, and h_max is %.2g s: it cuts most of them", mean, h_max);
}

/** A component that passes zero, and is large elsewhere, has but atol as its tolerance there. */
static void hint_tolerance(cmd_row *row)
{
    const resida_stats *s = &row->stats;
    const resida_limit *most = s->limits;
    for (int i = 1; i < s->n_limits; i++)
        if (s->limits[i].tight_steps > most->tight_steps) most = &s->limits[i];
    if (s->n_limits == 0 || MUCH * most->tight_steps <= s->steps) return;
    put(row, "%s limits %ld of %ld steps near zero, where atol alone is its tolerance: give it a larger atol",
        row->limited[most - s->limits], most->tight_steps, s->steps);
}

/* --- costs of calls: measured once more, calls alone, as other programs that take time while a model runs make it
 * slower; of the run's own profile shares are looked at, which such programs leave as they are --- */

/* Both ways, so that neither the clock nor another machine decides: measured costs of the same callback differ by a
 * factor of four, assumed ones of the built-in models by one of sixteen. */
#define FAR_OFF 16.0
#define SHARE   0.2  /* of the run's time: a callback that takes less is not worth a word */
#define ABSURD  5.0  /* times the run's time: that of all calls, if it were as is assumed */
enum { LOOKS = 3 };  /* measurements that have to agree */
#define A_LOOK 100.0 /* operations: two looks at the clock, which the profile has in each call */

/** Is a callback that takes this share of the run so far off that other decisions would show? */
static int misleads(double taken, double measured, double share)
{
    if (measured >= FAR_OFF * taken) return share >= SHARE;
    measured = fmax(measured, A_LOOK);
    return taken >= FAR_OFF * measured && share * taken / measured >= ABSURD;
}

/* The callback whose cost misleads; -1: none does. */
static int misleading(const resida_profile *p, const cmd_model_cost *cost)
{
    double seconds[CMD_COSTS];
    memcpy(seconds, &p->callbacks, CMD_OF_PRODUCTS * sizeof *seconds);
    seconds[CMD_OF_PRODUCTS] = p->callbacks.jacobian_times + p->callbacks.residual_times;
    for (int i = 0; i < CMD_COSTS; i++)
        if (cost->measured[i] != 0 && misleads(cost->taken[i], cost->measured[i], seconds[i] / p->total)) return i;
    return -1;
}

/* Other programs can take the processor in the middle of one measurement, hardly of each. */
static void hint_cost(const cmd_job *job, cmd_row *row)
{
    char name[CMD_COST_NAME];
    cmd_model_cost cost;
    resida_message why;
    int i = -1;
    if (!(row->stats.profile.total > 0) || !cmd_weighs(row->stats.jacobian)) return;
    for (int look = 0; look < LOOKS; look++) {
        if (cmd_model_cost_find(job, &cost, &why) < 0) return;
        i = misleading(&row->stats.profile, &cost);
        if (i < 0) return;
    }
    put(row, "a call of %s takes about %.2g operations, %.2g are %s: set %s of the model", cmd_cost_of(i),
        cost.measured[i], cost.taken[i], cost.is_said[i] ? "said" : "assumed", cmd_cost_name(i, name));
}

void cmd_hints(const cmd_job *job, cmd_row *row)
{
    const resida_model *model = &job->model->model;
    row->n_hints = 0;
    if (job->peer || row->outcome != CMD_OK || row->stats.steps < FEW_STEPS) return;
    if (!model->is_dae) {
        hint_constraint_matrix(&model->mechanism, row);
        hint_G_pattern(model, row);
    }
    hint_pattern(model, row);
    hint_jumps(model, row);
    hint_h_max(job, row);
    hint_tolerance(row);
    hint_cost(job, row);
}
