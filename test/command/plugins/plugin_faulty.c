/* plugin_faulty.c - a model that has all callbacks, with one fault of a list at a time, for the test that `resida
 * check` names each: a mass (x, y) on a rod of length L = 1 + u, u = 0.1 sin 3t, with a spring, friction and a state z;
 * a rotor whose angle is a unit vector (c, s), velocity w; and a skate (X, Y) that goes where the rotor points,
 *
 *     M v' = -K p - D v - mu lam (vx, vy) - (z, 0) - G' lam - Gh' nu,   z' = -z + x vx
 *     0 = (x^2 + y^2 - L^2)/2,   0 = c VY - s VX + u,   0 = c^2 + s^2 - 1,   gap = X + 10 + t/10
 *
 * RIGHT and PRODUCTS have no fault. */
#include "plugin_faulty.h"
#include "plugin_flaws.h"
#include "plugin_frame.h"

enum { N_P = 6, N_V = 6, N_W = 5, N_Z = 1 };
#define STIFFNESS 4.0
#define DAMPING   0.3
#define FRICTION  0.05
#define SLIGHT    1e-3 /* a part of a term by which no run fails */
#define COUPLING  0.2  /* M[0, 1] */
#define ROTOR     0.5  /* moment of inertia */
#define Y_0       0.1  /* p[5] at the start */

typedef struct faults {
    enum fault is;
    long calls, residuals;
    uint64_t seed;
    double t, kept[N_P], u;
} faults;

static int has(const void *user, enum fault fault)
{
    return ((const faults *)user)->is == fault;
}

/* Forces Psi on M v', and z'. */
static void forces(const faults *x, const double *p, const double *v, const double *lam, double *psi)
{
    const double at[N_W] = {p[0], p[1], p[3], p[4], p[5]};
    for (int i = 0; i < N_W; i++) psi[i] = -DAMPING * v[i] - (i == 2 ? 0 : STIFFNESS * at[i]);
    psi[2] -= STIFFNESS * at[2] * p[2];
    for (int i = 0; i < 2; i++) psi[i] -= FRICTION * lam[0] * v[i];
    psi[0] -= v[5];
    psi[5] = p[0] * v[0] - v[5];
    if (has(x, DERIVATIVES_LATE)) psi[0] -= (p[5] - Y_0) * (p[5] - Y_0); /* without a derivative at the start */
}

static int residual(double t, const double *p, const double *v, const double *a, const double *lam,
                    const resida_excitation *e, double *r, void *user)
{
    faults *x = user;
    double psi[N_V], was[N_V];
    if (has(x, RESIDUAL_CACHE) && t != x->t) memcpy(x->kept, p, sizeof x->kept);
    x->t = t;
    memcpy(was, r, sizeof was);
    forces(x, has(x, RESIDUAL_CACHE) ? x->kept : p, v, lam, psi);
    for (int i = 0; i < N_V; i++) r[i] = (i == 2 ? ROTOR : 1) * a[i] - psi[i];
    r[0] += COUPLING * a[1], r[1] += COUPLING * a[0];
    if (has(x, RESIDUAL_SIGN)) r[1] -= 2 * STIFFNESS * p[1];
    if (has(x, RESIDUAL_TERM)) r[3] -= DAMPING * v[3];
    if (has(x, RESIDUAL_INDEX)) r[4] += STIFFNESS * (p[4] - p[5]);
    if (has(x, RESIDUAL_SQUARE)) r[4] += 0.1 * a[4] * a[4];
    if (has(x, RESIDUAL_BEYOND_P)) r[4] += 0.1 * p[N_P];
    if (has(x, RESIDUAL_ADDS)) r[3] += was[3];
    if (has(x, RESIDUAL_LATE_NAN) && t > 0.3) r[2] = NAN;
    if (has(x, RESIDUAL_EXIT) && t > 0.3) exit(0);
    if (has(x, RESIDUAL_CRASH_LATE) && t > 0.3) crash();
    if (has(x, RESIDUAL_EXCITATION_BEFORE)) r[0] += x->u;
    if (has(x, STATE_BY_A)) r[5] += 0.1 * a[0];
    if (has(x, RESIDUAL_ALONE_SKEW)) r[3] += 0.1 * a[4];
    x->residuals++;
    if (has(x, RESIDUAL_BEHIND) || (has(x, RESIDUAL_LATE_BEHIND) && t > 0)) r[N_V] = 0;
    if (has(x, RESIDUAL_BEFORE)) r[-1] = 0;
    if (has(x, RESIDUAL_INTO_P)) spoil(p);
    if (has(x, RESIDUAL_BEFORE_P)) spoil(p - 1);
    if (has(x, RESIDUAL_INTO_V)) spoil(v + 3);
    if (has(x, RESIDUAL_INTO_U)) spoil(e->u);
    if (has(x, RESIDUAL_UNSET)) r[3] = was[3];
    if (has(x, RESIDUAL_NOISE)) r[0] += 1e-7 * noise(&x->seed);
    if (has(x, RESIDUAL_SINGLE)) r[0] = (float)r[0];
    if (has(x, RESIDUAL_COUNTS)) r[0] += 1e-7 * sin((double)x->residuals * (double)x->residuals);
    return has(x, RESIDUAL_REFUSES);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const double *lam,
                        const resida_excitation *e, double *a, void *user)
{
    faults *x = user;
    const double det = 1 - COUPLING * COUPLING;
    double psi[N_V];
    (void)t, (void)e;
    forces(x, p, v, lam, psi);
    if (has(x, ACCELERATION_SIGN)) psi[2] += 2 * DAMPING * v[2];
    for (int i = 0; i < N_W; i++)
        psi[i] += (has(x, ACCELERATION_F) || has(x, ACCELERATION_ALONE_F)) && i == 3 ? 0 : f[i];
    a[0] = (psi[0] - COUPLING * psi[1]) / det;
    a[1] = (psi[1] - COUPLING * psi[0]) / det;
    a[2] = psi[2] / ROTOR;
    for (int i = 3; i < N_V; i++) a[i] = psi[i];
    if (has(x, ACCELERATION_ALONE_SKEW)) a[3] += 0.1 * f[4];
    if (has(x, FORCE_ON_STATE)) a[5] += 0.1 * f[0];
    if (has(x, ACCELERATION_INTO_F)) spoil(f);
    if (has(x, ACCELERATION_NOISE)) a[1] += 1e-7 * noise(&x->seed);
    return 0;
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *of_p, double *of_v, double *Phi_lam, void *user)
{
    static const int at[N_W] = {0, 1, 3, 4, 5};
    (void)t, (void)a, (void)e;
    double Phi_p[N_V * N_P] = {0}, Phi_v[N_V * N_V] = {0};
    for (int i = 0; i < N_W; i++) Phi_p[N_P * i + at[i]] = STIFFNESS, Phi_v[N_V * i + i] = DAMPING;
    Phi_p[N_P * 2 + 3] = STIFFNESS * p[2], Phi_p[N_P * 2 + 2] = STIFFNESS * p[3];
    for (int i = 0; i < 2; i++) Phi_v[N_V * i + i] += FRICTION * lam[0];
    Phi_v[5] = 1, Phi_v[N_V * 5 + 5] = 1;
    Phi_p[N_P * 5] = -v[0], Phi_v[N_V * 5] = -p[0];
    for (int i = 0; i < (has(user, PATTERN_LAM) ? 1 : 2); i++) Phi_lam[i] = FRICTION * v[i];
    if (has(user, DERIVATIVES_INTO_A)) spoil(a + 1);
    if (has(user, DERIVATIVES_SIGN)) Phi_p[N_P * 5] = v[0];
    if (has(user, DERIVATIVES_INDEX)) Phi_p[N_P * 3 + 4] = 0, Phi_p[N_P * 4 + 3] = STIFFNESS;
    if (has(user, DERIVATIVES_DAMPING)) Phi_v[N_V * 4 + 4] = 0;
    if (has(user, DERIVATIVES_LAM)) Phi_lam[1] = 0;
    if (has(user, DERIVATIVES_SLIGHTLY)) Phi_p[N_P + 1] *= 1.01;
    const int is_short_p = has(user, PATTERN_P), is_short_v = has(user, PATTERN_V);
    for (int i = 0; i < (is_short_p ? N_V : N_V * N_P); i++) of_p[i] = Phi_p[is_short_p ? (N_P + 1) * i : i];
    for (int i = 0; i < (is_short_v ? N_V : N_V * N_V); i++) of_v[i] = Phi_v[is_short_v ? (N_V + 1) * i : i];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e;
    const int is_short = has(user, MASS_PATTERN), row = is_short ? 1 : N_V;
    for (int i = 0; i < (is_short ? N_V : N_V * N_V); i++) M[i] = 0;
    for (int i = 0; i < N_V; i++) M[is_short ? i : i * (row + 1)] = i == 2 ? ROTOR : 1;
    if (has(user, MASS_INTO_P)) spoil(p + 2);
    if (is_short) return 0;
    M[1] = M[N_V] = COUPLING;
    if (has(user, MASS_INDEX)) M[1] = M[N_V] = 0, M[2] = M[2 * N_V] = COUPLING;
    if (has(user, MASS_SKEW)) M[1] = -COUPLING;
    if (has(user, MASS_STATE)) M[5] = M[5 * N_V] = 0.1;
    if (has(user, MASS_NOISE)) M[4 * (N_V + 1)] += 1e-5 * noise(&((faults *)user)->seed);
    if (has(user, MASS_NEGATIVE)) M[3 * (N_V + 1)] = -1;
    return 0;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    (void)t, (void)e;
    const double sign = has(user, KINEMATIC_SIGN) ? 1 : -1;
    const double all[] = {1, 1, sign * p[3], p[2], 1, 1};
    const int lacks = has(user, KINEMATIC_PATTERN);
    memcpy(T, all, 2 * sizeof *T);
    memcpy(T + 2, all + 2 + lacks, (size_t)(4 - lacks) * sizeof *T);
    if (has(user, KINEMATIC_NOISE)) T[0] += 1e-6 * noise(&((faults *)user)->seed);
    return 0;
}

static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    (void)e;
    k[0] = p[2] * p[2] + p[3] * p[3] - 1 - (has(user, INVARIANT_TIME) ? 0.1 * t : 0);
    return 0;
}

static int invariant_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    (void)t, (void)e;
    K[0] = 2 * p[2];
    if (!has(user, INVARIANT_PATTERN)) K[1] = (has(user, INVARIANT_MATRIX) ? 1 : 2) * p[3];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t;
    const double L = 1 + e->u[0];
    g[0] = (p[0] * p[0] + p[1] * p[1] - L * L) / 2;
    if (has(user, CONSTRAINT_TERM)) g[0] = (p[0] * p[0] - L * L) / 2;
    if (has(user, CONSTRAINT_BEFORE)) g[-2] = 0;
    if (has(user, CONSTRAINT_NOISE)) g[0] += 1e-9 * noise(&((faults *)user)->seed);
    memcpy(((faults *)user)->kept, p, sizeof((faults *)user)->kept);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const double *from = has(user, CONSTRAINT_MATRIX_OLD) ? ((faults *)user)->kept : p;
    (void)t, (void)e;
    for (int j = 0; j < 2; j++) G[j] = from[j];
    if (has(user, CONSTRAINT_MATRIX_SIGN)) G[1] = -G[1];
    if (has(user, CONSTRAINT_MATRIX_BEHIND)) G[2] = 0;
    if (has(user, CONSTRAINT_MATRIX_NOISE)) G[1] += 1e-5 * noise(&((faults *)user)->seed);
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *bias, void *user)
{
    (void)t, (void)p;
    bias[0] = -(has(user, VELOCITY_BIAS_TERM) ? 1 : 1 + e->u[0]) * e->ud[0];
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *bias,
                             void *user)
{
    (void)t, (void)p;
    bias[0] = v[0] * v[0] + v[1] * v[1] - e->ud[0] * e->ud[0] - (1 + e->u[0]) * e->udd[0];
    if (has(user, ACCELERATION_BIAS_TERM)) bias[0] -= SLIGHT * v[1] * v[1];
    return 0;
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    (void)t, (void)e;
    Gh[0] = has(user, NONHOLONOMIC_SIGN) ? p[3] : -p[3];
    if (!has(user, NONHOLONOMIC_PATTERN)) Gh[1] = p[2];
    return 0;
}

static int nonholonomic_bias(double t, const double *p, const resida_excitation *e, double *gh, void *user)
{
    (void)t, (void)p;
    gh[0] = has(user, NONHOLONOMIC_BIAS) ? -e->u[0] : e->u[0];
    return 0;
}

static int nonholonomic_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e,
                                          double *bias, void *user)
{
    (void)t;
    bias[0] = v[2] * (-p[2] * v[3] - (has(user, NONHOLONOMIC_ACCELERATION) ? 0 : p[3] * v[4])) + e->ud[0];
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    faults *x = user;
    u[0] = 0.1 * sin(3 * t), ud[0] = 0.3 * cos(3 * t), udd[0] = -0.9 * sin(3 * t);
    if (has(x, EXCITATION_UD)) ud[0] = -ud[0];
    if (has(x, EXCITATION_UDD)) udd[0] = -udd[0];
    if (has(x, EXCITATION_NOISE)) u[0] += 1e-6 * noise(&x->seed);
    if (has(x, EXCITATION_BEHIND)) ud[1] = 0;
    x->u = (double)x->calls++;
    return 0;
}

static int potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    (void)t, (void)e;
    const int n = has(user, POTENTIAL_TERM) ? N_P - 1 : N_P;
    V[0] = 0;
    for (int i = 0; i < n; i++) V[0] += i == 2 ? 0 : STIFFNESS * p[i] * p[i] / 2;
    if (has(user, POTENTIAL_SIGN)) V[0] = -V[0];
    return 0;
}

/* Phi d for each of k directions, by the derivatives. */
static int residual_times(double t, const resida_motion *at, const resida_excitation *e, int k, const resida_motion *d,
                          double *out, void *user)
{
    double Phi_p[N_V * N_P], Phi_v[N_V * N_V], Phi_lam[2];
    (void)derivatives(t, at->p, at->v, at->a, at->lam, e, Phi_p, Phi_v, Phi_lam, user);
    for (int n = 0; n < k; n++, out += N_V) {
        const double *dp = d->p + n * N_P, *dv = d->v + n * N_V, *da = d->a + n * N_V, *dlam = d->lam + n * 2;
        for (int i = 0; i < N_V; i++) {
            out[i] = (i == 2 ? ROTOR : 1) * da[i] + (i < 2 ? COUPLING * da[1 - i] + Phi_lam[i] * dlam[0] : 0);
            for (int j = 0; j < N_P; j++) out[i] += Phi_p[N_P * i + j] * dp[j] + Phi_v[N_V * i + j] * dv[j];
        }
        if (has(user, TIMES_SIGN)) out[3] = -out[3];
    }
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)v, (void)e;
    out[0] = p[4] + 10 + t / 10;
    if (has(user, ROOT_NOISE)) out[0] += 1e-6 * noise(&((faults *)user)->seed);
    if (has(user, ROOT_NAN) && t > 0.3) out[0] = NAN;
    if (has(user, ROOT_CRASH) && t > 0.3) crash();
    if (has(user, ROOT_BEHIND)) out[1] = 0;
    return 0;
}

static int gap_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    memset(out, 0, N_P * sizeof *out);
    out[has(user, CONTACT_MATRIX) ? 5 : 4] = 1;
    return 0;
}

static int gap_rate(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    out[0] = has(user, CONTACT_RATE) ? -0.1 : 0.1;
    return 0;
}

/* --- what is looked at --- */

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    faults *x = model->user;
    out[0] = at->p[0];
    if (!has(x, OUTPUT_UNSET)) out[1] = at->t;
    if (has(x, OUTPUT_COUNTS)) out[1] += (double)x->calls++;
    if (has(x, OUTPUT_BEHIND)) out[2] = 0;
    if (has(x, OUTPUT_BEFORE)) out[-1] = 0;
    if (has(x, OUTPUT_INTO_P)) spoil(at->p + 3);
    if (has(x, OUTPUT_INTO_LAM)) spoil(at->lam);
    if (has(x, OUTPUT_CRASH)) crash();
    return has(x, OUTPUT_FAILS) ? -1 : 0;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    faults *x = model->user;
    (void)t;
    xyz[0] = p[0], xyz[1] = 0, xyz[2] = p[1];
    if (has(x, SHAPE_COUNTS)) xyz[1] = (double)x->calls++;
    if (has(x, SHAPE_BEHIND)) xyz[3] = 0;
    if (has(x, SHAPE_BEFORE)) xyz[-1] = 0;
    if (has(x, SHAPE_INTO_P)) spoil(p);
    if (has(x, SHAPE_CRASH)) crash();
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    if (has(model->user, REFERENCE_BEHIND)) p[N_P] = 0;
    if (has(model->user, REFERENCE_CRASH)) crash();
    if (!has(model->user, REFERENCE) || t < model->t_end) return 1;
    for (int i = 0; i < N_P; i++) p[i] = 7;
    for (int i = 0; i < N_V && v; i++) v[i] = NAN;
    for (int i = 0; i < 2 && lam; i++) lam[i] = NAN;
    return 0;
}

static int event(const resida_model *model, resida_model_event *event)
{
    if (has(model->user, EVENT_CRASH)) crash();
    if (has(model->user, EVENT_BEHIND)) event->y[N_P] = 0;
    if (has(model->user, EVENT_SILENT)) event->y[0] += 1;
    return has(model->user, EVENT_FAILS) ? -1 : 0;
}

static void fill_mechanism(resida_model *model, enum fault is)
{
    static const int each[] = {0, 1, 2, 3, 4, 5, 6}, T_col[] = {0, 1, 2, 2, 3, 4}, T_less[] = {0, 1, 2, 2, 3, 4, 5},
                     T_less_col[] = {0, 1, 2, 3, 4}, pair[] = {0, 2}, one[] = {0, 1}, of_g[] = {0, 1}, of_k[] = {2, 3},
                     of_h[] = {3, 4}, lam_row[] = {0, 1, 2, 2, 2, 2, 2}, lam_less[] = {0, 1, 1, 1, 1, 1, 1},
                     lam_col[] = {0, 0}, row[] = {0, 6, 12, 18, 24, 30, 36},
                     all[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
                              0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
    static const double restitution[] = {0.5}, zeros[N_P + N_V] = {0};
    static const resida_part parts[] = {{"mass", RESIDA_PART_BALLS, 1}};
    static const resida_model_contacts contacts = {
        .size = sizeof contacts, .n = 1, .restitution = restitution, .matrix = gap_matrix, .rate = gap_rate};
    static resida_products products;
    resida_mechanism *k = &model->mechanism;
    k->name = "faulty";
    k->n_p = N_P, k->n_v = N_V, k->n_z = N_Z;
    k->n_g = k->n_h = k->n_k = k->n_u = k->n_root = 1;
    k->residual_lam = residual, k->acceleration_lam = acceleration;
    if (is == ACCELERATION_ALONE_F || is == ACCELERATION_ALONE_SKEW) k->residual_lam = NULL;
    if (is == RESIDUAL_ALONE_SKEW) k->acceleration_lam = NULL;
    k->constraint = constraint, k->constraint_matrix = constraint_matrix, k->G_pattern = (resida_pattern){pair, of_g};
    k->velocity_bias = velocity_bias, k->acceleration_bias = acceleration_bias;
    if (k->residual_lam && is != RESIDUAL_ALONE_SKEW) {
        k->mass_matrix = mass_matrix, k->derivatives = derivatives, k->potential = potential;
        k->Phi_p_pattern = k->Phi_v_pattern = (resida_pattern){row, all};
        k->Phi_lam_pattern = (resida_pattern){is == PATTERN_LAM ? lam_less : lam_row, lam_col};
    }
    if (is == PATTERN_P || is == PATTERN_P_ALONE) k->Phi_p_pattern = (resida_pattern){each, all};
    if (is == PATTERN_V) k->Phi_v_pattern = (resida_pattern){each, all};
    if (is == PATTERN_P_ALONE) k->derivatives = NULL;
    if (is == PATTERN_G_ALONE) k->G_pattern.row = one, k->constraint_matrix = NULL;
    if (is == MASS_PATTERN) k->M_pattern = (resida_pattern){each, all};
    k->kinematic_matrix = kinematic_matrix, k->T_pattern = (resida_pattern){each, T_col};
    if (is == KINEMATIC_PATTERN) k->T_pattern = (resida_pattern){T_less, T_less_col};
    k->invariant = invariant, k->invariant_matrix = invariant_matrix;
    k->K_pattern = (resida_pattern){is == INVARIANT_PATTERN ? one : pair, of_k};
    k->nonholonomic_matrix = nonholonomic_matrix, k->nonholonomic_bias = nonholonomic_bias;
    k->Gh_pattern = (resida_pattern){is == NONHOLONOMIC_PATTERN ? one : pair, of_h};
    k->nonholonomic_acceleration_bias = nonholonomic_acceleration_bias;
    k->excitation = excitation, k->root = root;
    resida_products_init(&products);
    products.residual_times = residual_times;
    if (is == PRODUCTS || is == TIMES_SIGN) model->products = &products, k->derivatives = NULL;
    model->n_parts = 1, model->parts = parts, model->shape = shape;
    model->contacts = &contacts;
    if (is >= EVENT_FAILS && is <= EVENT_SILENT) model->event = event;
    model->atol_each = is == TOLERANCE_ZERO ? zeros : NULL;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {0.6, -0.8, 0.8, 0.6, 0.3, Y_0}, v0[] = {0, -0.375, 0.4, 0, 0, 0.2};
    static const char *const names[] = {"x", "time"};
    faults *x = calloc(1, sizeof *x);
    (void)why;
    if (!x) return 1;
    x->is = (enum fault)(int)values[0];
    x->t = NAN;
    model->user = model->mechanism.user = x;
    fill_mechanism(model, x->is);
    model->n_outputs = 2, model->output_names = names, model->output = output;
    model->reference = reference, model->reference_source = "none";
    model->p0 = p0, model->v0 = v0;
    model->t_end = 1;
    model->rtol = 1e-5, model->atol = 1e-7;
    return 0;
}

static const resida_parameter parameters[] = {
    {"fault", 0, 0, FAULTS - 1, 1, "-", "which", NULL},
};

PLUGIN("faulty", "a mass, a rotor and a skate, with a fault");
