/* run_impl.h - declares the handle of a run and the functions that its files share. */
#ifndef RSD_RUN_IMPL_H
#define RSD_RUN_IMPL_H

#include <resida/impact.h>
#include <resida/run.h>

#include "src/kits/sensitivity/sensitivity.h"

/** Model whose parameter theta differs by delta. Differences of states after an event give the effect of theta. */
typedef struct rsd_perturbed_model {
    const resida_model *model;  /* model with theta + delta */
    double *y, *yp;             /* [run->n], [run->n_yp] state before the event, then after it */
    double *given, *given_rate; /* [run->n], [run->n_yp] derivatives of the start values by theta that the user gave */
    double dt;                  /* derivative of the event time by theta [s per unit of theta] */
    double t_next;              /* time of the next time event of the model [s] */
} rsd_perturbed_model;

enum { RSD_NEVER_OPEN = 2 }; /* value of has_impact: the contact has not opened since the start */

/** Contacts of a model. All pointers are NULL without contacts. */
typedef struct rsd_run_contacts {
    double *y, *p, *pd;            /* [number of unknowns], [n_p] arguments of root functions; [n_p] p' = T v */
    double *phi, *phi_2;           /* [n_root] values or rates of all root functions; [n_root] work space */
    double *rows, *rates, *e;      /* [n x n_p] dphi/dp of the gaps; [n] dphi/dt; [n] restitution, or work space */
    double *push, *selected_push;  /* [n] impulses of all contacts; [n_closed] impulses of the contacts in `closed` */
    const char **names;            /* [n_closed] names of the contacts in `closed` */
    int *closed, n_closed;         /* [n_closed] contacts that take part in the current impact; their number */
    unsigned char *has_impact;     /* [n] 1: the gap has not opened since its impact; 0; or RSD_NEVER_OPEN */
    rsd_unilateral *held;          /* contacts of the problem, if they can stay closed; else NULL */
    void *decided;                 /* [held->decided_size] copy of held->decided from before the event */
    unsigned char *was_closed;     /* [n] 1: closed before the event; a part of `decided` */
    int *was_sliding;              /* [n] signs of sliding speeds before the event; a part of `decided` */
    unsigned char *inelastic;      /* [n] 1: the impact is computed without restitution, because the contact closes */
    resida_contact_change *change; /* [n] change of each contact at the last event */
    int *releases;                 /* [n] number of times that the force became zero since the contact closed */
    double *speeds;                /* [n_l] velocity constraints G v + gI, Gh v + gh */
    double *slides, *slide_rates, *selected_mu; /* [n_closed x n_v] sliding rows; [n_closed] rates; friction */
    int was_impact;                             /* 1: the last event was an impact */
    double energy_change;                       /* energy change in the last impact [J] */
} rsd_run_contacts;

/** Model of the run or a changed model, and the state at which it is evaluated. */
typedef struct rsd_model_state {
    struct resida_run *run;         /* the run */
    const resida_model_contacts *c; /* contacts of the model */
    rsd_guard *guard;               /* guard that evaluates the model */
    double t;                       /* time of the state [s] */
    const double *p, *v;            /* [n_p] positions; [n_v] velocities */
} rsd_model_state;

/** The stages of an event, in the order in which resida_run_advance() performs them. If a stage fails, the next call
 *  repeats this stage and performs the stages after it. */
typedef enum rsd_event_part {
    RSD_PART_NONE,         /* no event is being processed */
    RSD_PART_EVENT,        /* event() of the model */
    RSD_PART_PERTURBED,    /* event() of the perturbed models */
    RSD_PART_IMPACT,       /* impact of closing contacts */
    RSD_PART_START,        /* restart of the solver */
    RSD_PART_SENSITIVITIES /* restart of the sensitivities */
} rsd_event_part;

struct resida_run {
    void *own; /* [n_own] bytes of save() of the model, while the run is saved */
    size_t n_own;
    rsd_owner owner;              /* owner of all memory except the handle itself */
    resida_allocator alloc;       /* allocator whose blocks `owner` frees */
    const resida_model *model;    /* the model, borrowed */
    resida_solver *solver;        /* the solver, borrowed */
    resida_start_options start;   /* options of all later starts */
    int n, n_yp;                  /* sizes of y and yp in calls of event() */
    double *y, *yp;               /* [n], [n_yp] state at the event */
    double *y_before, *yp_before; /* [n], [n_yp] state before the event */
    resida_happening last;        /* last event of resida_run_advance() */
    int is_last;                  /* 1: `last` is valid */
    int *direction;               /* [n_root] signs of the crossings at the event; 0: no crossing */
    double *roots;                /* [n_root] work space for root functions */
    double *outputs;              /* [n_outputs] outputs of the model before the event */
    resida_status arrived;        /* status with which the solver has reached the current time */
    int has_arrived;              /* 1: the check for events at the current time is not complete; a call repeats it */
    resida_model_event event;     /* last event */
    rsd_event_part left;          /* first stage of the event that is not yet complete */
    int n_asked;                  /* number of perturbed models whose event() has been called */
    double t_next;                /* [s] time of the next time event */
    int is_again;                 /* 1: event() is called again at the current time before the run advances */
    int n_passed;                 /* number of breakpoints of the model that were passed */
    int ended;                    /* 1: the model ended the run */
    resida_message why_ended;     /* reason that the model gave, or "" */
    rsd_run_contacts contacts;    /* contacts of the model */
    int n_moved;                  /* number of perturbed models */
    rsd_owner moved_owner;        /* owner of the perturbed models */
    rsd_perturbed_model *moved;   /* [n_moved] perturbed model of each sensitivity; NULL: none */
    long moved_for;               /* value of solver->sensitivities_set at the time when `moved` was set */
};

/** Copy the start values of a model into y [n], yp [n_yp]. */
void rsd_run_copy_start_values(const resida_run *run, const resida_model *model, double *y, double *yp);

/** Set the options of all later starts. NULL means defaults. Return RESIDA_OK, RESIDA_ERR_ARGUMENT or
 *  RESIDA_ERR_OPTION. On an error the options do not change. */
resida_status rsd_run_set_options(resida_run *run, const resida_start_options *o);

/** Reset the run to the start values of the model, and call event() at the start. Return a status. */
resida_status rsd_run_reset(resida_run *run, resida_model_event *event);

/** Call event() of a model. Return RESIDA_OK, or RESIDA_ERR_USER with the solver's message. */
resida_status rsd_run_call_event(resida_run *run, const resida_model *model, resida_model_event *event);

/** Call event() of the perturbed models at the start, and compute initial sensitivities from the differences. */
resida_status rsd_run_start_perturbed(resida_run *run, const resida_model_event *event);

/** The perturbed models at an event. The first function sets the state of model i just before the event. The second
 *  computes the derivatives dt of the event time before event() is called. The third calls event() of the models. The
 *  last restarts the sensitivities at t. run->y, run->yp contain the state before the event, later that after it. */
void rsd_run_perturb_state(resida_run *run, int i);
resida_status rsd_run_find_time_sensitivity(resida_run *run, const resida_model_event *event);
resida_status rsd_run_call_perturbed_events(resida_run *run, const resida_model_event *event);
resida_status rsd_run_restart_sensitivities(resida_run *run, double t);

/** @name run_contacts.c. These functions do nothing for a model without contacts.
 *  @{ */
resida_status rsd_run_create_contacts(resida_run *run);

/** Compute the impact of the contacts that close at the event, unless event() has changed the state. Update run->yp and
 *  the perturbed states, and set event->changed. */
resida_status rsd_run_compute_impact(resida_run *run, resida_model_event *event);

/** Reset all contacts to open, and check their constraints at the start run->y, run->yp. Return RESIDA_OK, or
 *  RESIDA_ERR_MODEL if the constraint of a contact differs from its gap. */
resida_status rsd_run_reset_contacts(resida_run *run);

/** Save the contact states before a restart, restore them if the restart fails, or record their changes after it. */
void rsd_run_save_contacts(resida_run *run);
void rsd_run_restore_contacts(resida_run *run);
void rsd_run_record_changes(resida_run *run);

/** Return 1 if a gap phi at time t with the rate w closes within rounding of t, and therefore takes part in an impact
 *  at t. */
int rsd_run_closes_at_once(const resida_run *run, double t, double phi, double w);

/** Compute the impact again without restitution for contacts that the restart has closed although they rebounded.
 *  Update run->yp, and restore the contact states. *repeated = 1: the restart must be repeated. */
resida_status rsd_run_repeat_impact(resida_run *run, double t, int *repeated);

/** @name run_held.c, contacts that are constraints while they are closed
 *  @{ */
/** Set x->rows = dphi/dp and x->rates = dphi/dt of the gaps, and x->speeds. Return 0, or nonzero on an error. */
int rsd_run_compute_gap_rows(const rsd_model_state *a);

/** Compute the tolerances of gaps and sliding speeds from those of p and v, after rsd_run_compute_gap_rows(). */
void rsd_run_set_gap_tolerances(const rsd_model_state *a);

/** Set friction, sliding row and its rate in entry k to those of contact i. Call rsd_run_compute_gap_rows() before. */
void rsd_run_set_sliding_row(const rsd_model_state *a, int k, int i);

/** Increase the force tolerance of closed contacts whose root functions are zero. The tolerance grows each time the
 *  force becomes zero and the contact stays closed, because lam is then less accurate than assumed. */
void rsd_run_update_min_forces(const rsd_model_state *a, const int *direction);

/** Check closed contacts at the state of the last call of the root functions. Return RESIDA_OK, or
 *  RESIDA_ERR_INCONSISTENT if a contact pulls or violates its friction law and no event was detected. */
resida_status rsd_run_check_closed(const resida_run *run, const resida_state *at);
/** @} */

/** Warn about contacts that penetrate at the start. Such contacts have no impact until they open. Call
 *  rsd_run_check_contacts() before, which refuses contacts whose gap still decreases. */
void rsd_run_warn_of_penetration(resida_run *run);

/** Check the gaps at the current state. A contact that does not open after an impact ends the run. Return RESIDA_OK, or
 *  RESIDA_ERR_INCONSISTENT if the closing of a contact was missed. */
resida_status rsd_run_check_contacts(resida_run *run);
/** @} */

#endif
