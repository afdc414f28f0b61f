/* reproduce_stability.c - Tables 4.1 to 4.8 of U. Ascher, L. Petzold: backward Euler with h = 0.01 on formulations of
 * the same problem, published next to measured errors. The method is the library's "bdf1"; the formulations of Example
 * 3 are the library's. */
#include "reproduce.h"

#include "benchmarks/models/ascher_petzold.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "benchmarks/models/models.h"
#include "stability_examples.h"

#include <math.h>
#include <string.h>

#define H            0.01
#define ROUNDING     1e-12 /* published and measured values below it are taken as zero */
#define BLOW_UP      1e3   /* a value above it is the result of an instability */
#define BLOW_UP_LIKE 3.0   /* factor within which two such values agree */

/** Printed or measured values of a row. NaN: not in the table. */
typedef struct printed_values {
    double mu, error_p, error_v, drift; /**< Tables 4.1, 4.2: error_p is the error of x */
} printed_values;

/** A row. Tables 4.1 and 4.2 use `linear`, the others use `form` for Example 3. */
typedef struct table_row {
    int table;          /**< 1: of Table 4.1 */
    const char *method; /**< as printed: "Baumgarte", "B" ... */
    double parameter;   /**< gamma, or nu; NaN: none */
    cmd_linear_form linear;
    const char *form;       /**< "projected1", "ggl", "index2" */
    const char *projection; /**< "B", "C'", "unit"; NULL: none */
    printed_values printed;
    const char *note;    /**< reason of a difference; "": no difference */
    int is_bias_doubled; /**< 4 C' v instead of 2 C' v */
} table_row;

/* Notes of rows. Numbers of the paper such as .26e+79 mean 0.26e79. */
#define X1      "the paper prints the error of x1 only"
#define DRIFT_0 "the paper prints the drift |C(0) (p - p_exact)|, with C = (1, -2) of t = 0"
#define DOUBLED "the paper prints the result with 4 C' v instead of 2 C' v, see the rows 4C'v"

/* A row of a data file, whose first cell is one of the macros below. NONE: a number that is not printed. */
#define ROW(table, formulation, ...) {table, formulation(__VA_ARGS__)},
#define NONE                         NAN

/* Tables 4.1 and 4.2: method, gamma; error of x, drift, note. */
#define LINEAR(method, gamma, form, error, drift, note)                                                                \
    method, gamma, form, NULL, NULL, {NAN, error, NAN, drift}, note, 0
#define BAUMGARTE(method, gamma, ...)   LINEAR(method, gamma, CMD_LINEAR_BAUMGARTE, __VA_ARGS__)
#define INDEX2(method, gamma, ...)      LINEAR(method, gamma, CMD_LINEAR_INDEX2, __VA_ARGS__)
#define INVARIANTS(method, gamma, ...)  LINEAR(method, gamma, CMD_LINEAR_PROJECTED, __VA_ARGS__)
#define STATE_SPACE(method, gamma, ...) LINEAR(method, gamma, CMD_LINEAR_STATE_SPACE, __VA_ARGS__)

/* The other tables: projection, nu; mu, errors of p and v, drift, note. */
#define PROJECTED(d, nu, mu, p, v, drift, note)         d, nu, 0, "projected1", d, {mu, p, v, drift}, note, 0
#define PROJECTED_DOUBLED(d, nu, mu, p, v, drift, note) d " 4C'v", nu, 0, "projected1", d, {mu, p, v, drift}, note, 1
#define UNSTABILISED(d, nu, mu, p, v, drift, note)      "U-2", nu, 0, "index2", NULL, {mu, p, v, drift}, note, 0
#define STABILISED(d, nu, mu, p, v, drift, note)        d, nu, 0, "ggl", d, {mu, p, v, drift}, note, 0

static const table_row rows[] = {
#include "table4.csv.inc"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/** A printed table: backward Euler, h = 0.01, up to t = 1. */
typedef struct paper_table {
    int number;        /**< 1: Table 4.1 */
    const char *about; /**< one line */
    int example;
    double force; /**< factor of the force of Example 3 */
} paper_table;

static const paper_table tables[] = {
    {1, "Example 1, C = (sin nu t, cos nu t), nu = 1000", 1, 0},
    {2, "Example 2, B = ((2 - t) nu, nu - 1), nu = 1000", 2, 0},
    {3, "Example 3, f = (0, (2 + t)/nu v2), projected invariants (4.14)", 3, 1},
    {4, "Example 3, f = (0, (2 + t)/nu v2), stabilised index 2 (4.15)", 3, 1},
    {5, "Example 3, f = 0, projected invariants (4.14)", 3, 0},
    {6, "Example 3, f = 0, stabilised index 2 (4.15)", 3, 0},
    {7, "Example 3, f = (0, 2 (2 + t)/nu v2), projected invariants (4.14)", 3, 2},
    {8, "Example 3, f = (0, 2 (2 + t)/nu v2), stabilised index 2 (4.15)", 3, 2},
};
typedef struct measured {
    double mu, error_p, error_v, drift;
    double error_x1;   /**< error of the first component of x or p */
    double drift_at_0; /**< |C(0) (p - p_exact)| in Example 3 */
    resida_status status;
    resida_message why;
} measured;

static resida_status advance(resida_solver *solver, resida_message *why)
{
    resida_status status = resida_solver_advance(solver, 1);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(solver));
    return status;
}

static void set_options(resida_solver_options *o)
{
    resida_solver_options_init(o);
    o->method = "bdf1";
    o->step = H;
    o->newton_to_rounding = 1;
    o->jacobian = "dense";
}

static resida_status run_linear(resida_problem *problem, const cmd_linear *linear, measured *m)
{
    resida_solver_options o;
    resida_solver *solver = NULL;
    double y[CMD_LINEAR_MAX], yp[CMD_LINEAR_MAX];
    set_options(&o);
    cmd_linear_start(linear, y, yp);
    resida_status status = resida_solver_create(&solver, problem, &o, &m->why);
    if (status >= 0) status = resida_solver_start_dae(solver, 0, y, yp);
    if (status >= 0) status = advance(solver, &m->why);
    resida_state state;
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status >= 0) {
        m->error_p = cmd_linear_error(state.y);
        m->error_x1 = fabs(state.y[0] - exp(1));
        m->drift = cmd_linear_drift(linear, 1, state.y);
    }
    resida_solver_free(solver);
    return status;
}

static void measure_linear(const paper_table *table, const table_row *row, measured *m)
{
    const cmd_linear linear = {table->example, row->linear, 1000, row->parameter};
    resida_dae d;
    resida_problem *problem = NULL;
    cmd_linear_dae(&linear, &d);
    m->status = resida_problem_create_dae(&problem, &d, NULL, &m->why);
    if (m->status >= 0) m->status = run_linear(problem, &linear, m);
    resida_problem_free(problem);
}

static void judge_mechanism(resida_problem *problem, const resida_state *s, const table_row *row, measured *m)
{
    double g[1] = {0}, w[1] = {0};
    m->error_p = cmd_linear_error(s->p);
    m->error_v = cmd_linear_error(s->v);
    m->error_x1 = fabs(s->p[0] - exp(1));
    m->drift_at_0 = fabs(s->p[0] - exp(1) - 2 * (s->p[1] - exp(1)));
    if (s->eta) m->mu = fabs(s->eta[0]);
    if (resida_problem_constraints(problem, 1, s->p, s->v, g, w) == RESIDA_OK)
        m->drift = fabs(strcmp(row->form, "index2") == 0 ? g[0] : w[0]);
}

static resida_status run_mechanism(resida_problem *problem, const resida_model *model, const table_row *row,
                                   measured *m)
{
    resida_solver_options o;
    resida_solver *solver = NULL;
    resida_state state;
    set_options(&o);
    resida_status status = resida_solver_create(&solver, problem, &o, &m->why);
    if (status >= 0) status = resida_solver_start(solver, 0, model->p0, model->v0, NULL, NULL);
    if (status >= 0) status = advance(solver, &m->why);
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status >= 0) judge_mechanism(problem, &state, row, m);
    resida_solver_free(solver);
    return status;
}

static resida_position_fn *projection_of(const char *name)
{
    if (strcmp(name, "B") == 0) return bench_projection_B;
    return strcmp(name, "C'") == 0 ? bench_projection_C : bench_projection_unit;
}

static void measure_mechanism(const paper_table *table, const table_row *row, measured *m)
{
    const char *const names[] = {"nu", "force"};
    const double values[] = {row->parameter, table->force};
    resida_problem_options o;
    resida_problem *problem = NULL;
    resida_model model;
    m->status = resida_model_create(&bench_ascher_petzold.cls, 2, names, values, &model, &m->why);
    if (m->status < 0) return;
    if (row->is_bias_doubled) model.mechanism.acceleration_bias = bench_doubled_bias;
    resida_problem_options_init(&o);
    o.form = row->form;
    if (row->projection) {
        o.projection = "own";
        o.projection_matrix = projection_of(row->projection);
    }
    m->status = resida_problem_create(&problem, &model.mechanism, &o, &m->why);
    if (m->status >= 0) m->status = run_mechanism(problem, &model, row, m);
    resida_problem_free(problem);
    resida_model_destroy(&bench_ascher_petzold.cls, &model);
}

static measured measure(const paper_table *table, const table_row *row)
{
    measured m = {NAN, NAN, NAN, NAN, NAN, NAN, RESIDA_OK, {{0}}};
    if (table->example == 3)
        measure_mechanism(table, row, &m);
    else
        measure_linear(table, row, &m);
    return m;
}

/** Agreement of a measured value with a value printed to two digits. */
typedef enum likeness { NOT_PRINTED, BOTH_DIGITS, LAST_DIGIT, LIKE_BLOW_UP, DIFFERENT } likeness;

static likeness compare(double printed, double found)
{
    if (isnan(printed)) return NOT_PRINTED;
    if (fabs(printed) < ROUNDING && found < ROUNDING) return BOTH_DIGITS;
    if (!(printed > 0)) return DIFFERENT;
    const double unit = pow(10, floor(log10(printed)) - 1); /* unit of the last digit */
    if (fabs(found - printed) <= 0.501 * unit) return BOTH_DIGITS;
    if (fabs(found - printed) <= 1.001 * unit) return LAST_DIGIT;
    const double factor = found / printed;
    return printed > BLOW_UP && factor <= BLOW_UP_LIKE && factor >= 1 / BLOW_UP_LIKE ? LIKE_BLOW_UP : DIFFERENT;
}

static const char *const likeness_words[] = {"", "both digits", "last digit", "blow-up alike", "differs"};

/* Return the poorest agreement in a row. */
static likeness verdict_of(const table_row *row, const measured *m)
{
    const printed_values *p = &row->printed;
    const likeness all[] = {compare(p->mu, m->mu), compare(p->error_p, m->error_p), compare(p->error_v, m->error_v),
                            compare(p->drift, m->drift)};
    likeness worst = NOT_PRINTED;
    for (int i = 0; i < 4; i++)
        if (all[i] > worst) worst = all[i];
    return worst;
}

static void add_row(cmd_table *table, const table_row *row, const measured *m)
{
    const double pairs[4][2] = {{row->printed.mu, m->mu},
                                {row->printed.error_p, m->error_p},
                                {row->printed.error_v, m->error_v},
                                {row->printed.drift, m->drift}};
    likeness verdict = verdict_of(row, m);
    cmd_table_cells(table, "%s\t%s", row->method, cmd_format_or_dash("%g", row->parameter));
    for (int i = 0; i < 4; i++) {
        cmd_table_cells(table, "%s\t%s", cmd_format_or_dash("%.1e", pairs[i][0]),
                        cmd_format_or_dash("%.2e", pairs[i][1]));
    }
    cmd_table_cells(table, "%s\t%s\t%s\t%s", cmd_format_or_dash("%.2e", m->error_x1),
                    cmd_format_or_dash("%.2e", m->drift_at_0), m->status < 0 ? "failed" : likeness_words[verdict],
                    m->status < 0            ? m->why.text
                    : verdict == BOTH_DIGITS ? ""
                                             : row->note);
}

static json_t *values_json(double mu, double error_p, double error_v, double drift)
{
    return CMD_OBJECT({"mu", cmd_json_real(mu)}, {"error_p", cmd_json_real(error_p)},
                      {"error_v", cmd_json_real(error_v)}, {"drift", cmd_json_real(drift)});
}

static json_t *row_json(const paper_table *table, const table_row *row, const measured *m)
{
    const printed_values *p = &row->printed;
    return CMD_OBJECT(
        {"source", cmd_json_text(CMD_STABILITY_PAPER)},
        {"table", cmd_json_text(cmd_number("table4.%d", table->number))}, {"example", cmd_json_count(table->example)},
        {"method", cmd_json_text(row->method)}, {table->example == 3 ? "nu" : "gamma", cmd_json_real(row->parameter)},
        {"form", cmd_json_text(row->form)}, {"status", cmd_json_text(m->status < 0 ? "failed" : "ok")},
        {"message", cmd_json_text(m->status < 0 ? m->why.text : "")},
        {"published", values_json(p->mu, p->error_p, p->error_v, p->drift)},
        {"measured", values_json(m->mu, m->error_p, m->error_v, m->drift)}, {"error_x1", cmd_json_real(m->error_x1)},
        {"drift_at_0", cmd_json_real(m->drift_at_0)}, {"verdict", cmd_json_text(likeness_words[verdict_of(row, m)])},
        {"note", cmd_json_text(row->note[0] ? row->note : NULL)});
}

/* Write each row of the table as a JSON line or into `text`. */
static int show_rows(const paper_table *table, int format, cmd_table *text)
{
    int code = 0;
    for (int i = 0; i < N_ROWS && code == 0; i++) {
        if (rows[i].table != table->number) continue;
        const measured m = measure(table, &rows[i]);
        if (format == CMD_JSON)
            code = cmd_json_line(row_json(table, &rows[i], &m), stdout);
        else
            add_row(text, &rows[i], &m);
    }
    return code;
}

static int print_text(const paper_table *table)
{
    cmd_table text;
    cmd_table_begin(&text, "<method\tgamma, nu\tpublished@mu\tmeasured@mu\tpublished@error p\tmeasured@error p\t"
                           "published@error v\tmeasured@error v\tpublished@drift\tmeasured@drift\tx1=error of x1\t"
                           "C(0) e\t<verdict\t<why");
    show_rows(table, CMD_TEXT, &text);
    printf("Table 4.%d of " CMD_STABILITY_PAPER ":\n%s; backward Euler, h = %g, at t = 1\n\n", table->number,
           table->about, H);
    cmd_table_print(&text, 2, stdout);
    puts("\nmethod: for Tables 4.3 to 4.8 the direction D, one of B = M^-1 C', C' and (0, 1)'; U-2: index 2 without "
         "stabilisation.\nmu: |eta|. Errors are maxima over the components; x1: error of the first component; C(0) e: "
         "|C(0) (p - p_exact)|.\ndrift: violation of the constraint (4.1, 4.2, U-2), otherwise of its derivative. The "
         "paper prints two digits. The\nverdict for a blow-up is \"alike\" within a factor of 3.");
    return fflush(stdout) == 0 ? 0 : cmd_complain_io("write", "standard output");
}

int cmd_reproduce_stability(const cmd_settings *s)
{
    const paper_table *table = &tables[s->words[0][strlen("table4.")] - '1'];
    return s->format == CMD_JSON ? show_rows(table, CMD_JSON, NULL) : print_text(table);
}
