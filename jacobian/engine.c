/* engine.c - creates, resets and frees the engine with its parts. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void resida_system_init(resida_system *s)
{
    if (s) *s = (resida_system){.size = sizeof *s, .n_formalism = -1, .n_constraint = -1};
}

void resida_jacobian_options_init(resida_jacobian_options *o)
{
    if (o) *o = (resida_jacobian_options){.size = sizeof *o, .strategy = "auto", .threads = 1};
}

static int allocate_given_values(resida_jacobian *jac)
{
    const rsd_frame *f = &jac->f;
    return RSD_DOUBLES(&f->alloc, f->s.n_y, &jac->given.y) && RSD_DOUBLES(&f->alloc, f->s.n_yp, &jac->given.yp) &&
           RSD_DOUBLES(&f->alloc, f->strategy->user ? f->s.n_formalism : 0, &jac->given.derivative) &&
           RSD_DOUBLES(&f->alloc, f->n, &jac->renewal.evaluation.y);
}

void rsd_engine_set_refresh(resida_jacobian *jac, rsd_refresh_fn *refresh, void *user)
{
    jac->refresh = refresh;
    jac->refresh_user = user;
}

int rsd_engine_set_lists(resida_jacobian *jac, const resida_system *s)
{
    rsd_frame *f = &jac->f;
    rsd_given *g = &jac->given;
    resida_jacobian_reset(jac);
    RSD_FREE(&f->alloc, g->y, g->yp, g->derivative, jac->renewal.evaluation.y);
    rsd_parts_free(&jac->p, f);
    f->s = *s;
    rsd_frame_set_open_entries(f);
    if (!rsd_parts_create(&jac->p, f) || !allocate_given_values(jac)) return RESIDA_ERR_MEMORY;
    return f->strategy->coloured || f->strategy->user ? 0 : rsd_parts_set_full_pattern(&jac->p, f);
}

/* Allocate the parts of the Jacobian engine. Return 0 if there is no memory, else 1. */
static int allocate_parts(resida_jacobian *jac, const resida_jacobian_options *o)
{
    const rsd_frame *f = &jac->f;
    if (!rsd_frame_create(&jac->f) || !rsd_parts_create(&jac->p, f) ||
        !rsd_differences_create(&jac->d, f, o, &jac->counts) || !rsd_jumps_create(&jac->jumps, f) ||
        !rsd_outdated_columns_create(&jac->outdated, f) || !rsd_excitations_create(&jac->excitations, f) ||
        !allocate_given_values(jac))
        return 0;
    return f->strategy->coloured || f->strategy->user || rsd_parts_set_full_pattern(&jac->p, f) >= 0;
}

resida_status resida_jacobian_create(resida_jacobian **out, const resida_system *s, const resida_jacobian_options *o,
                                     resida_message *why)
{
    resida_jacobian_options defaults;
    resida_jacobian_options_init(&defaults);
    if (!o) o = &defaults;
    if (!out) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: j is NULL");
    *out = NULL;
    if (!s) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: s is NULL");
    const rsd_strategy *strategy;
    RSD_TRY(rsd_check_engine(s, o, &strategy, why));
    resida_allocator alloc = rsd_allocator(o->allocator);
    resida_jacobian *jac = rsd_calloc(&alloc, 1, sizeof *jac);
    if (!jac) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
    jac->f =
        (rsd_frame){.alloc = rsd_get_owned_allocator(&jac->owner, &alloc), .s = *s, .strategy = strategy, .n = s->n};
    jac->renewal = (rsd_renewal){.by_costs = strategy->by_costs, .by_differences = !strategy->user, .systems = 1};
    rsd_renewal_discard_J(&jac->renewal);
    jac->renewal.evaluation.t = jac->repair.t = NAN;
    if (!allocate_parts(jac, o)) {
        resida_jacobian_free(jac);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian of %d x %d", s->n, s->n);
    }
    *out = jac;
    return RESIDA_OK;
}

void resida_jacobian_free(resida_jacobian *jac)
{
    if (!jac) return;
    const resida_allocator alloc = jac->owner.from;
    rsd_linear_free(jac->factors.linear);
    rsd_owner_free(&jac->owner);
    rsd_free(&alloc, jac);
}

void resida_jacobian_reset(resida_jacobian *jac)
{
    if (!jac) return;
    const rsd_frame *f = &jac->f;
    if (f->strategy->coloured || f->strategy->user) rsd_parts_clear(&jac->p, f);
    if (jac->p.accepted) memset(jac->p.accepted, 0, (size_t)jac->p.pattern.nnz * sizeof *jac->p.accepted);
    rsd_excitations_reset(&jac->excitations, f, &jac->p);
    rsd_search_reset(&jac->search);
    rsd_outdated_columns_reset(&jac->outdated, f);
    rsd_reset_difference_settings(jac);
    rsd_repair_reset(&jac->repair);
    rsd_renewal *r = &jac->renewal;
    rsd_renewal_discard_J(r);
    r->evaluation.is_partial = r->evaluation.skipped_B = r->requested = r->failures_with_J = 0;
    r->setup = (rsd_setup){.is_ready = 0};
    r->repair = (rsd_repair_statistics){.evaluations = 0};
}
