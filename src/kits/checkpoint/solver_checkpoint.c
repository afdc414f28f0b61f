/* solver_checkpoint.c - saves the state of a solver as bytes, and starts a solver from them. resida/checkpoint.h
 * describes the properties of a checkpoint and their reasons.
 *
 * IDA has no functions to export or import its history, and J, its factors, patterns and the data of the iteration are
 * spread over many modules. These data are not saved. A solver that loads a checkpoint starts at the saved state, as
 * after an event. Therefore only the state, the counters, and the data of budgets and of bursts of events are saved. */
#include "solver_checkpoint.h"

#include <resida/checkpoint.h>

#include <math.h>
#include <string.h>

#define MAX_NOTE (SIZE_MAX / 4) /* maximum size of a note, without overflow of size_t */

/* The data of a solver except the state y, yp. The data contain no pointers and are written as one block. */
typedef struct progress {
    double t, t_first;                                                       /* time; time of the first start [s] */
    rsd_event_burst burst;                                                   /* last events at nearly the same time */
    long starts, events;                                                     /* number of starts; number of events */
    long all_calls, calls[RSD_N_CAUSES], root_calls, nonfinite, recoverable; /* counters of rsd_guard */
    long callbacks[RSD_N_CALLBACKS];                                         /* number of calls of each callback */
    resida_stats before;                   /* statistics of the run so far; all pointers are NULL */
    int n_warnings;                        /* number of warnings */
    unsigned char is_given[RSD_N_CLAIMS];  /* 1: a warning of this kind was given */
    resida_message warnings[RSD_N_CLAIMS]; /* [n_warnings] texts of the warnings */
} progress;

/* --- The identity of solver and problem --- */

/* Return 1 if an option of the checkpoint may differ: it only ends a run, does not change results, or is a pointer. */
static int is_option_ignored(const rsd_option *o)
{
    static const char *const free_ones[] = {"t_stop", "max_steps", "max_residuals", "time_limit_s", "threads"};
    for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
        if (strcmp(o->about.name, free_ones[i]) == 0) return 1;
    return o->kind == RSD_POINTER;
}

/* Write the options, or check that they equal the options of the image. The first difference is an error. */
static resida_status transfer_options(rsd_image *m, const rsd_options *table, const void *options)
{
    char text[RSD_OPTION_VALUE], read[RSD_IMAGE_WORD];
    for (int i = 0; i < table->n; i++) {
        const rsd_option *o = &table->lines[i];
        if (is_option_ignored(o)) continue;
        rsd_option_format_value(o, options, text);
        if (!rsd_image_transfer_word(m, text, read) && m->from)
            return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint was made with %s = %.60s, not %s",
                            o->about.name, read, text);
    }
    return RESIDA_OK;
}

resida_status rsd_checkpoint_transfer_array(rsd_image *m, const char *name, const double *each, int n)
{
    char there[RSD_OPTION_VALUE], here[RSD_OPTION_VALUE];
    for (int i = 0; i < n; i++) {
        double x = each[i];
        rsd_image_transfer(m, &x, sizeof x);
        if (!m->from || x == each[i]) continue;
        rsd_format_number(x, there), rsd_format_number(each[i], here);
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint was made with %s[%d] = %s, not %s", name, i, there,
                        here);
    }
    return RESIDA_OK;
}

static resida_status transfer_sizes(rsd_image *m, const resida_problem *q)
{
    const resida_layout *l = &q->layout;
    const struct {
        const char *name;
        int value;
    } sizes[] = {{"n", l->n},     {"n_p", l->n_p}, {"n_v", l->n_v}, {"n_z", l->n_z},
                 {"n_g", l->n_g}, {"n_h", l->n_h}, {"n_u", l->n_u}, {"n_k", l->n_k}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int value = sizes[i].value;
        rsd_image_transfer(m, &value, sizeof value);
        if (m->from && value != sizes[i].value)
            return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint is of a problem with %s = %d, this one has %d",
                            sizes[i].name, value, sizes[i].value);
    }
    return RESIDA_OK;
}

/* Write model sizes, form and options, or check that they equal the identity in the image. */
static resida_status transfer_identity(rsd_image *m, const resida_solver *s)
{
    char read[RSD_IMAGE_WORD];
    const resida_problem *q = s->problem;
    const int has_each = s->o.rtol_each != NULL;
    int each = has_each;
    if (!rsd_image_transfer_word(m, resida_problem_form(q), read) && m->from)
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint is of form %.40s, the problem of form %s", read,
                        resida_problem_form(q));
    RSD_TRY(transfer_sizes(m, q));
    if (q->mechanism) RSD_TRY(transfer_options(m, &rsd_problem_table, &q->o));
    RSD_TRY(transfer_options(m, &rsd_solver_table, &s->o));
    rsd_image_transfer(m, &each, sizeof each);
    if (each != has_each)
        return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint was made with%s rtol_each", each ? "" : "out");
    if (has_each) RSD_TRY(rsd_checkpoint_transfer_array(m, "rtol_each", s->rtol_each, q->layout.n));
    return rsd_checkpoint_transfer_array(m, "atol_each", s->atol_each, q->layout.n);
}

/* --- Progress --- */

/* Copy the counters of the solver to x, or back to the solver if to_solver is 1. */
static void copy_counts(resida_solver *s, progress *x, int to_solver)
{
    const struct {
        void *own, *kept;
        size_t size;
    } parts[] = {{&s->guard.all_calls, &x->all_calls, sizeof x->all_calls},
                 {s->guard.calls, x->calls, sizeof x->calls},
                 {&s->guard.root_calls, &x->root_calls, sizeof x->root_calls},
                 {&s->guard.nonfinite, &x->nonfinite, sizeof x->nonfinite},
                 {&s->guard.recoverable, &x->recoverable, sizeof x->recoverable},
                 {s->guard.tally.calls, x->callbacks, sizeof x->callbacks},
                 {&s->warnings.n, &x->n_warnings, sizeof x->n_warnings},
                 {s->warnings.is_given, x->is_given, sizeof x->is_given},
                 {s->warnings.text, x->warnings, sizeof x->warnings}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        memcpy(to_solver ? parts[i].own : parts[i].kept, to_solver ? parts[i].kept : parts[i].own, parts[i].size);
}

static void collect_progress(resida_solver *s, progress *x)
{
    memset(x, 0, sizeof *x);
    x->before.size = sizeof x->before;
    (void)resida_solver_stats(s, &x->before);
    x->before.dropped_rows = x->before.jacobian = x->before.jacobian_reason = x->before.linear_solver = NULL;
    x->before.warnings = x->before.hints = NULL;
    x->t = s->t;
    x->t_first = s->t_first;
    x->burst = s->burst;
    x->starts = s->starts;
    x->events = s->events;
    copy_counts(s, x, 0);
}

static void apply_counts(resida_solver *s, progress *x)
{
    copy_counts(s, x, 1);
    s->guard.steps_before = x->before.steps;
    s->before = x->before;
    for (int i = 0; i < s->warnings.n; i++) s->warnings.line[i] = s->warnings.text[i].text;
}

/* --- The complete state --- */

resida_status rsd_checkpoint_transfer_kind(rsd_image *m, const char *kind)
{
    char read[RSD_IMAGE_WORD];
    if (rsd_image_transfer_word(m, kind, read) || !m->from) return RESIDA_OK;
    return rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the checkpoint is of a %.20s, not of a %s", read, kind);
}

resida_status rsd_checkpoint_check_solver(resida_solver *s)
{
    if (s->is_in_call) return RESIDA_ERR_STATE; /* the message belongs to the call that is running */
    if (!s->started) return rsd_fail(&s->message, RESIDA_ERR_STATE, "checkpoint before start");
    if (s->measure.values)
        return rsd_fail(&s->message, RESIDA_ERR_OPTION,
                        "call_cost = measured: such a run is not repeatable and has no checkpoints");
    if (s->o.profile)
        return rsd_fail(&s->message, RESIDA_ERR_OPTION, "profile = 1: a checkpoint does not contain times");
    if (s->carried) return rsd_fail(&s->message, RESIDA_ERR_OPTION, "a checkpoint does not contain sensitivities");
    return RESIDA_OK;
}

void rsd_checkpoint_write(rsd_image *m, resida_solver *s)
{
    progress x;
    const resida_layout *l = &s->problem->layout;
    resida_state state;
    (void)transfer_identity(m, s);
    collect_progress(s, &x);
    rsd_image_transfer(m, &x, sizeof x);
    (void)resida_solver_state(s, &state);
    const int is_dae = !s->problem->mechanism;
    /* a writer does not change the data */
    rsd_image_transfer(m, (void *)(uintptr_t)(is_dae ? state.y : state.p),
                       sizeof(double) * (size_t)(is_dae ? l->n : l->n_p));
    rsd_image_transfer(m, (void *)(uintptr_t)(is_dae ? state.yp : state.v),
                       sizeof(double) * (size_t)(is_dae ? l->n : l->n_v));
}

static resida_status start_at_saved_state(resida_solver *s, progress *x, const double *y, const double *yp,
                                          const resida_start_options *o)
{
    progress fresh;
    collect_progress(s, &fresh);
    apply_counts(s, x);
    resida_status status =
        s->problem->mechanism ? resida_solver_start(s, x->t, y, yp, o, NULL) : resida_solver_start_dae(s, x->t, y, yp);
    if (status < 0) {
        apply_counts(s, &fresh);
        return status;
    }
    s->t_first = x->t_first;
    s->burst = x->burst;
    s->starts = x->starts;
    s->events = x->events;
    return status;
}

resida_status rsd_checkpoint_read(rsd_image *m, resida_solver *s, const resida_start_options *o)
{
    progress x;
    const resida_layout *l = &s->problem->layout;
    const int is_dae = !s->problem->mechanism, n_y = is_dae ? l->n : l->n_p, n_yp = is_dae ? l->n : l->n_v;
    if (s->started)
        return rsd_fail(m->why, RESIDA_ERR_STATE, "a checkpoint is loaded into a solver that has not been started");
    RSD_TRY(transfer_identity(m, s));
    rsd_image_transfer(m, &x, sizeof x);
    double *y = rsd_doubles(&s->alloc, n_y), *yp = rsd_doubles(&s->alloc, n_yp);
    resida_status status = RESIDA_OK;
    if (!y || !yp)
        status = rsd_fail(m->why, RESIDA_ERR_MEMORY, "no memory for the state of a checkpoint");
    else {
        rsd_image_transfer(m, y, sizeof *y * (size_t)n_y);
        rsd_image_transfer(m, yp, sizeof *yp * (size_t)n_yp);
        if (m->is_short || x.n_warnings < 0 || x.n_warnings > RSD_N_CLAIMS)
            status = rsd_fail(m->why, RESIDA_ERR_ARGUMENT, "the state of the checkpoint is damaged");
    }
    if (status >= 0) status = start_at_saved_state(s, &x, y, yp, o);
    RSD_FREE(&s->alloc, y, yp);
    return status;
}

resida_status rsd_checkpoint_save(const rsd_checkpoint_to *to, rsd_checkpoint_fn *write, void *self,
                                  resida_message *why)
{
    if (!to->size) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "checkpoint: size is NULL");
    if (!to->note && to->note_size > 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "checkpoint: note is NULL");
    if (to->note_size > MAX_NOTE)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "checkpoint: note_size = %zu is too large", to->note_size);
    if (!to->bytes && to->room > 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "checkpoint: bytes is NULL");
    rsd_image count = rsd_image_write(NULL, 0, to->note, to->note_size);
    write(&count, self);
    rsd_image_close(&count);
    *to->size = count.at;
    if (to->room == 0) return RESIDA_OK;
    if (to->room < count.at)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "checkpoint: room for %zu bytes, %zu are needed", to->room, count.at);
    rsd_image m = rsd_image_write(to->bytes, count.at, to->note, to->note_size);
    write(&m, self);
    rsd_image_close(&m);
    return RESIDA_OK;
}

static void write_solver(rsd_image *m, void *self)
{
    (void)rsd_checkpoint_transfer_kind(m, "solver");
    rsd_checkpoint_write(m, self);
}

resida_status resida_solver_save(resida_solver *s, const void *note, size_t note_size, void *bytes, size_t room,
                                 size_t *size)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_checkpoint_check_solver(s));
    if (s->problem->contacts.given.n > 0)
        return rsd_fail(&s->message, RESIDA_ERR_MODEL,
                        "contacts that hold need a checkpoint of their run, resida_run_save()");
    s->message.text[0] = 0;
    return rsd_checkpoint_save(&(rsd_checkpoint_to){note, note_size, bytes, room, size}, write_solver, s, &s->message);
}

resida_status resida_solver_load(resida_solver *s, const resida_start_options *o, const void *bytes, size_t size)
{
    rsd_image m;
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (s->is_in_call) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    RSD_TRY(rsd_image_read(&m, bytes, size, NULL, NULL, &s->message));
    RSD_TRY(rsd_checkpoint_transfer_kind(&m, "solver"));
    return rsd_checkpoint_read(&m, s, o);
}
