/* reproduce_tip_crank.c - section 9 and Figure 3 of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and
 * Augmented Lagrangian Formulations in Multibody Dynamics Simulations: lateral buckling of a strip whose tip is bent by
 * a crank, and the paper's attempts to factorise without pivoting.
 *
 * Numbers cannot be read from the figure; the text states when the strip leaves its plane. The displacements are
 * computed in stabilised index 2 by BDF over the whole period of the crank. The paper does not state the step size of
 * its attempts. Here they are made with several step sizes, on a strip of fewer elements, because factors in the order
 * of the unknowns fill in. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/output/json_line.h"

#include <math.h>
#include <string.h>

#define PAPER  "O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations"
#define MODEL  "tip-crank"
#define METHOD "radau-iia-2"
#define PERIOD 1.6  /* s */
#define BUCKLE 0.05 /* s, published */
#define ASIDE  1e-3 /* m: lateral displacement at which the strip counts as buckled */

/* s = m + k h^2, (6), with the mass and the stiffness between two of the paper's nodes, 1/24 m apart. */
#define MASS      (2700 * 0.1 * 2.5e-3 / 24)
#define STIFFNESS (7.3e10 * 0.1 * 2.5e-3 * 24)

enum { N_POINTS = 3200, N_DRAWN = 3, N_KINDS = 4, N_STEPS = 5, ATTEMPT_STEPS = 5, WIDTH = 800, HEIGHT = 600 };

/** Coordinates of the middle node of the strip with eight cubic elements. */
static const char *const coordinates[N_DRAWN] = {"x13", "y13", "z13"};

/** Displacements u1, u2, u3 of the midspan [m]. */
typedef struct motion {
    double t[N_POINTS + 1], u[N_DRAWN][N_POINTS + 1];
    double largest[N_DRAWN], buckled; /* NaN: never */
    long steps;
} motion;

typedef enum scale_kind { NO_SCALING, UNIT_SCALING, OWN_SCALING } scale_kind;

static const struct {
    const char *words, *form, *published;
    scale_kind scale;
} kinds[N_KINDS] = {{"not augmented", "index3", "fails", OWN_SCALING},
                    {"augmented, not scaled", "augmented", NULL, NO_SCALING},
                    {"augmented, s = 1", "augmented", "does not converge", UNIT_SCALING},
                    {"augmented, s of (6)", "augmented", "runs", OWN_SCALING}};
static const double step_sizes[N_STEPS] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

typedef struct attempt {
    resida_status status;
    resida_message why;
} attempt;

typedef struct measured {
    motion motion;
    attempt attempts[N_KINDS][N_STEPS];
} measured;

/* --- Figure 3 --- */

/** Store point i and update the time of buckling, interpolated linearly. */
static void look(motion *out, int i, const int at[N_DRAWN], const double *p0, const resida_state *now)
{
    out->t[i] = now->t;
    for (int k = 0; k < N_DRAWN; k++) {
        out->u[k][i] = now->p[at[k]] - p0[at[k]];
        out->largest[k] = fmax(out->largest[k], fabs(out->u[k][i]));
    }
    if (i > 0 && isnan(out->buckled) && fabs(out->u[1][i]) >= ASIDE) {
        const double before = fabs(out->u[1][i - 1]), after = fabs(out->u[1][i]);
        out->buckled = out->t[i - 1] + (ASIDE - before) / (after - before) * (out->t[i] - out->t[i - 1]);
    }
}

static resida_status follow(motion *out, const cmd_job *job, cmd_handles *h, const int at[N_DRAWN])
{
    resida_stats stats = {.size = sizeof stats};
    resida_state now;
    resida_status status = cmd_handles_start(h, job);
    for (int i = 0; i <= N_POINTS && status >= 0; i++) {
        if (i > 0) status = resida_solver_advance(h->solver, PERIOD * i / N_POINTS);
        if (status >= 0) status = resida_solver_state(h->solver, &now);
        if (status >= 0) look(out, i, at, job->model->model.p0, &now);
    }
    if (status >= 0 && resida_solver_stats(h->solver, &stats) == RESIDA_OK) out->steps = stats.steps;
    return status;
}

static int move(motion *out, const cmd_job *job)
{
    int at[N_DRAWN];
    cmd_handles h = {0};
    resida_message why = {""};
    *out = (motion){.buckled = NAN};
    if (cmd_places_find(&job->model->model.mechanism, N_DRAWN, coordinates, at) != 0)
        return cmd_complain(CMD_EXIT_FAILED, "%s has no %s", MODEL, coordinates[0]);
    resida_status status = cmd_handles_open(&h, job, cmd_signal_monitor, NULL, &why);
    if (status >= 0) {
        status = follow(out, job, &h, at);
        if (status < 0) snprintf(why.text, sizeof why.text, "%s", resida_solver_message(h.solver));
    }
    cmd_handles_close(&h);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return status < 0 ? cmd_complain(CMD_EXIT_FAILED, "%s: %s", MODEL, why.text) : 0;
}

static int measure_motion(motion *out, const cmd_settings *s)
{
    const cmd_case strip = {.model = MODEL, .rtol = NAN, .atol = NAN, .t_end = PERIOD};
    cmd_open_case open;
    int code = cmd_case_open(&open, s, &strip);
    if (code == 0) code = move(out, &open.job);
    cmd_case_close(&open);
    return code;
}

/* --- attempts without pivoting --- */

static double scaling_factor(scale_kind scale, double h)
{
    return scale == OWN_SCALING ? MASS + STIFFNESS * h * h : 1;
}

/** Make a few steps. A failure is a result. */
static void integrate(attempt *out, const cmd_job *job, scale_kind scale, double h)
{
    resida_solver_options o;
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    const resida_model *m = &job->model->model;
    cmd_job_options(job, &o);
    o.method = METHOD, o.step = h, o.linear_solver = "klu-diagonal", o.monitor = cmd_signal_monitor;
    o.scaling = scale == NO_SCALING ? "none" : "lam+v";
    if (scale != NO_SCALING) o.scaling_mass = scaling_factor(scale, h);
    out->status = cmd_problem_open(job, &problem, &out->why);
    if (out->status >= 0) out->status = resida_solver_create(&solver, problem, &o, &out->why);
    if (solver) {
        out->status = resida_solver_start(solver, m->t0, m->p0, m->v0, NULL, NULL);
        if (out->status >= 0) out->status = resida_solver_advance(solver, ATTEMPT_STEPS * h);
        if (out->status < 0) snprintf(out->why.text, sizeof out->why.text, "%s", resida_solver_message(solver));
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
}

static int try(attempt *out, const cmd_settings *s, int kind, double h)
{
    const cmd_case coarse = {.model = MODEL,
                             .rtol = NAN,
                             .atol = NAN,
                             .t_end = PERIOD,
                             .parameter_names = {"elements", "links"},
                             .values = {2, 1}};
    const scale_kind scale = kinds[kind].scale;
    cmd_settings own = *s;
    cmd_open_case open;
    *out = (attempt){RESIDA_OK, {""}};
    own.problem.form = kinds[kind].form;
    if (strcmp(kinds[kind].form, "augmented") == 0)
        own.problem.penalty = scale == NO_SCALING ? 1 : scaling_factor(scale, h) / (h * h);
    int code = cmd_case_open(&open, &own, &coarse);
    if (code == 0) integrate(out, &open.job, scale, h);
    cmd_case_close(&open);
    return code != 0 || !cmd_signal_caught() ? code : 128 + cmd_signal_caught();
}

static int measure(void *all, const cmd_settings *s)
{
    measured *m = all;
    int code = measure_motion(&m->motion, s);
    for (int k = 0; k < N_KINDS; k++)
        for (int i = 0; i < N_STEPS && code == 0; i++) code = try(&m->attempts[k][i], s, k, step_sizes[i]);
    return code;
}

/* --- output --- */

static void draw(const void *all, const cmd_picture *picture)
{
    const motion *m = &((const measured *)all)->motion;
    static const char *const lines[N_DRAWN] = {"u1", "u2, sideways", "u3, upwards"};
    static const char *const dashes[N_DRAWN] = {"1", "2", "4"}; /* as in the paper */
    FILE *s = picture->script;
    fprintf(s,
            "set xlabel 't [s]'\nset ylabel 'displacement of the midspan [m]'\nset grid\nset key left top\n"
            "set xrange [0:%g]\nset title 'Figure 3: a strip bent at its tip buckles sideways'\nplot ",
            PERIOD);
    for (int k = 0; k < N_DRAWN; k++)
        fprintf(s, "%s'-' using 1:2 with lines lw 1.5 dt %s title '%s'", k > 0 ? ", " : "", dashes[k], lines[k]);
    fputc('\n', s);
    for (int k = 0; k < N_DRAWN; k++) {
        for (int i = 0; i <= N_POINTS; i++) fprintf(s, "%.6g %.6g\n", m->t[i], m->u[k][i]);
        fputs("e\n", s);
    }
}

static const char *outcome(const attempt *a)
{
    return a->status >= 0                     ? "runs"
           : a->status == RESIDA_ERR_SINGULAR ? "no pivot"
           : a->status == RESIDA_ERR_NEWTON   ? "does not converge"
                                              : resida_status_name(a->status);
}

static void print_attempts(const measured *m)
{
    cmd_table table;
    cmd_table_begin(&table, "<\t<published\t<1e-3@h [s]\t<1e-4@h [s]\t<1e-5@h [s]\t<1e-6@h [s]\t<1e-7@h [s]");
    for (int k = 0; k < N_KINDS; k++) {
        cmd_table_cells(&table, "%s\t%s", kinds[k].words, kinds[k].published ? kinds[k].published : "-");
        for (int i = 0; i < N_STEPS; i++) cmd_table_cell(&table, "%s", outcome(&m->attempts[k][i]));
    }
    cmd_table_print(&table, 2, stdout);
}

static void print_text(const void *all, const char *path)
{
    const measured *m = all;
    const motion *o = &m->motion;
    puts("Section 9 and Figure 3 of " PAPER ":\na strip bent by a crank at its tip, stabilised index 2, BDF.\n");
    printf("The lateral displacement reaches 1 mm at %.4f s; published: \"at about %g s\". In the equilibrium for the "
           "same crank\nangle it reaches 1 mm at 0.054 s; inertia delays the strip. Maximum displacements of the "
           "midspan within %g s:\nu1 %.3g m, u2 %.3g m, u3 %.3g m. Picture: %s\n\n",
           o->buckled, BUCKLE, PERIOD, o->largest[0], o->largest[1], o->largest[2], path);
    printf("%d steps in index 3, without pivoting, by " METHOD ", two elements:\n\n", ATTEMPT_STEPS);
    print_attempts(m);
    puts("\nThe paper does not state h. \"not scaled\": original matrix, with a penalty of 1 N/m; s: penalty s/h^2. "
         "The factorisation\nalways scales rows by their largest entries; the paper does not mention row scaling.");
}

static json_t *motion_json(const motion *m)
{
    enum { EVERY = 8 };
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(PAPER)}, {"figure", cmd_json_text("Figure 3")},
                               {"buckled", cmd_json_real(BUCKLE)});
    return CMD_OBJECT({"problem", cmd_json_text(MODEL)}, {"buckled", cmd_json_real(m->buckled)},
                      {"steps", cmd_json_count(m->steps)}, {"t", cmd_json_reals(m->t, N_POINTS / EVERY + 1, EVERY)},
                      {"u1", cmd_json_reals(m->u[0], N_POINTS / EVERY + 1, EVERY)},
                      {"u2", cmd_json_reals(m->u[1], N_POINTS / EVERY + 1, EVERY)},
                      {"u3", cmd_json_reals(m->u[2], N_POINTS / EVERY + 1, EVERY)}, {"published", paper});
}

static json_t *attempt_json(const measured *m, int k, int i)
{
    const attempt *a = &m->attempts[k][i];
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(PAPER)}, {"outcome", cmd_json_text(kinds[k].published)});
    return CMD_OBJECT({"problem", cmd_json_text(MODEL)}, {"method", cmd_json_text(METHOD)},
                      {"attempt", cmd_json_text(kinds[k].words)}, {"h", cmd_json_real(step_sizes[i])},
                      {"outcome", cmd_json_text(outcome(a))}, {"message", cmd_json_text(a->why.text)},
                      {"published", paper});
}

static json_t *line_json(const void *all, int i)
{
    const measured *m = all;
    return i == 0 ? motion_json(&m->motion) : attempt_json(m, (i - 1) / N_STEPS, (i - 1) % N_STEPS);
}

int cmd_reproduce_tip_crank(const cmd_settings *s)
{
    static measured m;
    const cmd_drawing drawing = {WIDTH, HEIGHT, measure, draw, print_text, line_json, 1 + N_KINDS * N_STEPS};
    return cmd_drawing_make(&drawing, &m, s);
}
