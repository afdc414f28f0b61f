/* run_checkpoint.c - saves and loads a run as bytes: the state of its solver, the time of the next event, and the data
 * that events of the model change. */
#include "run_impl.h"

#include <resida/checkpoint.h>

#include <math.h>
#include <string.h>

#include "src/kits/checkpoint/solver_checkpoint.h"

static const char *get_model_name(const resida_model *m)
{
    if (m->cls && m->cls->name) return m->cls->name;
    const char *name = m->is_dae ? m->dae.name : m->mechanism.name;
    return name ? name : "";
}

/* Write the name and the start values of the model, or check that they equal those of the image. Different parameters
 * of the model usually cause different start values. */
static resida_status transfer_model(rsd_image *m, const resida_run *run)
{
    const resida_model *model = run->model;
    char read[RSD_IMAGE_WORD];
    if (!rsd_image_transfer_word(m, get_model_name(model), read) && m->from)
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint is of model %.60s, this is %.60s", read,
                        get_model_name(model));
    const double *first = model->is_dae ? model->y0 : model->p0, *second = model->is_dae ? model->yp0 : model->v0;
    RSD_TRY(rsd_checkpoint_transfer_array(m, "t0", &model->t0, 1));
    RSD_TRY(rsd_checkpoint_transfer_array(m, model->is_dae ? "y0" : "p0", first, run->n));
    return second ? rsd_checkpoint_transfer_array(m, model->is_dae ? "yp0" : "v0", second, run->n_yp) : RESIDA_OK;
}

static resida_status transfer_contacts(rsd_image *m, resida_run *run)
{
    const resida_model_contacts *c = run->model->is_dae ? NULL : run->model->contacts;
    const rsd_unilateral *held = run->contacts.held;
    int n = c ? c->n : 0;
    rsd_image_transfer(m, &n, sizeof n);
    if (n != (c ? c->n : 0))
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint is of a model with %d contacts, this one has %d",
                        n, c ? c->n : 0);
    if (c) rsd_image_transfer(m, run->contacts.has_impact, (size_t)n);
    if (!held) return RESIDA_OK;
    rsd_image_transfer(m, held->decided, held->decided_size);
    rsd_image_transfer(m, run->contacts.releases, (size_t)n * sizeof *run->contacts.releases);
    if (m->from) rsd_unilateral_mark_open(held, run->solver->problem->mechanism, 0);
    return RESIDA_OK;
}

static void write_run(rsd_image *m, void *self)
{
    resida_run *run = self;
    const resida_model *model = run->model;
    uint64_t size = model->event ? model->state_size : 0, n_own = run->n_own;
    (void)rsd_checkpoint_transfer_kind(m, "run");
    (void)transfer_model(m, run);
    rsd_image_transfer(m, &run->t_next, sizeof run->t_next);
    rsd_image_transfer(m, &size, sizeof size);
    rsd_image_transfer(m, model->state, (size_t)size);
    rsd_image_transfer(m, &n_own, sizeof n_own);
    rsd_image_transfer(m, run->own, run->n_own);
    (void)transfer_contacts(m, run);
    rsd_checkpoint_write(m, run->solver);
}

/* Write the run with the memory of the model; with room = 0 only their size. */
static resida_status save_run(resida_run *run, const rsd_checkpoint_to *to)
{
    const resida_model *model = run->model;
    resida_message *why = &run->solver->message;
    const int has_own = model->event && model->save, is_lost = model->event && !model->state_is_all && !model->save;
    const char *said =
        is_lost ? "event() of the model may change memory outside of `state` (state_is_all)" : model->said;
    int failed = is_lost || (has_own && model->save(model, NULL, &run->n_own) != 0);
    run->own = rsd_calloc(&run->alloc, (long)run->n_own, 1);
    if (!run->own) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a checkpoint");
    failed = failed || (has_own && to->room > 0 && model->save(model, run->own, &run->n_own) != 0);
    const resida_status status = failed ? rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: the run cannot be saved: %.300s",
                                                   get_model_name(model), said ? said : "save() failed")
                                        : rsd_checkpoint_save(to, write_run, run, why);
    RSD_FREE(&run->alloc, run->own);
    return status;
}

resida_status resida_run_save(resida_run *run, const void *note, size_t note_size, void *bytes, size_t room,
                              size_t *size)
{
    if (!run) return RESIDA_ERR_ARGUMENT;
    resida_message *why = &run->solver->message;
    RSD_TRY(rsd_checkpoint_check_solver(run->solver));
    why->text[0] = 0;
    if (run->left != RSD_PART_NONE || run->has_arrived)
        return rsd_fail(why, RESIDA_ERR_STATE, "a run whose call failed at t = %.9g cannot be saved", run->solver->t);
    if (run->ended) return rsd_fail(why, RESIDA_ERR_STATE, "the model has ended the run, which cannot be saved");
    return save_run(run, &(rsd_checkpoint_to){note, note_size, bytes, room, size});
}

/* Read the data of the model and the time of its next time event. */
static resida_status read_events(rsd_image *m, resida_run *run)
{
    const resida_model *model = run->model;
    resida_model_event event;
    uint64_t size = 0, own = model->event ? model->state_size : 0;
    double t_next = INFINITY;
    RSD_TRY(transfer_model(m, run));
    RSD_TRY(rsd_run_reset(run, &event));
    rsd_image_transfer(m, &t_next, sizeof t_next);
    rsd_image_transfer(m, &size, sizeof size);
    if (size != own)
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint has %llu bytes of the model's state, not %llu",
                        (unsigned long long)size, (unsigned long long)own);
    rsd_image_transfer(m, model->state, (size_t)size);
    rsd_image_transfer(m, &size, sizeof size);
    const int fits = !m->is_short && size <= m->size - m->at;
    if (size > 0 && (!fits || !model->load || model->load(model, m->from + m->at, (size_t)size) != 0))
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "%.60s: the state of the model cannot be loaded: %.300s",
                        get_model_name(model), model->said ? model->said : "load() failed");
    m->at += size;
    RSD_TRY(transfer_contacts(m, run));
    run->t_next = t_next;
    run->ended = 0;
    return RESIDA_OK;
}

resida_status resida_run_load(resida_run *run, const resida_start_options *o, const void *bytes, size_t size)
{
    rsd_image m;
    if (!run) return RESIDA_ERR_ARGUMENT;
    resida_solver *s = run->solver;
    if (s->is_in_call) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    RSD_TRY(rsd_run_set_options(run, o));
    if (s->started)
        return rsd_fail(&s->message, RESIDA_ERR_STATE, "a checkpoint is loaded into a run that has not been started");
    RSD_TRY(rsd_image_read(&m, bytes, size, NULL, NULL, &s->message));
    RSD_TRY(rsd_checkpoint_transfer_kind(&m, "run"));
    RSD_TRY(read_events(&m, run));
    return rsd_checkpoint_read(&m, s, &run->start);
}
