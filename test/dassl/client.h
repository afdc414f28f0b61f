/* client.h - a program that calls DASSL, DASPK, DASRT or DASKR: its arrays, of the lengths that the prologues require,
 * and small systems with known solutions. */
#ifndef RESIDA_TEST_DASSL_CLIENT_H
#define RESIDA_TEST_DASSL_CLIENT_H

#include "adapters/dassl/dassl.h"

enum { CLIENT_N = 4, CLIENT_INFO = 20 };

/** A program's variables. */
typedef struct client {
    das_routine routine;
    int n, ng, info[CLIENT_INFO], idid, lrw, liw, *iwork, jroot[2], ipar;
    double t, y[CLIENT_N], yp[CLIENT_N], rtol[CLIENT_N], atol[CLIENT_N], *rwork, rpar;
    das_res *res;
    das_jac *jac;
    das_g *g;
    das_rt *rt; /* of DASKR; by default it calls g */
} client;

/** How often the functions below were called. */
typedef struct client_calls {
    long res, jac, g;
    double t_last; /* the largest T of res */
    double y_min;  /* the least Y(1) */
    int refuses;   /* the next so many calls of res say IRES = -1; < 0: all */
    int stops;     /* IRES = -2 */
} client_calls;
extern client_calls client_did;

/** Two oscillators, y = (cos t, -sin t, 2 cos 2t, -4 sin 2t); tolerances 1e-7; room as the prologue says, for INFO as
 *  it is. */
client client_create(das_routine routine);
void client_begin_oscillators(client *c);
/** New work arrays, which are freed with the claim, for INFO and IWORK as they are: with ml, mu if INFO(6) = 1. */
void client_make_room(client *c, int ml, int mu);

/** DASPK or DASKR: IWORK has lists, from IWORK(41) on. */
int client_is_daspk(int routine);

/** Call it. @return IDID */
int client_call(client *c, double t_out);

/** Largest error of the oscillators at T, and of YPRIME. */
double client_error(const client *c);

/** @name Systems
 *  decay: y' = -y; falling: y' = -1; algebraic: y0' = -y0, 0 = y1 - y0^2 @{ */
das_res client_oscillators, client_decay, client_falling, client_algebraic;
das_res client_singular, client_not_a_number, client_kinked;
das_jac client_full, client_band;
das_g client_y0;
/** @} */

/** Lines on stderr since the last call of it. */
void client_listen(void);
int client_lines_heard(void);
const char *client_heard(void);

#endif
