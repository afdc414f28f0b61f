/* train.c - a train of coaches that passes an S-shaped line change, after section 4.1 of Arnold, Fuchs, Fuehrer:
 * Efficient corrector iteration for DAE time integration in multibody dynamics. The model of the paper is industrial.
 * This model has the same topology, sizes (41 coordinates and 8 wheel-rail constraints for each carriage) and type of
 * contact, with public data: train_assemble.c (bodies, suspension), train_profile.c (wheels, rails), train_contact.c
 * (contact), train_recall.c (recent contacts), train_constraint.c (constraints), train_creep.c (creep forces),
 * train_track.c (track).
 *
 * The creep forces depend on the wheel loads: Psi(p, v, lam, u). The start is the steady motion on straight track.
 *
 * Excitations: TRAIN_U for each frame, see train_track.h; on a rough line TRAIN_IRREGULAR for each wheelset, see
 * train_irregular.h. */
#include <math.h>
#include <string.h>

#include "benchmarks/util/model_kind.h"
#include "benchmarks/util/settle.h"
#include "benchmarks/models/models.h"
#include "train_model.h"

#include "benchmarks/models/data/train.parameters.inc"

enum { ROUGH = 3 }; /* value of the parameter "case" */

/* Chosen such that the curves are passed within 15 s. */
static const struct {
    double radius, L, Lt, h0; /* [m] */
} cases[] = {{2500, 75, 37.5, 0}, {1250, 75, 37.5, 0}, {1250, 110, 75, 0.040}, {1250, 75, 37.5, 0}};

typedef struct train_memory {
    train train; /* first: user of the mechanism */
    double *p0, *v0;
    mb_pattern G, lam; /**< of G and dPhi/dlam */
    const char **p_names, **v_names, **g_names, **loads, **units, **p_units;
} train_memory;

static void end(void *memory)
{
    train *c = memory;
    mb_system_free(&c->system);
    train_recall_free(c->recall);
}

int train_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const train *c = user;
    for (int b = 0; b < TRAIN_BODIES * c->carriages; b++) {
        const int at = TRAIN_U * b;
        const double s = train_place(b) + c->track.v * t;
        train_track_frame(&c->track, s, train_ahead(b), u + at, ud + at, udd + at);
    }
    for (int w = 0; w < TRAIN_WHEELSETS * c->carriages && c->rough; w++) {
        const ptrdiff_t at = train_irregular(c, u, w) - u;
        train_irregularity(train_place(train_wheelset(w)), c->track.v, t, u + at, ud + at, udd + at);
    }
    return 0;
}

/* Allocate the arrays. @return 0, or 1 if memory is exhausted */
static int reserve(train_memory *c)
{
    const int n_p = TRAIN_COORDINATES * c->train.carriages, n_g = TRAIN_WHEELS * c->train.carriages;
    c->p0 = bench_own(c, n_p, sizeof(double)), c->v0 = bench_own(c, n_p, sizeof(double));
    c->G = (mb_pattern){bench_own(c, n_g + 1, sizeof(int)), bench_own(c, MB_SIX * n_g, sizeof(int))};
    c->lam = (mb_pattern){bench_own(c, n_p + 1, sizeof(int)), bench_own(c, MB_SIX * n_g, sizeof(int))};
    return !c->p0 || !c->v0 || !c->G.row || !c->G.col || !c->lam.row || !c->lam.col;
}

/* Create the patterns. G: a row for each wheel with the six coordinates of its wheelset. dPhi/dlam: in these rows the
 * two wheels of the wheelset. */
static void fill_patterns(train_memory *c)
{
    const mb_tree *tree = &c->train.system.tree;
    for (int w = 0; w < TRAIN_WHEELS * c->train.carriages; w++) {
        c->G.row[w + 1] = MB_SIX * (w + 1);
        for (int i = 0; i < MB_SIX; i++) c->G.col[MB_SIX * w + i] = train_first(&c->train, w) + i;
    }
    int entries = 0, wheelset = 0;
    for (int b = 0; b < tree->n_body; b++) {
        const int rolls = tree->body[b].joint.rotor;
        for (int i = 0; i < tree->body[b].n; i++) {
            for (int side = 0; side < 2 && rolls; side++) c->lam.col[entries++] = 2 * wheelset + side;
            c->lam.row[tree->body[b].first + i + 1] = entries;
        }
        wheelset += rolls;
    }
}

/* Create the names "car.y1", "wsF1.psi2'", "wheel5" ... of p, v, g, numbered by carriage or by wheel. */
static int make_names(train_memory *c)
{
#define SIX_UNITS "m", "m", "m", "rad", "rad", "rad"
#define SIX(body) body ".x", body ".y", body ".z", body ".phi", body ".theta", body ".psi"
    static const char *const coordinates[TRAIN_COORDINATES] = {
        "car.y",     "car.z",     "car.phi",     "car.theta", "car.psi",   SIX("bogieF"),
        SIX("wsF1"), SIX("wsF2"), SIX("bogieR"), SIX("wsR1"), SIX("wsR2"),
    };
    static const char *const coordinate_units[TRAIN_COORDINATES] = {
        "m", "m", "rad", "rad", "rad", SIX_UNITS, SIX_UNITS, SIX_UNITS, SIX_UNITS, SIX_UNITS, SIX_UNITS,
    };
    static const char *const wheel[] = {"wheel"}, *const load[] = {"load"};
    const int n_p = c->train.system.tree.n_q, n_g = TRAIN_WHEELS * c->train.carriages;
    c->p_names = bench_own_names(c, n_p, TRAIN_COORDINATES, coordinates, "");
    c->v_names = bench_own_names(c, n_p, TRAIN_COORDINATES, coordinates, "'");
    c->g_names = bench_own_names(c, n_g, 1, wheel, "");
    c->loads = bench_own_names(c, n_g + 1, 1, load, "");
    c->units = bench_own(c, n_g + 1, sizeof *c->units);
    c->p_units = bench_own_repeated(c, n_p, TRAIN_COORDINATES, coordinate_units);
    if (!c->p_units || !c->p_names || !c->v_names || !c->g_names || !c->loads || !c->units) return 1;
    for (int i = 0; i < n_g; i++) c->units[i] = "N";
    c->loads[n_g] = "kinetic", c->units[n_g] = "J"; /* after the loads */
    return 0;
}

static void fill_mechanism(train_memory *c, resida_mechanism *m)
{
    mb_system_mechanism(&c->train.system, m);
    m->residual = NULL, m->acceleration = NULL; /* they have no access to wheel loads */
    m->residual_lam = train_residual, m->acceleration_lam = train_acceleration;
    m->Phi_lam_pattern = mb_pattern_view(&c->lam);
    m->n_g = TRAIN_WHEELS * c->train.carriages;
    m->constraint = train_constraint, m->constraint_matrix = train_constraint_matrix;
    m->velocity_bias = train_velocity_bias;
    m->G_pattern = mb_pattern_view(&c->G);
    m->n_u = train_excitations(&c->train), m->excitation = train_excitation;
    m->p_names = c->p_names, m->v_names = c->v_names, m->g_names = c->g_names;
}

/* Find the start of one carriage and copy it to all. Its patterns and names are the first ones of all carriages. */
static int find_start(train_memory *c, resida_message *why)
{
    enum { N = TRAIN_COORDINATES };
    train_memory one = *c;
    resida_mechanism m;
    one.train.system = (mb_system){.n_relation = 0};
    one.train.carriages = 1;
    resida_mechanism_init(&m);
    m.name = "train";
    int failed = train_assemble(&one.train, why);
    if (!failed) {
        fill_mechanism(&one, &m);
        failed = bench_settle(&m, 0, 1, c->p0, c->v0, NULL, why);
    }
    mb_system_free(&one.train.system);
    for (int k = 1; k < c->train.carriages && !failed; k++) {
        memcpy(c->p0 + k * N, c->p0, N * sizeof(double));
        memcpy(c->v0 + k * N, c->v0, N * sizeof(double));
    }
    return failed;
}

static train_track track_of(const double *values)
{
    const int k = (int)values[P_CASE];
    return (train_track){values[P_V], 1 / cases[k].radius, 35, cases[k].L, cases[k].Lt, cases[k].h0};
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    return train_points(model->user, t, p, xyz);
}

/* Outputs: vertical loads of the wheels [N], the multipliers; kinetic energy [J]. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const train *c = model->user;
    const mb_system *s = &c->system;
    const int n_u = train_excitations(c), n_g = TRAIN_WHEELS * c->carriages;
    double u[n_u], ud[n_u], udd[n_u];
    mb_root root[s->tree.n_root];
    mb_relation relation[s->n_relation + 1];
    mb_state state[s->tree.n_body];
    if (train_excitation(at->t, u, ud, udd, model->user)) return 1;
    const resida_excitation e = {u, ud, udd};
    const mb_motion motion = {root, u, ud, udd};
    s->move(s, &e, root, relation);
    mb_place(&s->tree, at->p, at->v, &motion, state);
    memcpy(out, at->lam, (size_t)n_g * sizeof *out);
    out[n_g] = mb_kinetic_energy(s, &motion, state);
    return 0;
}

/* Return the time at which the last carriage leaves the curves, at least 15 s. */
static double end_of(const train *c)
{
    const train_track *q = &c->track;
    return fmax(15, (q->s1 + 2 * q->L + q->Lt + TRAIN_PITCH * c->carriages) / q->v);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    train_memory *c = model->user;
    c->train.track = track_of(values);
    c->train.carriages = (int)values[P_CARRIAGES];
    c->train.rough = (int)values[P_CASE] == ROUGH;
    train_profiles_make(&c->train.profiles);
    if (values[P_RECALL] > 0) c->train.recall = train_recall_make(TRAIN_WHEELSETS * c->train.carriages, why);
    if (values[P_RECALL] > 0 && !c->train.recall) return 1;
    if (train_assemble(&c->train, why)) return 1;
    if (reserve(c) || make_names(c)) return 0; /* bench_create() reports it */
    model->parts = train_parts(&c->train, c->loads, &model->n_parts);
    fill_patterns(c);
    fill_mechanism(c, &model->mechanism);
    if (find_start(c, why)) return 1;
    model->shape = shape;
    model->n_outputs = model->mechanism.n_g + 1, model->output_names = c->loads, model->output_units = c->units;
    model->p_units = c->p_units, model->lam_units = c->units, model->output = output;
    model->t_end = end_of(&c->train);
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-4, model->atol = 1e-4;
    return 0;
}

const bench_kind bench_train = {
    BENCH_KIND(
        "train",
        "train carriage on an S-shaped line change, 41 coordinates, 8 wheels (Arnold, Fuchs, Fuehrer, section 4.1)",
        N_PARAMETERS, parameters, train_memory, set),
    .end = end,
};
