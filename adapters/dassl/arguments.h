/* arguments.h - the arguments of a call of ddassl_, ddaspk_, ddasrt_ or ddaskr_, and the check for illegal input.
 * Sources: K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in
 * Differential-Algebraic Equations, and the prologues of DASSL, DASPK 2.0, DASRT and DASKR.
 *
 * The enumerations below name the elements of INFO, RWORK and IWORK, counted from 0; the prologues count from 1. */
#ifndef DAS_ARGUMENTS_H
#define DAS_ARGUMENTS_H

#include <stddef.h>

#include <resida/status.h>

#include "environment.h"

/** The called routine. */
typedef enum das_routine { DAS_DDASSL, DAS_DDASPK, DAS_DDASRT, DAS_DDASKR, DAS_ROUTINES } das_routine;

/** Names and values that differ between the routines. */
typedef struct das_traits {
    const char *name, *entry; /**< "DDASSL", and its symbol "ddassl_" */
    int is_daspk;             /**< options, lists in IWORK and RES are those of DASPK */
    int head;                 /**< elements of RWORK at its beginning */
    const char *root;         /**< subroutine of the root functions */
    int id_root;              /**< IDID at a root */
    int i_root_calls;         /**< element of IWORK with the calls of `root`; 0: none */
} das_traits;

extern const das_traits das_traits_of[DAS_ROUTINES];

/** DELTA = F(T, Y, YPRIME) of DASSL and DASRT. IRES = -1: not possible at this state; -2: stop. */
typedef void das_res(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                     int *ipar);
/** The same for DASPK and DASKR. SENPAR, and IJAC below, exist only in DASPK 3.1. A program for 2.0 or for DASKR passes
 *  no SENPAR, and its functions do not read it. */
typedef void das_res_cj(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                        double *rpar, int *ipar, double *senpar);
/** PD = dF/dY + CJ dF/dYPRIME, by columns. */
typedef void das_jac(const double *t, const double *y, const double *yp, double *pd, const double *cj, double *rpar,
                     int *ipar);
/** The same for DASPK and DASKR. IJAC = 0: for a step. */
typedef void das_jac_3(const double *t, const double *y, const double *yp, double *pd, const double *cj, double *rpar,
                       int *ipar, double *senpar, const int *ijac);
/** GOUT [NG] = G(T, Y). */
typedef void das_g(const int *neq, const double *t, const double *y, const int *ng, double *gout, double *rpar,
                   int *ipar);
/** The same for DASKR: RVAL [NRT] = R(T, Y, YPRIME). */
typedef void das_rt(const int *neq, const double *t, const double *y, const double *yp, const int *nrt, double *rval,
                    double *rpar, int *ipar);

/** INFO. */
enum {
    INFO_GOES_ON = 0,
    INFO_BY_COMPONENT = 1,
    INFO_EACH_STEP = 2,
    INFO_T_STOP = 3,
    INFO_JACOBIAN = 4,
    INFO_BANDED = 5,
    INFO_H_MAX = 6,
    INFO_H_FIRST = 7,
    INFO_MAX_ORDER = 8,
    INFO_SIGNS = 9,
    INFO_START = 10,
    INFO_MAX_STEPS = 11, /* DASSL and DASRT */
    INFO_KRYLOV = 11,    /* DASPK and DASKR */
    INFO_START_ONLY = 13,
    INFO_EXCLUDES = 15,
    INFO_PRINTS = 17,
    INFO_SENSITIVITIES = 18, /* DASPK 3.1: number of parameters */
    INFO_OF_R = 19, /* from R's deSolve: the kind of its functions; the number of unknowns of each index follows */
    INFO_INDICES = 20
};

/** INFO_START. */
enum { START_ALGEBRAIC = 1, START_Y = 2 };

/** RWORK. */
enum { R_T_STOP = 0, R_H_MAX = 1, R_H = 2, R_T = 3, R_H_LAST = 6, R_MARK = 40, R_HANDLE = 41 };

/** IWORK. */
enum {
    I_ML = 0,
    I_MU = 1,
    I_MAX_ORDER = 2,
    I_ORDER = 6,
    I_ORDER_LAST = 7,
    I_STEPS = 10,
    I_RESIDUALS = 11,
    I_JACOBIANS = 12,
    I_ERROR_FAILS = 13,
    I_NEWTON_FAILS = 14,
    I_ROOT_CALLS = 15, /* DASRT */
    I_LINEAR_FAILS = 15,
    I_LENIW = 16, /* DASPK and DASKR only from here */
    I_LENRW = 17,
    I_ITERATIONS = 18,
    I_LINEAR_ITERATIONS = 19,
    I_PSOL_CALLS = 20,
    I_MAX_STEPS = 20, /* DASSL and DASRT */
    I_ROOT_CALLS_DASKR = 35,
    I_KINDS = 40
};

/** IDID. */
enum {
    ID_STEP = 1,
    ID_T_STOP = 2,
    ID_T_OUT = 3,
    ID_ROOT = 4,    /* DASRT */
    ID_STARTED = 4, /* DASPK and DASKR */
    ID_ROOT_DASKR = 5,
    ID_MUCH_WORK = -1,
    ID_STRINGENT = -2,
    ID_NO_TOLERANCE = -3,
    ID_ERROR_TEST = -6,
    ID_NEWTON = -7,
    ID_SINGULAR = -8,
    ID_REFUSED = -10,
    ID_STOPPED = -11,
    ID_NO_START = -12,
    ID_ILLEGAL = -33
};

/** The arguments of a call. */
typedef struct das_call {
    das_routine routine;
    das_res *res;       /**< of DASSL and DASRT */
    das_res_cj *res_cj; /**< of DASPK and DASKR */
    das_jac *jac;
    das_g *g;   /**< of DASRT */
    das_rt *rt; /**< of DASKR */
    int n, n_root, lrw, liw;
    double t_out, *t, *y, *yp, *rtol, *atol, *rwork, *rpar;
    double *senpar; /**< DASPK 3.1; of 2.0 an undefined value; of DASKR NULL */
    int *info, *idid, *iwork, *ipar, *jroot;
    das_environment *environment; /**< of the caller; not active while a function of the program runs */
} das_call;

/** Return the index in IWORK of the list of algebraic components, or 0 if the call has no such list. */
int das_get_kinds_index(const das_call *c);

/** Return the number of rows of PD. */
int das_get_pd_rows(const das_call *c);

/** Return +1 if TOUT >= T, else -1. */
int das_get_direction(const das_call *c);

/** Return the tolerance rtol |y| + atol of component i. */
double das_compute_tolerance(const das_call *c, int i, double y);

/** Check the first call. The required lengths of DASPK and DASKR are written to IWORK. @return 0, or -1 with the reason
 *  in `why` */
int das_check_first(const das_call *c, resida_message *why);

/** Check a later call. direction: of the integration; is_known: 1 if the integration is in the table, 0 if it restarts.
 *  @return as das_check_first() */
int das_check_next(const das_call *c, int direction, int is_known, resida_message *why);

#endif
