/* run_impl.h - the state of a run, and the functions that its files share. */
#ifndef RSD_RUN_IMPL_H
#define RSD_RUN_IMPL_H

#include <resida/impact.h>
#include <resida/run.h>

#include "src/kits/sensitivity/sensitivity.h"

/** A model with one parameter theta moved by delta, to difference the effect of events. n, n_yp: sizes of the run. */
typedef struct rsd_moved {
    const resida_model *model;  /* with theta + delta */
    double *y, *yp;             /* its state after the event */
    double *given, *given_rate; /* derivatives by theta of the start as the user gave them */
    double dt;                  /* [s/theta] derivative of the time of the event */
    double t_next;              /* [s] time of its next event by time */
} rsd_moved;

/** Contacts declared by the model; all NULL if there are none. n is their number. */
typedef struct rsd_run_contacts {
    double *y, *p, *pd;                     /* [n of the problem], [n_p] scratch; T v */
    double *phi, *phi_2;                    /* [n_root] scratch */
    double *rows, *rates, *e;               /* [n x n_p] dphi/dp, [n] dphi/dt; [n] restitution, or scratch */
    double *some, *some_rates;              /* the same for the contacts in `closed` */
    double *push, *some_push;               /* [n] impulses of all contacts; of those in `closed` */
    const char **names;                     /* [n] of those in `closed` */
    int *closed, n_closed;                  /* [n] indices of the contacts in the present impact; their number */
    unsigned char *struck;                  /* [n] 1: it had an impact and its gap has not opened since */
    rsd_unilateral *held;                   /* in the solver's problem; NULL: closed contacts are not constraints */
    void *decided;                          /* [held->decided_size] states of contacts before the event */
    unsigned char *was_closed;              /* [n] the flags `closed` in it */
    int *slid;                              /* [n] the directions of sliding in it */
    unsigned char *inelastic;               /* [n] 1: impact without restitution, because it closes */
    resida_contact_change *change;          /* [n] change of each contact at the last event */
    int *releases;                          /* [n] events since it was last open at which its force reached zero */
    double *speeds;                         /* [n_l] residual of the velocity level, evaluated with the rows */
    double *slides, *slide_rates, *some_mu; /* of those in `closed`: rows and rates of sliding, friction */
    int pushes;                             /* 1: the last event was an impact */
    double energy_change;                   /* [J] in the last impact */
} rsd_run_contacts;

/** The model that is evaluated, the run's own or a moved one, and the state at which it is evaluated. */
typedef struct rsd_asked {
    struct resida_run *run;
    const resida_model_contacts *c;
    rsd_guard *guard;
    double t;
    const double *p, *v;
} rsd_asked;

/** The parts of an event in their order: the answer of the model, the answers of the moved models, the impact, the
 *  start after the event, and what follows that start. If a part fails, the next call repeats that part first. */
typedef enum rsd_event_part {
    RSD_PART_NONE,
    RSD_PART_ASK,
    RSD_PART_MOVED,
    RSD_PART_IMPACT,
    RSD_PART_START,
    RSD_PART_BEHIND
} rsd_event_part;

struct resida_run {
    rsd_owner owner; /* owns all memory except the handle itself */
    resida_allocator alloc;
    const resida_model *model;
    resida_solver *solver;
    resida_start_options start;
    int n, n_yp;                  /* sizes of y, yp as passed to event() */
    double *y, *yp;               /* [n], [n_yp] state at the event */
    double *y_before, *yp_before; /* [n], [n_yp] state before the event */
    resida_happening last;        /* event of the present advance */
    int is_last;                  /* 1: it exists */
    int *direction;               /* [n_root] signs of the crossings */
    double *roots;                /* [n_root] scratch */
    double *outputs;              /* [n_outputs] outputs of the model before the event */
    resida_status arrived;        /* status of the solver at the time reached */
    int has_arrived;              /* 1: a check at this time has failed and the next call repeats it */
    resida_model_event event;     /* last event */
    rsd_event_part left;          /* first part that is not done */
    int n_asked;                  /* number of moved models that have answered */
    double t_next;                /* [s] time of the next event by time */
    double t_stop;                /* [s] stop time that the user gave to the solver */
    int n_passed;                 /* number of breakpoints of the model that were passed */
    int ended;                    /* 1: the model ended the run */
    resida_message why_ended;     /* explanation, or "" */
    rsd_run_contacts contacts;
    int n_moved;
    rsd_owner moved_owner;
    rsd_moved *moved; /* [n_moved] one for each sensitivity; NULL: none */
    long moved_for;   /* value of solver->sensitivities_set for which they were set */
};

/** Copy the start values of a model into y [n], yp [n_yp]. */
void rsd_run_take_start(const resida_run *run, const resida_model *model, double *y, double *yp);

/** Set the options of all later starts; NULL means defaults. Return RESIDA_OK, or RESIDA_ERR_ARGUMENT or
 *  RESIDA_ERR_OPTION, in which case the old options stay. */
resida_status rsd_run_take_options(resida_run *run, const resida_start_options *o);

/** Reset the run, copy the start values of the model to run->y, run->yp, and call event() there. Return a status. */
resida_status rsd_run_begin(resida_run *run, resida_model_event *event);

/** Call event() of a model. Return RESIDA_OK, or RESIDA_ERR_USER with the solver's message. */
resida_status rsd_run_ask(resida_run *run, const resida_model *model, resida_model_event *event);

/** Call the moved models at the start. Derive the initial sensitivities from the differences between the starts. */
resida_status rsd_run_moved_start(resida_run *run, const resida_model_event *event);

/** The state of a moved model at an event, in four calls: set the state of moved model i just before the event; find
 *  the derivatives dt of the time of the event, before event(); call event() of the moved models; and restart the
 *  sensitivities at t after the start. run->y, run->yp are the state before the event, then after it. */
void rsd_run_move_state(resida_run *run, int i);
resida_status rsd_run_moved_before(resida_run *run, const resida_model_event *event);
resida_status rsd_run_moved_ask(resida_run *run, const resida_model_event *event);
resida_status rsd_run_moved_behind(resida_run *run, double t);

/** @name run_contacts.c. These functions do nothing for a model without contacts.
 *  @{ */
resida_status rsd_run_make_contacts(resida_run *run);

/** Compute the impact of contacts that close at an event whose state the model has not changed. Update run->yp and the
 *  moved states, and set event->changed. */
resida_status rsd_run_rebound(resida_run *run, resida_model_event *event);

/** Reset all contacts to open, and check their constraints at the start run->y, run->yp. Return RESIDA_OK, or
 *  RESIDA_ERR_MODEL if the constraint of a contact differs from its gap. */
resida_status rsd_run_begin_contacts(resida_run *run);

/** Save the states of contacts before a start at an event; restore them if the start fails, else record the changes. */
void rsd_run_before_start(resida_run *run);
void rsd_run_failed_start(resida_run *run);
void rsd_run_behind_start(resida_run *run);

/** Repeat the impact without restitution for contacts that rebounded but were closed by the start that follows. Update
 *  run->yp, and restore the states of contacts from before that start. *repeated: the start is to be repeated. */
resida_status rsd_run_repeat_impact(resida_run *run, double t, int *repeated);

/** @name run_held.c, contacts that are constraints while they are closed
 *  @{ */
/** Set rows = dphi/dp [n x n_p], and in the run dphi/dt [n] and the velocity level. Return 0 or an error. */
int rsd_held_rows(const rsd_asked *a, double *rows);

/** Derive tolerances of gaps and sliding speeds from those of p and v. Call rsd_held_rows() before. */
void rsd_held_tolerances(const rsd_asked *a);

/** Set entry k of friction, sliding rows and their rates to those of contact i. Call rsd_held_rows() before. */
void rsd_held_sliding(const rsd_asked *a, int k, int i);

/** Set the force tolerances of closed contacts whose root functions have reached zero. The tolerance grows each time
 *  the force reaches zero and the contact stays closed, because lam is then less accurate. */
void rsd_held_min_forces(const rsd_asked *a, const int *direction);

/** Check closed contacts at the state of the last evaluation of the root functions. Return RESIDA_OK, or
 *  RESIDA_ERR_INCONSISTENT if a contact pulls or violates its friction law and no event was detected. */
resida_status rsd_held_check(const resida_run *run, const resida_state *at);
/** @} */

/** Warn about contacts that penetrate at the start. They have no impact before they open. Call
 *  rsd_run_look_at_contacts() before, which refuses contacts whose gap still decreases. */
void rsd_run_warn_of_closed(resida_run *run);

/** Check the gaps at the state reached. A contact that stays closed after an impact ends the run. Return RESIDA_OK, or
 *  RESIDA_ERR_INCONSISTENT if the closing of a contact was missed. */
resida_status rsd_run_look_at_contacts(resida_run *run);
/** @} */

#endif
