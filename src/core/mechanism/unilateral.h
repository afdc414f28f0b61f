/* unilateral.h - contacts that can stay closed (resida/contact.h). The row of G of a contact is active while its force
 * pushes. */
#ifndef RSD_UNILATERAL_H
#define RSD_UNILATERAL_H

#include <resida/contact.h>

#include "mechanism_impl.h"

#define RSD_FOLLOWS 2 /* value of `closed` of a contact whose sliding speed other contacts keep at zero */

/** Contacts of a mechanism that can stay closed. */
typedef struct rsd_unilateral {
    resida_model_contacts given; /* contacts of the model; n = 0: none can stay closed */
    int *row;                    /* [n] constraint of each contact */
    int *row_t;                  /* [n] index of the friction force of each contact in lam; NULL: no friction */
    double *lam;                 /* [n_l] multipliers of closed contacts from the last start */
    double *speeds;              /* [n_h] sliding speeds */
    void *decided;               /* [decided_size] memory of the following arrays, which a start sets */
    size_t decided_size;         /* size of `decided` [bytes] */
    int *slides;             /* [n] 1 or -1: the closed contact slips with friction T = -slides mu N; 0: it sticks */
    unsigned char *closed;   /* [n] 1: the contact is closed since the last start, and its row is active;
                                    RSD_FOLLOWS: and the rows of other contacts keep its sliding speed at zero */
    double *tolerance;       /* [n] tolerance of the gap; 0 without a run */
    double *slide_tolerance; /* [n] tolerance of the sliding speed; 0 without a run */
    double *slide_margin;    /* [n] allowed sliding speed of wrong sign when the contact begins to slip or follow */
    double *loosened;        /* [n] after |T| has reached mu N: reduction of mu in the decision to slip; else 0 */
    double *margin;          /* [n] open contact that touches: allowed negative gap; 0: the gap has exceeded it */
    double *moves;     /* [2 n x max(n_p, n_v)] accelerations by unit normal forces, then by unit friction forces */
    double *max_force; /* [n] maximum normal force at starts since the contact was open */
    double *min_force; /* [n] after N has decreased to zero: normal force below which the contact opens; else 0 */
} rsd_unilateral;

/** Return the length of a row of the array `moves`, max(n_p, n_v). */
static inline long rsd_unilateral_get_width(const rsd_mechanism *k)
{
    return k->m.n_p > k->m.n_v ? k->m.n_p : k->m.n_v;
}

/** Copy the description of the contacts if they can stay closed, and mark all of them as open. Other contacts, and
 *  NULL, are ignored. Return RESIDA_OK, RESIDA_ERR_ARGUMENT or _MODEL for a wrong description, or RESIDA_ERR_MEMORY. */
resida_status rsd_unilateral_create(rsd_unilateral *x, rsd_mechanism *k, const resida_model_contacts *contacts,
                                    const resida_allocator *alloc, resida_message *why);

/** Return RESIDA_ERR_MODEL, with the task in the message, if contacts that can stay closed have dry friction. */
resida_status rsd_unilateral_refuse_friction(const rsd_unilateral *x, const char *task, resida_message *why);

/** Mark the rows of open contacts in the mechanism. If all is 1, mark the rows as if all contacts were open. */
void rsd_unilateral_mark_open(const rsd_unilateral *x, rsd_mechanism *k, int all);

/** Copy the marks of open contacts and of dropped rows from `from`, a copy of the same mechanism. */
void rsd_unilateral_copy_state(rsd_mechanism *to, const rsd_mechanism *from);

/** Point at which root functions of contacts are evaluated. */
typedef struct rsd_unilateral_state {
    double t;                  /* time [s] */
    const double *p, *v, *lam; /* [n_p] positions, [n_v] velocities, [n_l] multipliers */
} rsd_unilateral_state;

/** Set the root functions of contacts that can stay closed, in roots [n_root]. For a closed contact the root function
 *  is the normal force N. With friction it is also zero when sticking or slipping ends. For an open contact it is the
 *  gap plus its margin. Return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_unilateral_eval_roots(const rsd_unilateral *x, rsd_mechanism *k, const rsd_unilateral_state *at, double *roots);

/** Return the name of contact i. If the contact has no name, write its number to text [size], and return text. */
const char *rsd_get_contact_name(const resida_model_contacts *contacts, int i, char *text, size_t size);

#endif
