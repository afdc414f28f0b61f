/* unilateral.h - contacts that can stay closed: rows of G that are active while their forces push
 * (resida/contact.h). */
#ifndef RSD_UNILATERAL_H
#define RSD_UNILATERAL_H

#include <resida/contact.h>

#include "mechanism_impl.h"

/** The contacts of a mechanism that can stay closed. */
typedef struct rsd_unilateral {
    resida_model_contacts given; /* n = 0: there are no such contacts */
    int *row;                    /* [n] their rows of G */
    int *row_t;                  /* [n] with friction: their rows of Gh, as indices of lam; NULL: no friction */
    double *lam;                 /* [n_l] of closed contacts, by the decision of the last start */
    double *speeds;              /* [n_h] work */
    void *decided;               /* [decided_size] block with the following members, the decisions of starts */
    size_t decided_size;
    int *slides;             /* [n] sign of the sliding speed of a closed contact; 0: it sticks */
    unsigned char *closed;   /* [n] 1: closed since the last start, the row is active */
    double *tolerance;       /* [n] of the gap, set by a run; else 0 */
    double *slide_tolerance; /* [n] of the sliding speed, set by a run; else 0 */
    double *slide_margin;    /* [n] allowed sliding speed of the wrong sign when a contact begins to slip */
    double *loosened;        /* [n] reduction of mu for the decision, after |T| has reached mu N; else 0 */
    double *margin;          /* [n] allowed negative gap of an open contact that touches */
    double *moves;     /* [2 n x max(n_p, n_v)] accelerations by unit forces, then by unit friction; contact_forces.c */
    double *max_force; /* [n] max. N at starts since the contact was last open */
    double *min_force; /* [n] N below which a contact opens after its N has decreased to zero; else 0 */
} rsd_unilateral;

/** Return the length of a row of moves. */
static inline long rsd_unilateral_width(const rsd_mechanism *k)
{
    return k->m.n_p > k->m.n_v ? k->m.n_p : k->m.n_v;
}

/** Return 1 if the contacts can stay closed (`holds`). The struct of an older model may lack this member. */
int rsd_contacts_can_stay_closed(const resida_model_contacts *contacts);

/** Take the contacts if they hold, and mark all of them as open. Contacts that do not hold, and NULL, are ignored.
 *  Return RESIDA_ERR_MODEL or RESIDA_ERR_MEMORY on failure. */
resida_status rsd_unilateral_create(rsd_unilateral *x, rsd_mechanism *k, const resida_model_contacts *contacts,
                                    const resida_allocator *alloc, resida_message *why);

/** Return RESIDA_ERR_MODEL if there are contacts that hold with dry friction, which the task does not support. */
resida_status rsd_unilateral_refuse(const rsd_unilateral *x, const char *task, resida_message *why);

/** Mark the rows of open contacts in the mechanism. If all is 1, mark the rows as if all contacts were open. */
void rsd_unilateral_mark_open(const rsd_unilateral *x, rsd_mechanism *k, int all);

/** Drop the rows that another problem of the same mechanism has dropped: open contacts, and redundant rows. */
void rsd_unilateral_copy_state(rsd_mechanism *to, const rsd_mechanism *from);

typedef struct rsd_unilateral_state {
    double t;
    const double *p, *v, *lam; /* [n_p], [n_v], [n_l] the point */
} rsd_unilateral_state;

/** Evaluate the root functions [n_root] of contacts that hold. For a closed contact it is N, or with friction a
 *  function that is also zero when sticking or slipping ends. For an open contact it is the gap plus its margin. Return
 *  0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_unilateral_roots(const rsd_unilateral *x, rsd_mechanism *k, const rsd_unilateral_state *at, double *roots);

/** Return the name of contact i, or its number if it has no name. */
const char *rsd_contact_name(const resida_model_contacts *contacts, int i, char *text, size_t size);

#endif
