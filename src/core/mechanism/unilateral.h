/* unilateral.h - contacts that hold: rows of G that are active while their forces push (resida/contact.h). */
#ifndef RSD_UNILATERAL_H
#define RSD_UNILATERAL_H

#include <resida/contact.h>

#include "mechanism_impl.h"

/** Contacts that hold (resida/contact.h), of a mechanism. */
typedef struct rsd_unilateral {
    resida_model_contacts given; /* n = 0: there are none */
    int *row;                    /* [n] their rows of G */
    int *row_t;                  /* [n] with friction: of Gh, counted as of lam; NULL: there is none */
    double *lam;                 /* [n_l] of closed ones, by the decision of the last start */
    double *speeds;              /* [n_h] work */
    void *decided;               /* [decided_size] all that follows, as one block: what starts have decided */
    size_t decided_size;
    int *slides;             /* [n] of a closed one: 1, -1 sign of the speed of sliding; 0: it sticks */
    unsigned char *closed;   /* [n] since the last start: the row is active */
    double *tolerance;       /* [n] of the gap, by a run; else 0 */
    double *slide_tolerance; /* [n] of the speed of sliding, by a run; else 0 */
    double *slide_margin;    /* [n] of one that begins to slip: its speed may be so far on the other side of 0 */
    double *loosened;        /* [n] part of mu that one has lost for the decision, |T| having come to mu N; else 0 */
    double *margin;          /* [n] of an open contact that touches: its gap may be so far below 0 */
    double *moves; /* [2 n x max(n_p, n_v)] accelerations by a unit force of closed contacts, then of their friction, by
                      the decision; where g = 0 stands alone those of p */
    double *max_force; /* [n] the largest N at a start, since the contact was open last */
    double *min_force; /* [n] of a contact whose N has fallen to zero: it opens if N is not larger; else 0 */
} rsd_unilateral;

/** Of a row of moves. */
static inline long rsd_unilateral_width(const rsd_mechanism *k)
{
    return k->m.n_p > k->m.n_v ? k->m.n_p : k->m.n_v;
}

/** 1: contacts of a model, as long as it was compiled with them, hold. */
int rsd_contacts_hold(const resida_model_contacts *contacts);

/** Take contacts that hold, all open; others and NULL: none. RESIDA_ERR_MODEL, RESIDA_ERR_MEMORY. */
resida_status rsd_unilateral_create(rsd_unilateral *x, rsd_mechanism *k, const resida_model_contacts *contacts,
                                    const resida_allocator *alloc, resida_message *why);

/** RESIDA_ERR_MODEL: there are contacts that hold with dry friction, and the task is not made for them. */
resida_status rsd_unilateral_refuse(const rsd_unilateral *x, const char *task, resida_message *why);

/** Mark the rows of open contacts in the mechanism. all: as if all were open. */
void rsd_unilateral_mark_open(const rsd_unilateral *x, rsd_mechanism *k, int all);

/** Leave out the rows that another problem of the same mechanism leaves out: open contacts, and rows that its start
 *  has dropped. */
void rsd_unilateral_follow(rsd_mechanism *to, const rsd_mechanism *from);

typedef struct rsd_unilateral_state {
    double t;
    const double *p, *v, *lam; /* [n_p], [n_v], [n_l] */
} rsd_unilateral_state;

/** The root functions [n_root] of contacts that hold: N of a closed one, the gap, or what is left of its margin, of an
 *  open one; with friction the least of N and of what ends sticking or slipping. The verdict of the callbacks */
int rsd_unilateral_roots(const rsd_unilateral *x, rsd_mechanism *k, const rsd_unilateral_state *at, double *roots);

/** Name of contact i, or its number. */
const char *rsd_contact_name(const resida_model_contacts *contacts, int i, char *text, size_t size);

#endif
