/* cam_contact.c - a cam hits a beam: section 5 of C. L. Bottasso, O. A. Bauchau, A. Cardona, Time-step-size-independent
 * conditioning and sensitivity to perturbations in the numerical solution of index three differential algebraic
 * equations, SIAM J. Sci. Comput. 29 (2007) 397-414; data there. A cam of 0.4 m on a hinge turns by
 *
 *     phi = pi/3 (1 - cos(2 pi t/3))
 *
 * with a rigid body of 4 kg at its tip, which strikes one of 4 kg in the middle of a beam of 2.4 m, which is clamped at
 * one end and has 40 kg at the other. Spring 2 GN/m and damper, friction by LuGre's law.
 *
 * Data missing in the paper are chosen here. The plane of the motion is x, y; the beam lies along x from 0. The hinge
 * is at (1.2, .) below the middle of the beam, such that rigid bodies touch at t = 0.494 s, phi = 0.5126. Initially the
 * cam is parallel to the beam. Of the two bending stiffnesses, 23 and 300 kN m^2, the beam has the first in the plane,
 * the cam the second. The body at the tip is a disc of 50 mm; that of the beam has a flat face 50 mm below its axis.
 * Rotary inertias of sections are rho A EI/EA, shear stiffnesses 5/6 EA G/E, G/E = 1/2.6. The paper's method damps
 * oscillations with periods shorter than its steps. Here a damping time of 10 us does so; without it BDF would resolve
 * each wave.
 *
 * States: the bristle z [m], and the impulse of the contact, z' = N [N s]. */
#include <math.h>
#include <string.h>

#include "beam_model.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/contact/disc_face.h"

enum { P_CAM = BEAM_PARAMETERS, P_STIFFNESS, P_DAMPER, P_ONSET, P_FRICTION, P_T, N_PARAMETERS };
enum { BRISTLE, IMPULSE, N_STATES };

static const resida_parameter parameters[N_PARAMETERS] = {
    BEAM_PARAMETER_LIST(2, 3, 1e-5),
#include "benchmarks/models/data/cam-contact.parameters.csv.inc"
};

static const double span = 2.4, arm = 0.4;                                                                /* m */
static const double touch_time = 0.494, frequency = 2.09439510239319549, amplitude = 1.04719755119659775; /* s, rad/s */
static const double disc_radius = 0.05, face_height = 0.05;                                               /* m */

/** The memory of the model. The system is the first member, because it is the user of all callbacks. */
typedef struct cam {
    beam_model beam;
    resida_mechanism inside; /**< the mechanism of the beams without contact */
    int n;                   /**< number of velocities of the beams */
    ct_disc_face contact;
} cam;

static double angle(double t)
{
    return amplitude * (1 - cos(frequency * t));
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = angle(t);
    ud[0] = amplitude * frequency * sin(frequency * t);
    udd[0] = amplitude * frequency * frequency * cos(frequency * t);
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const cam *c = user;
    const int n = c->n;
    const ct_touch touch = ct_disc_face_look(&c->contact, p, v, v + n + BRISTLE);
    int verdict = c->inside.residual(t, p, v, a, e, r, user);
    ct_disc_face_push(&c->contact, p, &touch, -1, r);
    r[n + BRISTLE] = a[n + BRISTLE] - touch.bristle;
    r[n + IMPULSE] = a[n + IMPULSE] - touch.N;
    return verdict;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const cam *c = user;
    const int nnz = c->beam.s.M_pattern.row[c->n];
    for (int k = 0; k < N_STATES; k++) M[nnz + k] = 1;
    return c->inside.mass_matrix(t, p, e, M, user);
}

static int potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    const cam *c = user;
    int verdict = c->inside.potential(t, p, e, V, user);
    *V += ct_normal_energy(&c->contact.normal, ct_disc_face_penetration(&c->contact, p));
    return verdict;
}

/* --- patterns: the two nodes of the contact and the states are coupled with each other --- */

/** Merge the columns of one row: those of a pattern, of both nodes if `both`, and from `first` to `end`. col NULL:
 *  count only.
 *  @return number of entries */
static int merge(const cam *c, const resida_pattern *q, int row, int both, int first, int end, int *col)
{
    const int low = c->contact.disc < c->contact.face ? c->contact.disc : c->contact.face;
    const int high = c->contact.disc + c->contact.face - low;
    const int from = q ? q->row[row] : 0, to = q ? q->row[row + 1] : 0;
    int n = 0, k = from;
    for (int j = 0; j < c->n; j++) {
        const int is_given = k < to && q->col[k] == j, node = j / BM_P;
        k += is_given;
        if (!is_given && !(both && (node == low || node == high))) continue;
        if (col) col[n] = j;
        n++;
    }
    for (int j = first; j < end; j++, n++)
        if (col) col[n] = j;
    return n;
}

typedef enum matrix { OF_M, OF_PHI_P, OF_PHI_V, N_PATTERNS } matrix;

/** Create the whole pattern; row, col NULL: count only. @return number of entries */
static int fill_pattern(const cam *c, matrix which, int *row, int *col)
{
    const resida_pattern *inside[] = {&c->inside.M_pattern, &c->inside.Phi_p_pattern, &c->inside.Phi_v_pattern};
    int n = 0;
    for (int i = 0; i < c->n + N_STATES; i++) {
        const int state = i - c->n, node = i / BM_P, at_node = node == c->contact.disc || node == c->contact.face;
        const int both = which != OF_M && (state >= 0 || at_node);
        const int sees_bristle = which == OF_PHI_V && (state == BRISTLE || (state < 0 && at_node));
        const int first = which == OF_M && state >= 0 ? i : c->n + BRISTLE;
        const int end = which == OF_M && state >= 0 ? i + 1 : first + sees_bristle;
        if (row) row[i] = n;
        n += merge(c, state < 0 ? inside[which] : NULL, i, both, first, end, col ? col + n : NULL);
    }
    if (row) row[c->n + N_STATES] = n;
    return n;
}

static void make_patterns(cam *c, resida_mechanism *m)
{
    resida_pattern *out[] = {&m->M_pattern, &m->Phi_p_pattern, &m->Phi_v_pattern};
    int size = 0;
    for (int w = 0; w < N_PATTERNS; w++) size += c->n + N_STATES + 1 + fill_pattern(c, (matrix)w, NULL, NULL);
    int *at = bench_own(c, size, sizeof *at);
    for (int w = 0; w < N_PATTERNS && at; w++) {
        int *col = at + c->n + N_STATES + 1;
        const int n = fill_pattern(c, (matrix)w, at, col);
        *out[w] = (resida_pattern){at, col};
        at = col + n;
    }
}

/* --- the model --- */

static void add_bodies(cam *c, const double *values)
{
    const double EA = 44e6, GA = EA / 2.6 * 5 / 6, GJ = 28e3, rho_A = 1.6, soft = 23e3, stiff = 300e3;
    const double rho_soft = rho_A * soft / EA, rho_stiff = rho_A * stiff / EA;
    const bm_section of_beam = {EA, GA, GA, GJ, soft, stiff, rho_A, rho_soft, rho_stiff, rho_soft / 10};
    const bm_section of_cam = {EA, GA, GA, GJ, stiff, soft, rho_A, rho_stiff, rho_soft, rho_soft / 10};
    const int order = (int)values[BEAM_ORDER], half = order * (int)values[BEAM_ELEMENTS], cams = (int)values[P_CAM];
    const double mass = 4, end_mass = 40, I_disc = mass * disc_radius * disc_radius * 2 / 5;
    const double phi = angle(touch_time), below = disc_radius + face_height + arm * sin(phi);
    const mb_vec out = {0, 0, 1}, root = {0, 0, 0}, tip = {span, 0, 0};
    const mb_vec hinge = {span / 2 - arm * cos(phi), -below, 0}, head = {hinge.x + arm, -below, 0};
    bm_system *s = &c->beam.s;
    const int beam = bm_add_line(s, &of_beam, order, 2 * (int)values[BEAM_ELEMENTS], root, tip, out);
    const int first = bm_add_line(s, &of_cam, order, cams, hinge, head, out);
    c->contact.face = beam + half, c->contact.disc = first + order * cams;
    bm_add_lump(s, c->contact.face, mass, (mb_vec){I_disc, I_disc, I_disc});
    bm_add_lump(s, c->contact.disc, mass, (mb_vec){I_disc, I_disc, I_disc});
    bm_add_lump(s, beam + 2 * half, end_mass, (mb_vec){0, 0, 0});
    bm_add_weld(s, BM_SPACE, beam, root);
    bm_add_hinge(s, BM_SPACE, first, hinge, out);
    bm_add_turn(s, BM_SPACE, first, out, 1);
}

static void set_contact(ct_disc_face *x, const double *values)
{
    x->radius = disc_radius, x->height = face_height;
    x->normal = (ct_normal){.k = values[P_STIFFNESS], .onset = values[P_ONSET], .mu = values[P_DAMPER]};
    x->friction = (ct_friction){.sigma0 = 1e5,
                                .mu_s = fmax(values[P_FRICTION], 1e-12), /* > 0, as bristles require */
                                .v_s = 1e-3,
                                .gamma = 2,
                                .v_0 = 1e-5,
                                .release = 1e-3};
    x->friction.mu_k = x->friction.mu_s;
}

/* Set the names of v: those of the beams, and of the states. */
static void name_all(cam *c, resida_mechanism *m)
{
    const char **names = bench_own(c, m->n_v, sizeof *names);
    if (!names) return;
    memcpy(names, m->v_names, (size_t)c->n * sizeof *names);
    names[c->n + BRISTLE] = "bristle", names[c->n + IMPULSE] = "impulse";
    m->v_names = names;
}

static const char *const output_names[] = {"energy", "contact", "friction"};
static const char *const output_units[] = {"J", "N", "N"};

/* Outputs: energy of beams and bodies; normal force and friction of the contact. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const cam *c = model->user;
    const ct_touch touch = ct_disc_face_look(&c->contact, at->p, at->v, at->v + c->n + BRISTLE);
    out[1] = touch.N, out[2] = touch.F;
    return beam_model_output(model, at, out);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    cam *c = model->user;
    resida_mechanism *m = &model->mechanism;
    add_bodies(c, values);
    set_contact(&c->contact, values);
    if (beam_model_open(&c->beam, values, model, why)) return 1;
    c->inside = *m;
    c->n = m->n_v;
    m->n_v += N_STATES, m->n_z = N_STATES;
    m->residual = residual, m->mass_matrix = mass_matrix, m->potential = potential;
    m->derivatives = NULL;
    m->n_u = 1, m->excitation = excitation;
    make_patterns(c, m);
    name_all(c, m);
    model->v0 = bench_own(c, m->n_v, sizeof *model->v0);
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->t_end = values[P_T];
    model->rtol = 1e-4, model->atol = 1e-6;
    return 0;
}

const bench_kind bench_cam_contact = {
    BENCH_KIND("cam-contact", "impact of a cam on a flexible beam, with LuGre friction (Bottasso, Bauchau, Cardona)",
               N_PARAMETERS, parameters, cam, set),
    .end = beam_model_end,
};
