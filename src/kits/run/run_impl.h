/* run_impl.h - what a run keeps, and what sensitivities have to do with its events. */
#ifndef RSD_RUN_IMPL_H
#define RSD_RUN_IMPL_H

#include <resida/impact.h>
#include <resida/run.h>

#include "src/kits/sensitivity/sensitivity.h"

/** What an event does, differenced. One parameter each; all arrays of the run's sizes n, n_yp. */
typedef struct rsd_moved {
    const resida_model *model;  /* with theta + delta */
    double *y, *yp;             /* its state, behind the event */
    double *given, *given_rate; /* what the start depends on besides: as the user gave it */
    double dt;                  /* dt_event/dtheta */
    double t_next;              /* of its next event by time */
} rsd_moved;

/** Contacts of the model. NULL without. */
typedef struct rsd_run_contacts {
    double *y, *p, *pd;                     /* [n of the problem], [n_p] work; T v */
    double *phi, *phi_2;                    /* [n_root] */
    double *rows, *rates, *e;               /* [n x n_p], [n]: dphi/dp, dphi/dt; e [n] work */
    double *some, *some_rates;              /* the same of those that are closed */
    double *push, *some_push;               /* [n] impulses of all; of the closed ones */
    const char **names;                     /* [n] of the closed ones */
    int *closed, n_closed;                  /* [n] */
    unsigned char *struck;                  /* [n] 1: there was an impact, and the gap has not been open since */
    rsd_unilateral *held;                   /* of the solver's problem; NULL: they do not hold */
    void *decided;                          /* [held->decided_size] of contacts that hold, before the event */
    unsigned char *was_closed;              /* [n] of that */
    int *slid;                              /* [n] likewise */
    unsigned char *inelastic;               /* [n] 1: struck without restitution, because it closes */
    resida_contact_change *change;          /* [n] what the last event made of them */
    int *releases;                          /* [n] times that its force has come to zero since it was open last */
    double *speeds;                         /* [n_l] of the velocity level, as the rows were found */
    double *slides, *slide_rates, *some_mu; /* [n x n_v], [n] of the closed ones: rows and rates of sliding, friction */
    int pushes;                             /* the last event was an impact */
    double energy_change;                   /* of the last impact */
} rsd_run_contacts;

/** Who is asked: the model, or one that is moved. */
typedef struct rsd_asked {
    struct resida_run *run;
    const resida_model_contacts *c;
    rsd_guard *guard;
    double t;
    const double *p, *v;
} rsd_asked;

/** Parts of an event, in their order: the model's answer, those of the moved models, impacts, the start after it, and
 *  what begins there. The next call begins with the part that has failed. */
typedef enum rsd_event_part {
    RSD_PART_NONE,
    RSD_PART_ASK,
    RSD_PART_MOVED,
    RSD_PART_IMPACT,
    RSD_PART_START,
    RSD_PART_BEHIND
} rsd_event_part;

struct resida_run {
    rsd_owner owner; /* of all memory but the handle itself */
    resida_allocator alloc;
    const resida_model *model;
    resida_solver *solver;
    resida_start_options start;
    int n, n_yp;                  /* of y, yp as events have them */
    double *y, *yp;               /* [n], [n_yp] */
    double *y_before, *yp_before; /* [n], [n_yp] what the model was asked with last */
    resida_happening last;        /* the event of this advance */
    int is_last;                  /* there was one */
    int *direction;               /* [n_root] */
    double *roots;                /* [n_root] */
    double *outputs;              /* [n_outputs] of the model before the event */
    resida_status arrived;        /* where the solver has come to, and what is there is not known yet */
    int has_arrived;              /* 1: that waits for the next call, because a look at the state has failed */
    resida_model_event event;     /* the last one */
    rsd_event_part left;          /* of it, for the next call: what has failed, as without memory, and all after it */
    int n_asked;                  /* moved models that have answered */
    double t_next;                /* of the next event by time */
    double t_stop;                /* the solver's own */
    int n_passed;                 /* breakpoints of the model */
    int ended;                    /* the model ended it */
    resida_message why_ended;     /* more about that, or "" */
    rsd_run_contacts contacts;
    int n_moved;
    rsd_owner moved_owner;
    rsd_moved *moved; /* [n_moved] by it, for the solver's sensitivities; NULL: none */
    long moved_for;   /* those that were set then, by their count */
};

/** Where a model of the run's kind starts, into y [n], yp [n_yp]. */
void rsd_run_take_start(const resida_run *run, const resida_model *model, double *y, double *yp);

/** Options of all starts from now on, NULL: defaults. RESIDA_ERR_ARGUMENT, _OPTION: those before stay. */
resida_status rsd_run_take_options(resida_run *run, const resida_start_options *o);

/** The model is asked what there is at its start, y and yp of which are in the run then. As ask(). */
resida_status rsd_run_begin(resida_run *run, resida_model_event *event);

/** The model's answer to an event, as resida_model_happens(), with words where it fails. */
resida_status rsd_run_ask(resida_run *run, const resida_model *model, resida_model_event *event);

/** The moved models at the start: the solver's sensitivities begin with what these starts differ by. */
resida_status rsd_run_moved_start(resida_run *run, const resida_model_event *event);

/** Before and after the model was asked, and after the solver was started behind the event. run->y, run->yp are the
 *  state before the event, behind it, and again. And the state of moved model i at the event, before it was asked. */
void rsd_run_move_state(resida_run *run, int i);
resida_status rsd_run_moved_before(resida_run *run, const resida_model_event *event);
resida_status rsd_run_moved_ask(resida_run *run, const resida_model_event *event);
resida_status rsd_run_moved_behind(resida_run *run, double t);

/** @name run_contacts.c, nothing for models without contacts
 *  @{ */
resida_status rsd_run_make_contacts(resida_run *run);

/** At an event that the model itself has not answered by a change: the impact of contacts that close, on run->yp and
 *  the moved ones; event->changed is set. */
resida_status rsd_run_rebound(resida_run *run, resida_model_event *event);

/** Before a run: no contact is closed. RESIDA_ERR_MODEL: a constraint of one that holds is not its gap. run->y, run->yp
 *  are the start. */
resida_status rsd_run_begin_contacts(resida_run *run);

/** Before and behind a start at an event, which may have failed: what became of contacts that hold. */
void rsd_run_before_start(resida_run *run);
void rsd_run_failed_start(resida_run *run);
void rsd_run_behind_start(resida_run *run);

/** Behind a start that closes contacts which rebound by their restitution: the impact without it, on run->yp, and the
 *  states of contacts as before that start. *repeated 1: start again; 0: there are none. */
resida_status rsd_run_repeat_impact(resida_run *run, double t, int *repeated);

/** @name run_held.c, of contacts that hold
 *  @{ */
/** Rows dphi/dp [n x n_p] from their constraints, and into the run dphi/dt [n] and the velocity level. The verdict */
int rsd_held_rows(const rsd_asked *a, double *rows);

/** Tolerances of gaps and of speeds of sliding from those of positions and velocities, behind rsd_held_rows(). */
void rsd_held_tolerances(const rsd_asked *a);

/** Friction, row and rate of sliding of contact i as those of the k-th closed one, behind rsd_held_rows(). */
void rsd_held_sliding(const rsd_asked *a, int k, int i);

/** Of closed contacts whose root functions have come to zero: the tolerances of their forces. Where one comes to zero
 *  once more and stays as it is, lam is less exact than that. */
void rsd_held_min_forces(const rsd_asked *a, const int *direction);

/** At a state at which the root functions were evaluated last: RESIDA_ERR_INCONSISTENT: a closed contact pulls, or has
 *  a force of friction that its state does not allow, and no event has said so. */
resida_status rsd_held_check(const resida_run *run, const resida_state *at);
/** @} */

/** Warn of a contact that the start has closed, after rsd_run_look_at_contacts(), which refuses one that closes on: one
 *  that opens has no impact. */
void rsd_run_warn_of_closed(resida_run *run);

/** At the state reached: a contact that stays closed ends the run; one that has been closed unseen is a failure. */
resida_status rsd_run_look_at_contacts(resida_run *run);
/** @} */

#endif
