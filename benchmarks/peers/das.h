/* das.h - what DASSL and DASPK have in common: they are called alike, step by step, and use the same places of their
 * work arrays. */
#ifndef RSD_DAS_H
#define RSD_DAS_H

#include "peer_impl.h"

/** A run. Numbers in brackets are those of the Fortran documentation, from 1 on. */
typedef struct das {
    rsd_peer_run *run;
    const char *name;
    double t, *y, *yp;
    double *rtol, *atol; /**< [n] */
    int n, info[20], idid, lrw, liw, *iwork;
    double *rwork;
    void (*call)(struct das *s, double t_out); /**< the Fortran routine */
} das;

/** Room and options that both have. lrw, liw: sizes of the work arrays. */
void das_create(das *s, rsd_peer_run *run, const char *name, int lrw, int liw);

/** Take component i out of the error test by a tolerance that it cannot miss. */
void das_let_go(das *s, int i);

/** Integrate. */
resida_status das_integrate(das *s);

/** Take the counters. newton: calls of the residual by the iteration, one in each; a Jacobian costs n. */
void das_count(das *s, long newton);

/** The verdict of rsd_peer_residual() as IRES. */
int das_ires(int verdict);

#endif
