/* engine.c - the engine is made of its pieces, and taken apart. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "src/base/memory.h"

void resida_system_init(resida_system *s)
{
    if (s) *s = (resida_system){.size = sizeof *s, .n_dear = -1, .n_cheap = -1};
}

void resida_jacobian_options_init(resida_jacobian_options *o)
{
    if (o) *o = (resida_jacobian_options){.size = sizeof *o, .strategy = "auto", .threads = 1};
}

static int reserve_given(resida_jacobian *j)
{
    const rsd_frame *f = &j->f;
    j->given.y = rsd_doubles(&f->alloc, f->s.n_y);
    j->given.yp = rsd_doubles(&f->alloc, f->s.n_yp);
    j->given.dear = rsd_doubles(&f->alloc, f->strategy->user ? f->s.n_dear : 0);
    return j->given.y && j->given.yp && j->given.dear;
}

/* 0: no memory. */
static int reserve(resida_jacobian *j, const resida_jacobian_options *o)
{
    const rsd_frame *f = &j->f;
    if (!rsd_frame_create(&j->f) || !rsd_parts_create(&j->p, f) || !rsd_differences_create(&j->d, f, o, &j->counts) ||
        !rsd_jumps_create(&j->jumps, f) || !rsd_outdated_create(&j->outdated, f) ||
        !rsd_excitations_create(&j->excitations, f) || !reserve_given(j))
        return 0;
    return f->strategy->coloured || f->strategy->user || rsd_parts_fill(&j->p, f) >= 0;
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
    RSD_TRY(rsd_check_jacobian_options(o, why));
    RSD_TRY(rsd_check_system(s, why));
    RSD_TRY(rsd_check_threads(s, o->threads, why));
    const rsd_strategy *strategy = rsd_find_strategy(o->strategy, s, why);
    if (!strategy) return RESIDA_ERR_OPTION;
    RSD_TRY(rsd_check_differences(strategy, s, o, why));
    resida_allocator alloc = rsd_allocator(o->allocator);
    resida_jacobian *j = rsd_calloc(&alloc, 1, sizeof *j);
    if (!j) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
    j->f = (rsd_frame){.alloc = rsd_owned_by(&j->owner, &alloc), .s = *s, .strategy = strategy, .n = s->n};
    j->evaluation.t = NAN;
    if (!reserve(j, o)) {
        resida_jacobian_free(j);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian of %d x %d", s->n, s->n);
    }
    *out = j;
    return RESIDA_OK;
}

void resida_jacobian_free(resida_jacobian *j)
{
    if (!j) return;
    const resida_allocator alloc = j->owner.from;
    rsd_owner_free(&j->owner);
    rsd_free(&alloc, j);
}

void resida_jacobian_reset(resida_jacobian *j)
{
    if (!j) return;
    const rsd_frame *f = &j->f;
    if (f->strategy->coloured || f->strategy->user) rsd_parts_clear(&j->p, f);
    rsd_parts_drop_D(&j->p, f);
    rsd_parts_forget_accepted(&j->p);
    rsd_excitations_forget(&j->excitations);
    rsd_search_reset(&j->search);
    rsd_outdated_forget(&j->outdated, f);
    rsd_evaluate_forget(j);
    j->evaluation.is_partial = j->evaluation.skipped_B = 0;
    j->last.is_ready = j->last.is_evaluated = j->last.is_current = j->history.failures = j->requested = 0;
}
