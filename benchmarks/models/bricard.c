/* bricard.c - Bricard's mechanism: five equal rods and six revolute joints in a closed loop in space, under gravity.
 * Problem A04 of the multibody benchmarks of IFToMM. The six joints have 30 constraints on 30 coordinates. Because of
 * the geometry one constraint is redundant in every configuration, and the loop has one degree of freedom.
 *
 *     p = (r, theta) of each rod:  r its centre, R = exp(theta~) its rotation; v = (r', omega), omega in the rod's own
 *     frame r' = v_r,  theta' = J(theta)^-1 omega,  J = I - A theta~ + B theta~^2,  J^-1 = I + theta~/2 + C theta~^2
 *     m r'' = m g,  I omega' = -omega x I omega
 *     joint of rods a, b:  r_a + R_a s_a = r_b + R_b s_b,   (R_a u).(R_b n) = 0 for two n across its axis u
 *
 * A rotation vector is singular at an angle of 2 pi, which no rod approaches. Unlike Euler parameters it needs no norm
 * constraint.
 *
 * Joints 1, 3, 5 rotate by a, and joints 2, 4, 6 by b with sin a + sin b + sin a sin b = 0. The reference states are
 * computed from a and a', which were integrated by extrapolation in 80-bit arithmetic with an energy error of 1e-15. A
 * second program in Cartesian coordinates agrees to 15 digits. */
#include "benchmarks/util/model_kind.h"
#include "models.h"
#include "benchmarks/multibody/tree/box.h"

#include "benchmarks/models/data/bricard.parameters.inc"

enum { RODS = 5, JOINTS = 6, ROWS = 5, OF_ROD = 6, N = RODS * OF_ROD, N_G = JOINTS * ROWS };

/* Initial directions of the rods, and axes of the joints; joint 1 is at the beginning of rod 1. */
static const mb_vec direction[RODS] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
static const mb_vec axis[JOINTS] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

static const double states[] = {
#include "benchmarks/models/data/bricard.csv.inc"
};

typedef struct joint {
    int a, b;          /* indices of rods, from 0; -1: the ground */
    mb_vec at_a, at_b; /* s_a, s_b */
    mb_vec u, n[2];
} joint;

typedef struct bricard {
    double mass, gravity;
    mb_vec inertia[RODS];
    joint joints[JOINTS];
    double length;
    double p0[N], v0[N];
    int G_row[N_G + 1], G_col[JOINTS * (3 * 8 + 2 * 6)];
    int T_row[N + 1], T_col[RODS * 12], M_row[N + 1], M_col[N];
} bricard;

/* Pose of a rod, and the factors A, B, C of its theta. */
typedef struct pose {
    mb_vec r, theta;
    mb_mat R;
    double A, B, C;
} pose;

#define SMALL_ANGLE 0.03 /* below it, neglected terms of the series are below 1e-16 */

/* Compute A = (1 - cos x)/x^2, B = (x - sin x)/x^3, C = (1 - x/2 cot(x/2))/x^2. */
static void turn_factors(pose *q)
{
    const double x = mb_norm(q->theta), x2 = x * x,
                 half = x < SMALL_ANGLE ? 1 - x2 / 24 + x2 * x2 / 1920 : 2 * sin(x / 2) / x;
    q->A = half * half / 2;
    if (x < SMALL_ANGLE) {
        q->B = 1.0 / 6 - x2 / 120 + x2 * x2 / 5040;
        q->C = 1.0 / 12 + x2 / 720 + x2 * x2 / 30240;
    } else {
        q->B = (1 - sin(x) / x) / x2;
        q->C = (1 - cos(x / 2) / half) / x2;
    }
}

/* Return exp(theta~) x = x + sin(x)/x theta x x + A theta x (theta x x). */
static mb_vec turned(const pose *q, mb_vec x)
{
    const mb_vec once = mb_cross(q->theta, x), twice = mb_cross(q->theta, once);
    return mb_along(mb_along(x, 1 - q->B * mb_dot(q->theta, q->theta), once), q->A, twice);
}

static pose pose_of(const double *p, int rod)
{
    pose q = {.R = mb_identity()};
    if (rod < 0) return q;
    const double *x = p + OF_ROD * rod;
    q.r = (mb_vec){x[0], x[1], x[2]};
    q.theta = (mb_vec){x[3], x[4], x[5]};
    turn_factors(&q);
    q.R = (mb_mat){turned(&q, q.R.x), turned(&q, q.R.y), turned(&q, q.R.z)};
    return q;
}

/* Return J' x. */
static mb_vec along_theta(const pose *q, mb_vec x)
{
    const mb_vec once = mb_cross(q->theta, x);
    return mb_along(mb_along(x, q->A, once), q->B, mb_cross(q->theta, once));
}

/* Return J^-1 x. */
static mb_vec rate_of_theta(const pose *q, mb_vec x)
{
    const mb_vec once = mb_cross(q->theta, x);
    return mb_along(mb_along(x, 0.5, once), q->C, mb_cross(q->theta, once));
}

static mb_vec omega_of(const double *v, int rod)
{
    if (rod < 0) return (mb_vec){0, 0, 0};
    const double *w = v + OF_ROD * rod + 3;
    return (mb_vec){w[0], w[1], w[2]};
}

/* Return I^-1 x or I x. */
static mb_vec divided(mb_vec x, mb_vec I)
{
    return (mb_vec){x.x / I.x, x.y / I.y, x.z / I.z};
}

/* Compute the applied and gyroscopic force and torque on a rod. */
static void forces(const bricard *c, const double *v, int rod, mb_vec *force, mb_vec *torque)
{
    const mb_vec w = omega_of(v, rod);
    *force = (mb_vec){0, -c->mass * c->gravity, 0};
    *torque = mb_scale(-1, mb_cross(w, mb_each(c->inertia[rod], w)));
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const bricard *c = user;
    for (int k = 0; k < RODS; k++) {
        const double *ak = a + OF_ROD * k;
        mb_vec force, torque;
        forces(c, v, k, &force, &torque);
        mb_put(mb_sub(mb_scale(c->mass, (mb_vec){ak[0], ak[1], ak[2]}), force), r + OF_ROD * k);
        mb_put(mb_sub(mb_each(c->inertia[k], omega_of(a, k)), torque), r + OF_ROD * k + 3);
    }
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const bricard *c = user;
    for (int k = 0; k < RODS; k++) {
        const double *fk = f + OF_ROD * k;
        mb_vec force, torque;
        forces(c, v, k, &force, &torque);
        mb_put(mb_scale(1 / c->mass, mb_add(force, (mb_vec){fk[0], fk[1], fk[2]})), a + OF_ROD * k);
        mb_put(divided(mb_add(torque, omega_of(f, k)), c->inertia[k]), a + OF_ROD * k + 3);
    }
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bricard *c = user;
    for (int k = 0; k < RODS; k++) {
        mb_put((mb_vec){c->mass, c->mass, c->mass}, out + OF_ROD * k);
        mb_put(c->inertia[k], out + OF_ROD * k + 3);
    }
    return 0;
}

static int potential(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bricard *c = user;
    *out = 0;
    for (int k = 0; k < RODS; k++) *out += c->mass * c->gravity * p[OF_ROD * k + 1];
    return 0;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const mb_mat I = mb_identity();
    for (int k = 0; k < RODS; k++) {
        const pose q = pose_of(p, k);
        const mb_vec x = rate_of_theta(&q, I.x), y = rate_of_theta(&q, I.y), z = rate_of_theta(&q, I.z);
        bench_fill(3, 1, out);
        mb_put((mb_vec){x.x, y.x, z.x}, out + 3);
        mb_put((mb_vec){x.y, y.y, z.y}, out + 6);
        mb_put((mb_vec){x.z, y.z, z.z}, out + 9);
        out += 12;
    }
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bricard *c = user;
    for (int i = 0; i < JOINTS; i++, out += ROWS) {
        const joint *j = &c->joints[i];
        const pose a = pose_of(p, j->a), b = pose_of(p, j->b);
        const mb_vec at_a = mb_add(a.r, mb_turn(&a.R, j->at_a)), at_b = mb_add(b.r, mb_turn(&b.R, j->at_b));
        const mb_vec u = mb_turn(&a.R, j->u);
        mb_put(mb_sub(at_a, at_b), out);
        for (int n = 0; n < 2; n++) out[3 + n] = mb_dot(u, mb_turn(&b.R, j->n[n]));
    }
    return 0;
}

/* Put the entries of a row for one rod: the column `which` of r (< 0: none), and the columns of theta. A rotation dphi
 * in the frame of the rod changes the row by turn.dphi. */
static double *put_part(int rod, const pose *q, int which, double sign, mb_vec turn, double *out)
{
    if (rod < 0) return out;
    if (which >= 0) *out++ = sign;
    return mb_put(along_theta(q, mb_scale(sign, turn)), out);
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bricard *c = user;
    const mb_mat I = mb_identity();
    const mb_vec unit[3] = {I.x, I.y, I.z};
    for (int i = 0; i < JOINTS; i++) {
        const joint *j = &c->joints[i];
        const pose a = pose_of(p, j->a), b = pose_of(p, j->b);
        for (int d = 0; d < 3; d++) {
            out = put_part(j->a, &a, d, 1, mb_cross(j->at_a, mb_back(&a.R, unit[d])), out);
            out = put_part(j->b, &b, d, -1, mb_cross(j->at_b, mb_back(&b.R, unit[d])), out);
        }
        for (int n = 0; n < 2; n++) {
            const mb_vec u = mb_turn(&a.R, j->u), across = mb_turn(&b.R, j->n[n]);
            out = put_part(j->a, &a, -1, 1, mb_cross(j->u, mb_back(&a.R, across)), out);
            out = put_part(j->b, &b, -1, 1, mb_cross(j->n[n], mb_back(&b.R, u)), out);
        }
    }
    return 0;
}

/* Return the centripetal acceleration of a point s of a rotating rod, whose velocity is R (omega x s). */
static mb_vec centripetal(const pose *q, mb_vec w, mb_vec s)
{
    return mb_turn(&q->R, mb_cross(w, mb_cross(w, s)));
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const bricard *c = user;
    for (int i = 0; i < JOINTS; i++, out += ROWS) {
        const joint *j = &c->joints[i];
        const pose a = pose_of(p, j->a), b = pose_of(p, j->b);
        const mb_vec wa = omega_of(v, j->a), wb = omega_of(v, j->b);
        const mb_vec u = mb_turn(&a.R, j->u), ud = mb_turn(&a.R, mb_cross(wa, j->u)), udd = centripetal(&a, wa, j->u);
        mb_put(mb_sub(centripetal(&a, wa, j->at_a), centripetal(&b, wb, j->at_b)), out);
        for (int n = 0; n < 2; n++) {
            const mb_vec x = mb_turn(&b.R, j->n[n]), xd = mb_turn(&b.R, mb_cross(wb, j->n[n]));
            out[3 + n] = mb_dot(udd, x) + 2 * mb_dot(ud, xd) + mb_dot(u, centripetal(&b, wb, j->n[n]));
        }
    }
    return 0;
}

/* A rotation as a quaternion (w, x), and its product with a rotation by an angle about an axis. */
typedef struct turn {
    double w;
    mb_vec x;
} turn;

static turn after(turn q, mb_vec about, double angle)
{
    const mb_vec x = mb_scale(sin(angle / 2), about);
    const double w = cos(angle / 2);
    return (turn){q.w * w - mb_dot(q.x, x), mb_add(mb_along(mb_scale(w, q.x), q.w, x), mb_cross(q.x, x))};
}

static mb_vec rotation_vector(turn q)
{
    const double size = mb_norm(q.x);
    return mb_scale(size > 0 ? 2 * atan2(size, q.w) / size : 2, q.x);
}

/* Compute the state for the angle a and its rate. */
static void state_of(const bricard *c, double a, double ad, double *p, double *v)
{
    const double sb = -sin(a) / (1 + sin(a)), b = asin(sb);
    const double bd = -cos(a) * ad / ((1 + sin(a)) * (1 + sin(a)) * cos(b));
    turn q = {1, {0, 0, 0}};
    mb_vec begin = {0, 0, 0}, rate = {0, 0, 0}, w = {0, 0, 0};
    for (int k = 0; k < RODS; k++) {
        const turn back = after((turn){1, {0, 0, 0}}, axis[k], k % 2 ? b : a);
        double swung[OF_ROD] = {0};
        mb_put(rotation_vector(back), swung + 3);
        const pose joint_turn = pose_of(swung, 0);
        q = after(q, axis[k], k % 2 ? b : a);
        w = mb_along(mb_back(&joint_turn.R, w), k % 2 ? bd : ad, axis[k]);
        mb_put(rotation_vector(q), p + OF_ROD * k + 3);
        mb_put(w, v + OF_ROD * k + 3);
        const pose at = pose_of(p, k);
        const mb_vec half = mb_scale(c->length / 2, direction[k]);
        const mb_vec on = mb_turn(&at.R, half), faster = mb_turn(&at.R, mb_cross(w, half));
        mb_put(mb_add(begin, on), p + OF_ROD * k);
        mb_put(mb_add(rate, faster), v + OF_ROD * k);
        begin = mb_along(begin, 2, on);
        rate = mb_along(rate, 2, faster);
    }
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const bench_states swing = {BENCH_COUNT(states), 1, 1, 0, states};
    double a, ad, at_p[N], at_v[N];
    if (!bench_is_standard(model->user) || bench_states_read(&swing, t, &a, &ad, NULL)) return 1;
    state_of(model->user, a, ad, p ? p : at_p, v ? v : at_v);
    if (lam) bench_fill(N_G, NAN, lam); /* not unique */
    return 0;
}

static const resida_part parts[] = {{"rod 1", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rod 2", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rod 3", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rod 4", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rod 5", RESIDA_PART_BOX, MB_CORNERS}};

/* Draw the model upright: gravity acts along -y of the model. */
static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const bricard *c = model->user;
    for (int k = 0; k < RODS; k++) {
        const pose q = pose_of(p, k);
        mb_box_corners(mb_box(c->mass, c->inertia[k]), q.r, &q.R, xyz + 3 * MB_CORNERS * k);
    }
    for (double *at = xyz; at < xyz + 3 * MB_CORNERS * RODS; at += 3) {
        const double y = at[1];
        at[1] = -at[2], at[2] = y;
    }
    return 0;
}

static const char *const output_names[] = {"energy"}, *const output_units[] = {"J"};

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    potential(at->t, at->p, NULL, out, model->user);
    out[0] += bench_kinetic_energy(&model->mechanism, at);
    return 0;
}

static void make_joints(bricard *c)
{
    const mb_mat I = mb_identity();
    const mb_vec unit[3] = {I.x, I.y, I.z};
    for (int i = 0; i < JOINTS; i++) {
        joint *j = &c->joints[i];
        *j = (joint){.a = i - 1, .b = i < RODS ? i : -1, .u = axis[i]};
        if (j->a >= 0) j->at_a = mb_scale(c->length / 2, direction[j->a]);
        j->at_b = j->b >= 0 ? mb_scale(-c->length / 2, direction[j->b]) : (mb_vec){0, 0, c->length};
        for (int d = 0, n = 0; d < 3; d++)
            if (mb_dot(unit[d], j->u) < 0.5) j->n[n++] = unit[d];
    }
}

/* Put the columns of the entries that put_part() writes. */
static int *list_part(int rod, int which, int *col)
{
    if (rod < 0) return col;
    if (which >= 0) *col++ = OF_ROD * rod + which;
    for (int d = 3; d < OF_ROD; d++) *col++ = OF_ROD * rod + d;
    return col;
}

static void make_patterns(bricard *c)
{
    int *col = c->G_col, *row = c->G_row;
    for (int i = 0; i < N_G; i++) {
        const joint *j = &c->joints[i / ROWS];
        const int which = i % ROWS < 3 ? i % ROWS : -1;
        *row++ = (int)(col - c->G_col);
        col = list_part(j->b, which, list_part(j->a, which, col));
    }
    *row = (int)(col - c->G_col);
    col = c->T_col, row = c->T_row;
    for (int i = 0; i < N; i++) {
        const int from = i % OF_ROD < 3 ? i : i - i % OF_ROD + 3;
        *row++ = (int)(col - c->T_col);
        for (int d = from; d < (from == i && i % OF_ROD < 3 ? i + 1 : from + 3); d++) *col++ = d;
        c->M_row[i] = c->M_col[i] = i;
    }
    *row = (int)(col - c->T_col);
    c->M_row[N] = N;
}

static void fill_mechanism(bricard *c, resida_mechanism *m)
{
    m->n_p = m->n_v = N, m->n_g = N_G;
    m->residual = residual, m->acceleration = acceleration, m->mass_matrix = mass_matrix, m->potential = potential;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix;
    m->velocity_bias = bench_no_bias, m->acceleration_bias = acceleration_bias;
    m->kinematic_matrix = kinematic_matrix;
    m->G_pattern = (resida_pattern){c->G_row, c->G_col};
    m->T_pattern = (resida_pattern){c->T_row, c->T_col};
    m->M_pattern = (resida_pattern){c->M_row, c->M_col};
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const of_p[OF_ROD] = {"x", "y", "z", "theta x", "theta y", "theta z"};
    static const char *const p_units[OF_ROD] = {"m", "m", "m", "rad", "rad", "rad"};
    static const char *const v_units[OF_ROD] = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
    static const char *const lam_units[ROWS] = {"N", "N", "N", "N m", "N m"};
    static const char *const of_v[OF_ROD] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const of_g[ROWS] = {"joint x", "joint y", "joint z", "axis m", "axis n"};
    bricard *c = model->user;
    *c = (bricard){.mass = values[P_MASS], .length = values[P_LENGTH], .gravity = values[P_GRAVITY]};
    const double section = values[P_WIDTH] * values[P_WIDTH], along = c->mass * 2 * section / 12;
    const double across = c->mass * (c->length * c->length + section) / 12;
    for (int k = 0; k < RODS; k++) {
        const mb_vec d = mb_each(direction[k], direction[k]);
        c->inertia[k] = mb_add(mb_scale(along, d), mb_scale(across, mb_sub((mb_vec){1, 1, 1}, d)));
    }
    make_joints(c);
    make_patterns(c);
    state_of(c, 0, 0, c->p0, c->v0);
    fill_mechanism(c, &model->mechanism);
    model->mechanism.p_names = bench_own_names(c, N, OF_ROD, of_p, "");
    model->mechanism.v_names = bench_own_names(c, N, OF_ROD, of_v, "");
    model->mechanism.g_names = bench_own_names(c, N_G, ROWS, of_g, "");
    model->p_units = bench_own_repeated(c, N, OF_ROD, p_units);
    model->v_units = bench_own_repeated(c, N, OF_ROD, v_units);
    model->lam_units = bench_own_repeated(c, N_G, ROWS, lam_units);
    model->t_end = 10;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-6, model->atol = 1e-6;
    model->parts = parts, model->n_parts = RODS, model->shape = shape;
    model->n_outputs = 1, model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    model->reference = reference;
    model->reference_source = "problem A04 of the IFToMM multibody benchmarks; recomputed by extrapolation in 80-bit "
                              "arithmetic and by a second program, 15 digits";
    return 0;
}

const bench_kind bench_bricard = {
    BENCH_KIND("bricard",
               "Bricard's mechanism, 5 rods, 6 revolute joints, one of 30 constraints redundant (IFToMM A04)",
               N_PARAMETERS, parameters, bricard, set),
};
