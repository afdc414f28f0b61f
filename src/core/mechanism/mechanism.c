/* mechanism.c - checks a resida_mechanism once, and copies it with its patterns and names. Of the original, only the
 * callbacks and the pointer `user` are used later. */
#include "mechanism_impl.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

void resida_mechanism_init(resida_mechanism *m)
{
    if (m) *m = (resida_mechanism){.size = sizeof *m};
}

void resida_dae_init(resida_dae *d)
{
    if (d) *d = (resida_dae){.size = sizeof *d};
}

static resida_status check_sizes(const resida_mechanism *m, const char *name, resida_message *why)
{
    const struct {
        const char *what;
        int value, min;
    } counts[] = {{"n_p", m->n_p, 1}, {"n_v", m->n_v, 1}, {"n_z", m->n_z, 0}, {"n_g", m->n_g, 0},
                  {"n_h", m->n_h, 0}, {"n_k", m->n_k, 0}, {"n_u", m->n_u, 0}, {"n_root", m->n_root, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].value < counts[i].min)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s: %s = %d, must be >= %d", name, counts[i].what, counts[i].value,
                            counts[i].min);
    if (m->n_z >= m->n_v)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n_z = %d, must be < n_v = %d, which includes the states", name,
                        m->n_z, m->n_v);
    const int n_w = m->n_v - m->n_z;
    const char *of_v = m->n_z > 0 ? "n_v - n_z" : "n_v";
    if (n_w > m->n_p) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: %s = %d > n_p = %d", name, of_v, n_w, m->n_p);
    if (m->n_k > m->n_p - n_w)
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        m->n_z > 0 ? "%s: n_k = %d, must be at most n_p - (n_v - n_z) = %d"
                                   : "%s: n_k = %d, must be at most n_p - n_v = %d",
                        name, m->n_k, m->n_p - n_w);
    if ((long long)m->n_p + m->n_v + 2LL * m->n_g + m->n_h > RSD_MAX_UNKNOWNS)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: n_p + n_v + 2 n_g + n_h is more than %d", name, RSD_MAX_UNKNOWNS);
    if (m->n_u > RSD_MAX_UNKNOWNS || m->n_root > RSD_MAX_UNKNOWNS)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: %s is more than %d", name, m->n_root > m->n_u ? "n_root" : "n_u",
                        RSD_MAX_UNKNOWNS);
    return RESIDA_OK;
}

static resida_status check_callbacks(const resida_mechanism *m, const char *name, resida_message *why)
{
    const int has_residual = m->residual || m->residual_lam, has_acceleration = m->acceleration || m->acceleration_lam;
    const int has_Phi = m->Phi_p_pattern.row != NULL;
    const struct {
        int broken;
        const char *text;
    } rules[] = {
        {!has_residual && !has_acceleration, "neither residual nor acceleration is given"},
        {m->residual && m->residual_lam, "residual and residual_lam are both given"},
        {m->acceleration && m->acceleration_lam, "acceleration and acceleration_lam are both given"},
        {m->residual && m->acceleration_lam, "acceleration_lam is given, but residual does not depend on lam"},
        {m->residual_lam && m->acceleration, "residual_lam is given, but acceleration does not depend on lam"},
        {m->n_g + m->n_h == 0 && (m->residual_lam || m->acceleration_lam),
         "n_g + n_h = 0, but residual_lam or acceleration_lam is given"},
        {m->n_g > 0 && !m->constraint, "n_g > 0, but constraint is NULL"},
        {!m->constraint_force != !m->constraint_velocity,
         "constraint_force and constraint_velocity must be given both or not at all"},
        {m->n_g == 0 &&
             (m->constraint || m->constraint_matrix || m->constraint_force || m->velocity_bias || m->acceleration_bias),
         "n_g = 0, but a constraint is given"},
        {m->n_h > 0 && !m->nonholonomic_matrix, "n_h > 0, but nonholonomic_matrix is NULL"},
        {m->n_h == 0 && (m->nonholonomic_matrix || m->nonholonomic_bias || m->nonholonomic_acceleration_bias),
         "n_h = 0, but a nonholonomic constraint is given"},
        {m->n_k > 0 && !m->invariant, "n_k > 0, but invariant is NULL"},
        {m->n_k == 0 && (m->invariant || m->invariant_matrix), "n_k = 0, but an invariant is given"},
        {m->n_u > 0 && !m->excitation, "n_u > 0, but excitation is NULL"},
        {m->n_u == 0 && m->excitation, "n_u = 0, but excitation is given"},
        {m->derivatives && (!has_residual || !m->mass_matrix),
         "derivatives are given without residual and mass_matrix"},
        {has_Phi != (m->Phi_v_pattern.row != NULL), "Phi_p_pattern and Phi_v_pattern must be given both or not at all"},
        {m->residual_lam && has_Phi != (m->Phi_lam_pattern.row != NULL),
         "residual_lam: Phi_lam_pattern and Phi_p_pattern must be given both or not at all"},
        {!m->residual_lam && m->Phi_lam_pattern.row, "Phi_lam_pattern is given without residual_lam"},
        {m->n_p != m->n_v - m->n_z && !m->kinematic_matrix,
         m->n_z > 0 ? "n_p != n_v - n_z, but kinematic_matrix is NULL" : "n_p != n_v, but kinematic_matrix is NULL"},
        {m->thread_safe != 0 && m->thread_safe != 1, "thread_safe must be 0 or 1"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].broken) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: %s", name, rules[i].text);
    return RESIDA_OK;
}

static resida_status choose_formalism(rsd_mechanism *k, int formalism, resida_message *why)
{
    const resida_mechanism *m = &k->m;
    const int has_residual = m->residual || m->residual_lam;
    if (formalism == 1 && !has_residual)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: has no residual formalism", m->name);
    if (formalism == 2 && !m->acceleration && !m->acceleration_lam)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: has no explicit formalism (acceleration)", m->name);
    k->is_explicit = formalism == 2 || (formalism == 0 && !has_residual);
    k->uses_lam = m->residual_lam || m->acceleration_lam;
    return RESIDA_OK;
}

/* Copy the patterns that the model gives into k, and let k->m refer to the copies. Patterns that are not given are
 * full, or empty if they will be learnt. */
static resida_status copy_patterns(rsd_mechanism *k, const resida_mechanism *m, resida_message *why)
{
    const int has_Phi = m->derivatives || m->Phi_p_pattern.row;
    k->G_is_learnt = rsd_needs_learnt_G(k) && !m->G_pattern.row;
    const struct {
        rsd_csr *A;
        resida_pattern *kept;
        const char *name;
        int is_there, rows, cols;
        const resida_pattern *given;
    } all[] = {{&k->gp, &k->m.G_pattern, "G", !k->G_is_learnt, m->n_g, m->n_p, &m->G_pattern},
               {&k->T, &k->m.T_pattern, "T", m->kinematic_matrix != NULL, m->n_p, k->n_w, &m->T_pattern},
               {&k->Gh, &k->m.Gh_pattern, "Gh", m->n_h > 0, m->n_h, k->n_w, &m->Gh_pattern},
               {&k->Phi_p, &k->m.Phi_p_pattern, "Phi_p", has_Phi, m->n_v, m->n_p, &m->Phi_p_pattern},
               {&k->Phi_v, &k->m.Phi_v_pattern, "Phi_v", has_Phi, m->n_v, m->n_v, &m->Phi_v_pattern},
               {&k->Phi_lam, &k->m.Phi_lam_pattern, "Phi_lam", has_Phi && m->residual_lam, m->n_v, k->n_l,
                &m->Phi_lam_pattern},
               {&k->M, &k->m.M_pattern, "M", m->mass_matrix != NULL, m->n_v, m->n_v, &m->M_pattern},
               {&k->invariants.K, &k->m.K_pattern, "K", m->n_k > 0, m->n_k, m->n_p, &m->K_pattern}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rsd_csr *A = all[i].A;
        if (all[i].is_there)
            RSD_TRY(rsd_csr_create(A, all[i].name, all[i].rows, all[i].cols, all[i].given, &k->alloc, why));
        *all[i].kept = (resida_pattern){A->row, A->col};
    }
    if (k->G_is_learnt) RSD_TRY(rsd_csr_allocate(&k->gp, m->n_g, m->n_p, 0, &k->alloc));
    if (k->is_explicit || m->mass_matrix) return RESIDA_OK;
    if (rsd_needs_learnt_M(k)) return rsd_csr_allocate(&k->M, m->n_v, m->n_v, 0, &k->alloc);
    return rsd_csr_create(&k->M, "M", m->n_v, m->n_v, &(resida_pattern){NULL, NULL}, &k->alloc, why);
}

/* Allocate memory for differences and their checks. Return 1 on success, 0 if there is no memory. */
static int allocate_differences(rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    const int n_g = k->m.n_g, n_p = k->m.n_p, rows = n_g > k->m.n_k ? n_g : k->m.n_k;
    rsd_probe_work *w = &k->probe;
    rsd_motion *m = &k->motion;
    rsd_step_check *s = &k->step_check;
    return RSD_DOUBLES(a, n_p, &w->move, &w->trial, &w->tried, &w->refused, &w->bend) &&
           RSD_DOUBLES(a, n_p, &m->rate, &m->searched, &m->along, &m->beside, &m->up, &s->p_G, &s->p_last) &&
           RSD_DOUBLES(a, k->n_l, &s->second) &&
           RSD_DOUBLES(a, rows, &w->slope, &w->first, &w->third, &w->x[0], &w->x[1], &w->x[2], &w->x[3], &w->x[4]) &&
           RSD_INTS(a, rows, &w->owner) && RSD_DOUBLES(a, 3L * k->m.n_u, &k->u_moved) &&
           (n_g == 0 || k->m.constraint_matrix ||
            rsd_grouped_create(&k->gp_groups, &k->gp, rsd_csr_is_sparse(&k->gp), a));
}

static resida_status allocate_mechanism_work(rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    const resida_mechanism *m = &k->m;
    rsd_mechanism_work *w = &k->work;
    const int n_p = m->n_p > m->n_v ? m->n_p : m->n_v, n_l = k->n_l > m->n_k ? k->n_l : m->n_k;
    k->dropped = rsd_calloc(a, k->n_l, 1);
    k->open = rsd_calloc(a, k->n_l, 1);
    if (!k->dropped || !k->open || !rsd_invariants_create(k) || !allocate_differences(k) || !rsd_inertia_create(k) ||
        !RSD_DOUBLES(a, k->n_l, &k->slip, &k->fading.lam, &w->bias, &w->w_moved) ||
        !RSD_INTS(a, k->n_l, &k->normal_row) || !RSD_DOUBLES(a, k->gp.nnz, &k->gp_values) ||
        !RSD_DOUBLES(a, k->T.nnz, &k->T_values) || !RSD_DOUBLES(a, k->Gh.nnz, &k->Gh_values) ||
        rsd_calls_init(&k->calls, m->n_u, m->excitation, m->user, a) < 0 || !RSD_DOUBLES(a, m->n_v, &w->f, &w->out) ||
        !RSD_DOUBLES(a, m->n_p, &w->vp, &w->x_p, &w->p_moved, &w->pd_start) || !RSD_DOUBLES(a, n_p, &w->x_np) ||
        !RSD_DOUBLES(a, n_l > m->n_v ? n_l : m->n_v, &w->x_g, &w->x_g2))
        return RESIDA_ERR_MEMORY;
    k->gp_groups.is_learnt = k->G_is_learnt;
    k->inertia.groups.is_learnt = rsd_needs_learnt_M(k);
    return RESIDA_OK;
}

/* Copy the names of velocities. Return 1 on success, 0 if there is no memory. If p' = v, the default name of a velocity
 * is x', where x is the name of its position. */
static int copy_velocity_names(rsd_mechanism *k, const resida_mechanism *m)
{
    const resida_allocator *a = &k->alloc;
    if (m->kinematic_matrix || !m->p_names) return rsd_copy_names(&k->m.v_names, m->v_names, m->n_v, a);
    const char **names = rsd_calloc(a, m->n_v + 1L, sizeof *names);
    int all = names != NULL;
    k->m.v_names = names;
    for (int i = 0; i < m->n_v && all; i++) {
        char own[RSD_COMPONENT_NAME];
        const char *name = m->v_names ? m->v_names[i] : NULL, *p = i < m->n_p ? k->m.p_names[i] : NULL;
        if (p)
            rsd_write(own, sizeof own, "%s'", p);
        else
            rsd_write(own, sizeof own, "z[%d]", i - m->n_p);
        if (!name || (p && strcmp(name, p) == 0)) name = own;
        all = (names[i] = rsd_strdup(a, name)) != NULL;
    }
    return all;
}

static rsd_formalism choose_callback(const rsd_mechanism *k)
{
    const resida_mechanism *m = &k->m;
    if (k->is_explicit)
        return (rsd_formalism){k->uses_lam ? RSD_CALL_ACCELERATION_LAM : RSD_CALL_ACCELERATION, m->n_v, m->acceleration,
                               m->acceleration_lam};
    return (rsd_formalism){k->uses_lam ? RSD_CALL_RESIDUAL_LAM : RSD_CALL_RESIDUAL, m->n_v, m->residual,
                           m->residual_lam};
}

static resida_status copy_mechanism(rsd_mechanism *k, const resida_mechanism *m, int formalism, resida_message *why)
{
    const resida_allocator *a = &k->alloc;
    k->m = *m;
    k->m.p_names = k->m.v_names = k->m.g_names = NULL;
    k->G_is_given = m->constraint_matrix && m->G_pattern.row;
    k->n_l = m->n_g + m->n_h;
    k->n_w = m->n_v - m->n_z;
    if (!(k->m.name = rsd_strdup(a, m->name ? m->name : "mechanism"))) return RESIDA_ERR_MEMORY;
    RSD_TRY(choose_formalism(k, formalism, why));
    if (!rsd_copy_names(&k->m.p_names, m->p_names, m->n_p, a) || !copy_velocity_names(k, m) ||
        !rsd_copy_names(&k->m.g_names, m->g_names, k->n_l, a))
        return RESIDA_ERR_MEMORY;
    RSD_TRY(copy_patterns(k, m, why));
    RSD_TRY(allocate_mechanism_work(k));
    k->calls.formalism = choose_callback(k);
    return RESIDA_OK;
}

resida_status rsd_mechanism_create(rsd_mechanism **out, const resida_mechanism *m, int formalism,
                                   const resida_allocator *alloc, resida_message *why)
{
    *out = NULL;
    if (m->size != sizeof *m)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "mechanism.size = %zu, must be %zu (call resida_mechanism_init)",
                        m->size, sizeof *m);
    const char *name = m->name ? m->name : "mechanism";
    RSD_TRY(check_sizes(m, name, why));
    RSD_TRY(check_callbacks(m, name, why));
    rsd_mechanism *k = rsd_calloc(alloc, 1, sizeof *k);
    if (!k) return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory", name);
    k->alloc = rsd_get_owned_allocator(&k->owner, alloc);
    if (why) why->text[0] = 0;
    resida_status status = copy_mechanism(k, m, formalism, why);
    if (status < 0) {
        if (why && !why->text[0]) rsd_fail(why, status, "%s: no memory", name);
        rsd_mechanism_free(k);
        return status;
    }
    *out = k;
    return RESIDA_OK;
}

void rsd_mechanism_free(rsd_mechanism *k)
{
    if (!k) return;
    const resida_allocator alloc = k->owner.from;
    rsd_owner_free(&k->owner);
    rsd_free(&alloc, k);
}

/* --- scales of differences --- */

void rsd_scales_allow_search(rsd_mechanism *k)
{
    k->search_number++;
}

void rsd_scales_copy_state(rsd_mechanism *k, const rsd_mechanism *from)
{
    const rsd_scale *scale = from->gp_groups.scale, *of_K = from->invariants.groups.scale;
    const rsd_motion *of = &from->motion;
    rsd_motion *m = &k->motion;
    k->has_fixed_scales = 1;
    k->fourth_order = from->fourth_order;
    k->of_t = from->of_t, k->of_motion = from->of_motion;
    m->t_last = of->t_last, m->h = of->h, m->has_rate = of->has_rate, m->has_last = of->has_last;
    memcpy(m->rate, of->rate, (size_t)k->m.n_p * sizeof *m->rate);
    if (scale) memcpy(k->gp_groups.scale, scale, (size_t)k->m.n_p * sizeof *scale);
    if (of_K) memcpy(k->invariants.groups.scale, of_K, (size_t)k->m.n_p * sizeof *of_K);
}

void rsd_scales_restart_search(rsd_mechanism *k, rsd_grouped *q)
{
    k->of_t = k->of_motion = (rsd_line){.speed = 0};
    if (q->scale) memset(q->scale, 0, (size_t)k->m.n_p * sizeof *q->scale);
    q->search.is_done = 0;
}

void rsd_scales_reset(rsd_mechanism *k)
{
    const rsd_step_check *s = &k->step_check;
    k->search_number++;
    k->step_check = (rsd_step_check){.p_G = s->p_G, .p_last = s->p_last, .second = s->second};
    k->motion.has_rate = k->motion.has_last = 0;
    k->motion.h = 0;
    memset(k->motion.rate, 0, (size_t)k->m.n_p * sizeof *k->motion.rate);
    rsd_scales_restart_search(k, &k->gp_groups);
    rsd_scales_restart_search(k, &k->invariants.groups);
}
