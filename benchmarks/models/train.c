/* train.c - a train of coaches that passes an S-shaped line change, after section 4.1 of Arnold, Fuchs, Fuehrer: Efficient
 * corrector iteration for DAE time integration in multibody dynamics. Theirs was an industrial model; this one has its
 * topology, sizes (41 coordinates and 8 wheel-rail constraints for each carriage) and kind of contact, with public data:
 * train_assemble.c (bodies, suspension), train_profile.c (wheels, rails), train_contact.c (constraints), train_creep.c (creep forces),
 * train_track.c (track).
 *
 * The creep forces depend on the wheel loads lam. A resida_mechanism has no place for that; so the train is a general DAE,
 * already in the form of Gear, Gupta and Leimkuhler. With loads = 0 all wheels creep by their static load; then it is a
 * mechanism, with both formalisms.
 *
 * Excitations: TRAIN_U for each frame, see train_track.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_util.h"
#include "models.h"
#include "train_model.h"

enum { P_CASE, P_CARRIAGES, P_LOADS, P_V, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [P_CASE] = {"case", 1, 0, 2, 1, "-", "0: 1/2500 m, 1: 1/1250 m without cant, 2: 1/1250 m with 40 mm of cant"},
    [P_CARRIAGES] = {"carriages", 1, 1, 64, 1, "-", "carriages"},
    [P_LOADS] = {"loads", 1, 0, 1, 1, "-",
                 "wheels creep by 1: their load (general DAE), 0: the static load (mechanism)"},
    [P_V] = {"v", 25, 5, 80, 0, "m/s", "speed"},
};

/* Chosen so that the curves are passed within 15 s. */
static const struct {
    double radius, L, Lt, h0; /* [m] */
} cases[] = {{2500, 75, 37.5, 0}, {1250, 75, 37.5, 0}, {1250, 110, 75, 0.040}};

enum { NAMES_P, NAMES_V, NAMES_G, NAMES_LAM, NAMES_ETA, NAMES_Y, NAMES };

typedef struct train_memory {
    train train; /* first: user of the mechanism */
    double *p0, *v0, *y0, *yp0;
    resida_kind *kinds;
    int *G_row, *G_col;
    mb_pattern pattern; /**< of the Jacobian */
    const char **names[NAMES];
} train_memory;

static void destroy(resida_model *model)
{
    train_memory *c = model->user;
    if (!c) return;
    mb_system_free(&c->train.system);
    mb_pattern_free(&c->pattern);
    free(c->p0), free(c->v0), free(c->y0), free(c->yp0), free(c->kinds), free(c->G_row), free(c->G_col);
    for (int i = 0; i < NAMES; i++) free(c->names[i]);
    bench_destroy(model);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const train *c = user;
    for (int b = 0; b < TRAIN_BODIES * c->carriages; b++) {
        const int at = TRAIN_U * b;
        const double s = train_place(b) + c->track.v * t;
        train_track_frame(&c->track, s, train_ahead(b), u + at, ud + at, udd + at);
    }
    return 0;
}

static int reserve(train_memory *c, resida_message *why)
{
    const int n_p = TRAIN_COORDINATES * c->train.carriages, n_g = TRAIN_WHEELS * c->train.carriages;
    c->p0 = bench_alloc(n_p, sizeof(double), why);
    c->v0 = bench_alloc(n_p, sizeof(double), why);
    c->y0 = bench_alloc(2 * (n_p + n_g), sizeof(double), why);
    c->yp0 = bench_alloc(2 * (n_p + n_g), sizeof(double), why);
    c->kinds = bench_alloc(2 * (n_p + n_g), sizeof *c->kinds, why);
    c->G_row = bench_alloc(n_g + 1, sizeof(int), why);
    c->G_col = bench_alloc(MB_SIX * n_g, sizeof(int), why);
    return !c->p0 || !c->v0 || !c->y0 || !c->yp0 || !c->kinds || !c->G_row || !c->G_col;
}

/* All carriages stand like one. */
static int find_start(train_memory *c, resida_message *why)
{
    enum { N = TRAIN_COORDINATES, N_G = TRAIN_WHEELS };
    const int n_p = N * c->train.carriages, n_g = N_G * c->train.carriages;
    double lam[N_G];
    train one = c->train;
    one.system = (mb_system){.n_relation = 0};
    one.carriages = 1;
    const int failed = train_assemble(&one, why) || train_settle(&one, c->p0, c->v0, lam, why);
    mb_system_free(&one.system);
    if (failed) return 1;
    c->train.static_load = lam[0];
    for (int k = 0; k < c->train.carriages; k++) {
        memmove(c->p0 + k * N, c->p0, N * sizeof(double));
        memmove(c->v0 + k * N, c->v0, N * sizeof(double));
        memcpy(c->y0 + 2 * n_p + k * N_G, lam, sizeof lam);
    }
    memcpy(c->y0, c->p0, (size_t)n_p * sizeof(double));
    memcpy(c->y0 + n_p, c->v0, (size_t)n_p * sizeof(double));
    memcpy(c->yp0, c->v0, (size_t)n_p * sizeof(double));
    for (int i = 2 * n_p; i < 2 * (n_p + n_g); i++) c->kinds[i] = RESIDA_ALGEBRAIC_2;
    return 0;
}

static void fill_G_pattern(train_memory *c)
{
    for (int w = 0; w < TRAIN_WHEELS * c->train.carriages; w++) {
        c->G_row[w + 1] = MB_SIX * (w + 1);
        for (int i = 0; i < MB_SIX; i++) c->G_col[MB_SIX * w + i] = train_first(&c->train, w) + i;
    }
}

/* Names "car.y1", "wsF1.psi2'", "lam5" ...: of p, v, g, lam, eta, and of the whole y. */
static int make_names(train_memory *c, resida_message *why)
{
#define SIX(body) body ".x", body ".y", body ".z", body ".phi", body ".theta", body ".psi"
    static const char *const coordinates[TRAIN_COORDINATES] = {
        "car.y",     "car.z",     "car.phi",     "car.theta", "car.psi",   SIX("bogieF"),
        SIX("wsF1"), SIX("wsF2"), SIX("bogieR"), SIX("wsR1"), SIX("wsR2"),
    };
    static const char *const wheel[] = {"wheel"}, *const lam[] = {"lam"}, *const eta[] = {"eta"};
    const int n_p = c->train.system.tree.n_q, n_g = TRAIN_WHEELS * c->train.carriages;
    c->names[NAMES_P] = bench_names(n_p, TRAIN_COORDINATES, coordinates, "", why);
    c->names[NAMES_V] = bench_names(n_p, TRAIN_COORDINATES, coordinates, "'", why);
    c->names[NAMES_G] = bench_names(n_g, 1, wheel, "", why);
    c->names[NAMES_LAM] = bench_names(n_g, 1, lam, "", why);
    c->names[NAMES_ETA] = bench_names(n_g, 1, eta, "", why);
    c->names[NAMES_Y] = bench_alloc(2 * (n_p + n_g), sizeof *c->names[NAMES_Y], why);
    for (int i = 0; i < NAMES; i++)
        if (!c->names[i]) return 1;
    for (int i = 0; i < n_p; i++) {
        c->names[NAMES_Y][i] = c->names[NAMES_P][i];
        c->names[NAMES_Y][n_p + i] = c->names[NAMES_V][i];
    }
    for (int i = 0; i < n_g; i++) {
        c->names[NAMES_Y][2 * n_p + i] = c->names[NAMES_LAM][i];
        c->names[NAMES_Y][2 * n_p + n_g + i] = c->names[NAMES_ETA][i];
    }
    return 0;
}

static void fill_mechanism(train_memory *c, resida_mechanism *m)
{
    mb_system_mechanism(&c->train.system, m);
    m->name = "train";
    m->n_g = TRAIN_WHEELS * c->train.carriages;
    m->constraint = train_constraint, m->constraint_matrix = train_constraint_matrix;
    m->velocity_bias = train_velocity_bias;
    m->G_pattern = (resida_pattern){c->G_row, c->G_col};
    m->n_u = TRAIN_U * TRAIN_BODIES * c->train.carriages, m->excitation = excitation;
    m->p_names = c->names[NAMES_P], m->v_names = c->names[NAMES_V], m->g_names = c->names[NAMES_G];
}

static void fill_dae(train_memory *c, resida_dae *d)
{
    d->name = "train";
    d->n = 2 * (TRAIN_COORDINATES + TRAIN_WHEELS) * c->train.carriages;
    d->n_u = TRAIN_U * TRAIN_BODIES * c->train.carriages, d->excitation = excitation;
    d->user = c;
    d->kinds = c->kinds;
    d->residual = train_ggl;
    d->names = c->names[NAMES_Y];
    d->J_pattern = mb_pattern_view(&c->pattern);
    d->thread_safe = 1;
}

static train_track track_of(const double *values)
{
    const int k = (int)values[P_CASE];
    return (train_track){values[P_V], 1 / cases[k].radius, 35, cases[k].L, cases[k].Lt, cases[k].h0};
}

/* When the last carriage is out of the curves. */
static double end_of(const train *c)
{
    const train_track *q = &c->track;
    return fmax(15, (q->s1 + 2 * q->L + q->Lt + TRAIN_PITCH * c->carriages) / q->v);
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    train_memory *c = model->user = bench_alloc(1, sizeof *c, why);
    if (!c) return 1;
    c->train.track = track_of(values);
    c->train.carriages = (int)values[P_CARRIAGES];
    train_profiles_make(&c->train.profiles);
    if (reserve(c, why) || train_assemble(&c->train, why) || find_start(c, why) || make_names(c, why) ||
        train_pattern(&c->train, &c->pattern, why)) {
        destroy(model);
        return 1;
    }
    fill_G_pattern(c);
    fill_mechanism(c, &model->mechanism);
    fill_dae(c, &model->dae);
    model->is_dae = values[P_LOADS] > 0;
    model->t_end = end_of(&c->train);
    model->p0 = c->p0, model->v0 = c->v0;
    model->y0 = c->y0, model->yp0 = c->yp0;
    model->rtol = 1e-4, model->atol = 1e-4;
    return 0;
}

const resida_model_class bench_train = {
    RESIDA_MODEL_HEAD,
    .name = "train",
    .text = "train carriage on an S-shaped line change, 41 coordinates, 8 wheels (Arnold, Fuchs, Fuehrer, section 4.1)",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
