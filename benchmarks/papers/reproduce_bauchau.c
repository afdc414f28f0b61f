/* reproduce_bauchau.c - Tables 1 and 2, and the example (35), of O. Bauchau, A. Epple, C. Bottasso, Scaling of
 * Constraints and Augmented Lagrangian Formulations in Multibody Dynamics Simulations: condition numbers of the
 * Jacobian of the midpoint rule for the pendulum with a root spring, problem II, without scaling (30), scaled and
 * augmented (31) with s = 1 and with s of (6), and scaled without augmentation (34).
 *
 * The paper states neither the initial state of the pendulum nor the norm. Here the pendulum starts at 0.5 rad at rest,
 * the Jacobian is that of (10) with constraints (C_i + C_f)/2 at the state of t = 1, and the norm is the 2-norm. For h
 * = 0.01 and m = 1, Table 1 prints 3e8 and Table 2 prints 3e10 (for s = 1: 9.2 and 4e2). The values of Table 1 are in
 * the row m = 0.1 of Table 2. Therefore the masses of Table 2 are read in two ways: as printed, and multiplied by
 * ten. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "benchmarks/conditioning/conditioning.h"
#include "program/output/json_line.h"

#include <math.h>
#include <string.h>

#define PAPER "O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations"
#define K     10.0 /* N m/rad */
#define L     1.0  /* m */

enum { N = 5, N_SCALED = 4, ROWS_MAX = 9 };
static const char *const scaled_names[N_SCALED] = {"none", "s = 1", "s", "s, not augmented"};

typedef struct row {
    double h, mass;
    double published[3];
} row;

typedef struct paper_table {
    const char *name, *number, *over;
    int n, readings; /* 2: two readings of the masses */
    row rows[ROWS_MAX];
} paper_table;

/* A row of a data file. */
#define ROW(h, mass, ...) {h, mass, {__VA_ARGS__}},

static const paper_table tables[] = {
    {"bauchau1",
     "Table 1",
     "h",
     9,
     1,
     {
#include "bauchau1.csv.inc"
     }},
    {"bauchau2",
     "Table 2",
     "m",
     7,
     2,
     {
#include "bauchau2.csv.inc"
     }},
};

/** The state at which the Jacobian is evaluated: q, phi, lam. */
typedef struct place {
    double q[2], phi, lam[2];
} place;

/** The exact solution at t for a start from 0.5 rad at rest. */
static place at(double t, double mass)
{
    const double w = sqrt(K / mass) / L, phi = 0.5 * cos(w * t), rate = -0.5 * w * sin(w * t);
    return (place){{L * sin(phi), -L * cos(phi)}, phi, {mass * rate * rate / 2, K * phi / L}};
}

/** Compute the Jacobian J [N x N, by columns] of (10) with columns and rows scaled as in (31): dynamics times h^2,
 *  constraints times s, multipliers divided by s/h^2. rho: factor of the augmented term. */
static void scaled_jacobian(const place *z, double h, double mass, double s, double rho, double *J)
{
    const double c = cos(z->phi), sn = sin(z->phi);
    const double B[2][3] = {{2 * z->q[0], 2 * z->q[1], 0}, {c, sn, -z->q[0] * sn + z->q[1] * c}};
    const double turn[2] = {-sn * z->lam[1], c * z->lam[1]}; /* d(B'lam)/dphi */
    const double force[3][3] = {
        {2 * z->lam[0], 0, turn[0]}, {0, 2 * z->lam[0], turn[1]}, {turn[0], turn[1], K}}; /* l_2 = 0 adds no term */
    memset(J, 0, N * N * sizeof *J);
    for (int i = 0; i < 3; i++) {
        if (i < 2) J[i * N + i] = 2 * mass;
        for (int j = 0; j < 3; j++) {
            double penalty = B[0][i] * B[0][j] + B[1][i] * B[1][j];
            J[j * N + i] += 0.5 * (h * h * force[i][j] + rho * s * penalty);
        }
        for (int k = 0; k < 2; k++) {
            J[(3 + k) * N + i] = s * B[k][i];
            J[i * N + 3 + k] = 0.5 * s * B[k][i];
        }
    }
}

/** Convert the scaled Jacobian J to the unscaled one (power > 0), or its inverse to that of the unscaled one (power <
 *  0). */
static void unscale(double *J, double h, double s, int power)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double left = power < 0 ? (j < 3 ? h * h : s) : i < 3 ? h * h : s;
            double right = power < 0 ? (i < 3 ? 1 : s / (h * h)) : j < 3 ? 1 : s / (h * h);
            J[j * N + i] *= power < 0 ? left * right : 1 / (left * right);
        }
}

/** Return the condition number of a row; kind: index in scaled_names. */
static double condition(const row *r, int kind)
{
    const place z = at(1, r->mass);
    const double s = kind == 1 ? 1 : r->mass + K * r->h * r->h, rho = kind == 1 || kind == 2 ? 1 : 0;
    double J[N * N], inverse[N * N];
    scaled_jacobian(&z, r->h, r->mass, s, rho, J);
    memcpy(inverse, J, sizeof J);
    if (cmd_inverse(N, inverse) != 0) return NAN;
    if (kind == 0) {
        unscale(J, r->h, s, 1);
        unscale(inverse, r->h, s, -1);
    }
    return cmd_norm2(N, N, J) * cmd_norm2(N, N, inverse);
}

/** Compute the rows of a table in one reading of its masses, and the slopes over h or m. */
static void measure(const paper_table *t, int reading, double values[N_SCALED][ROWS_MAX], double *slopes)
{
    double x[ROWS_MAX];
    for (int i = 0; i < t->n; i++) {
        row r = t->rows[i];
        if (reading > 0) r.mass *= 10;
        x[i] = t->readings > 1 ? r.mass : r.h;
        for (int k = 0; k < N_SCALED; k++) values[k][i] = condition(&r, k);
    }
    for (int k = 0; k < N_SCALED; k++) slopes[k] = cmd_slope(x, values[k], 0, t->n);
}

static json_t *row_json(const paper_table *t, int i, int k, int reading, double value, double slope)
{
    const double published = k < 3 ? t->rows[i].published[k] : NAN, mass = t->rows[i].mass;
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(PAPER)}, {"table", cmd_json_text(t->number)},
                               {"mass", cmd_json_real(mass)}, {"condition", cmd_json_real(published)});
    return CMD_OBJECT({"problem", cmd_json_text("pendulum-spring")}, {"h", cmd_json_real(t->rows[i].h)},
                      {"mass", cmd_json_real(reading > 0 ? 10 * mass : mass)},
                      {"scaling", cmd_json_text(scaled_names[k])}, {"condition", cmd_json_real(value)},
                      {"slope", cmd_json_real(slope)}, {"published", paper});
}

static int print_json(const paper_table *t, int reading, double values[N_SCALED][ROWS_MAX], const double *slopes)
{
    int code = 0;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < N_SCALED && code == 0; k++)
            code = cmd_json_line(row_json(t, i, k, reading, values[k][i], slopes[k]), stdout);
    return code;
}

static void print_text(const paper_table *t, int reading, double values[N_SCALED][ROWS_MAX], const double *slopes)
{
    const cmd_column columns[] = {{t->over, 0, NULL, NULL},        {"measured", 0, NULL, "none"},
                                  {"published", 0, NULL, "none"},  {"measured", 0, NULL, "s = 1"},
                                  {"published", 0, NULL, "s = 1"}, {"measured", 0, NULL, "s"},
                                  {"published", 0, NULL, "s"},     {"measured", 0, NULL, "s, not augmented"}};
    cmd_table table;
    cmd_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < t->n; i++) {
        const double x = t->readings > 1 ? t->rows[i].mass : t->rows[i].h;
        cmd_table_cell(&table, "%.0e", reading > 0 ? 10 * x : x);
        for (int k = 0; k < N_SCALED; k++) {
            cmd_table_cell(&table, "%.2g", values[k][i]);
            if (k < 3) cmd_table_cell(&table, "%.2g", t->rows[i].published[k]);
        }
    }
    if (t->readings > 1)
        printf("%s\n\n", reading > 0 ? "\nMasses ten times as large as printed in the paper:"
                                     : "Masses as printed in the paper:");
    cmd_table_print(&table, 2, stdout);
    printf("\n  Without scaling the condition number is proportional to %s^%.2f.\n", t->over, slopes[0]);
}

int cmd_reproduce_bauchau(const cmd_settings *s)
{
    const paper_table *t = strcmp(tables[0].name, s->words[0]) == 0 ? &tables[0] : &tables[1];
    int code = 0;
    if (s->format == CMD_TEXT)
        printf("%s of %s:\ncondition numbers of the Jacobian of the midpoint rule in the 2-norm, at t = 1 s. Pendulum "
               "with a root spring,\nm = 1 kg, k = 10 N m/rad, l = 1 m, initial angle 0.5 rad, initially at rest. The "
               "default of h is 0.01 s.\n\n",
               t->number, PAPER);
    for (int reading = 0; reading < t->readings && code == 0; reading++) {
        double values[N_SCALED][ROWS_MAX], slopes[N_SCALED];
        measure(t, reading, values, slopes);
        if (s->format == CMD_TEXT) print_text(t, reading, values, slopes);
        if (s->format == CMD_JSON) code = print_json(t, reading, values, slopes);
    }
    return code;
}
