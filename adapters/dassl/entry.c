/* entry.c - defines ddassl_, ddaspk_, ddasrt_ and ddaskr_ for the linker, with the arguments of DASSL, DASPK 2.0 and
 * 3.1, DASRT, and DASKR. DASPK 3.1 has two more arguments than 2.0, SENPAR and G, and its RES and JAC have one or two
 * more. It is unknown whether a program has passed them; they are always forwarded unchanged. All supported C and
 * Fortran compilers let the caller remove the arguments, so that a function may be called with more or fewer arguments.
 *
 * INFO(1) is set to 1 after a call that can be continued, and to -1 if IDID < 0, as in DASSL. The library never ends
 * the process. If DASSL would stop the program, IDID = -33 is returned.
 *
 * Krylov methods of DASPK and DASKR, INFO(12) = 1, are not implemented. Such a call is forwarded unchanged to the next
 * ddaspk_ or ddaskr_. */
#include "dassl.h"
#include "fortran.h"
#include "live.h"
#include "originals.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ORDER = 5 };
static const double ahead = 1e-4; /* part of TOUT - T. A root function that is zero at T and at this distance is
                                   * rejected. */

/* Evaluate G or RT at T + part (TOUT - T), with Y extrapolated along YPRIME. y: [n] work */
static int evaluate_roots_ahead(das_integration *x, const das_call *c, double part, double *y, double *out)
{
    const double way = part * (c->t_out - *c->t);
    for (int i = 0; i < c->n; i++) y[i] = c->y[i] + way * c->yp[i];
    return das_evaluate_roots(x, *c->t + way, y, c->yp, out);
}

/* Return 1 if a root function is zero at T and stays zero, 0 if there is none, -1 if the call failed. */
static int has_root_at_start(das_integration *x, const das_call *c)
{
    const size_t n_g = (size_t)c->n_root, n = (size_t)c->n;
    if (n_g == 0) return 0;
    double *now = malloc((2 * n_g + n) * sizeof *now), *then = now + n_g, *y = now + 2 * n_g;
    if (!now) return -1;
    int found = 0, zeros = 0;
    int verdict = evaluate_roots_ahead(x, c, 0, y, now);
    for (size_t i = 0; i < n_g && !verdict; i++) zeros += now[i] == 0;
    if (zeros > 0) verdict = evaluate_roots_ahead(x, c, ahead, y, then);
    for (size_t i = 0; i < n_g && zeros > 0 && !verdict; i++) found |= now[i] == 0 && then[i] == 0;
    free(now);
    return verdict ? -1 : found;
}

static int start_solver(das_integration *x, const das_call *c, resida_message *why)
{
    resida_status status = das_start(x, c, why);
    return status < 0 ? das_get_failure_idid(x, status) : 0;
}

/* Start a new integration, INFO(1) = 0. */
static int begin_integration(das_integration *x, const das_call *c, resida_message *why)
{
    int idid = c->info[INFO_START] ? das_find_start(x, c, why) : 0;
    if (idid < 0) return idid;
    const das_traits *traits = &das_traits_of[c->routine];
    if (traits->is_daspk && c->info[INFO_START] && c->info[INFO_START_ONLY]) return ID_STARTED;
    const int has_root = has_root_at_start(x, c);
    const char *format = has_root > 0 ? "a component of %s has a root too close to the initial T"
                                      : "%s could not be evaluated at the initial T";
    if (has_root) snprintf(why->text, sizeof why->text, format, traits->root);
    return has_root ? ID_ILLEGAL : start_solver(x, c, why);
}

/* Start, restart or continue the integration of the call, and print the reason of a failure. Return IDID. */
static int run_integration(das_integration *x, const das_call *c, das_found found)
{
    resida_message why = {""};
    const int is_first = c->info[INFO_GOES_ON] == 0;
    x->call = c;
    x->ires = 0;
    const int is_anew = !is_first && (found != DAS_FOUND || !x->solver || x->is_lost || das_is_changed(x, c));
    if (is_anew && found != DAS_NOT_THERE) das_read_counts(x, c);
    const das_counts before = x->counts;
    int idid = 0;
    if (is_first)
        idid = begin_integration(x, c, &why);
    else if (is_anew)
        idid = start_solver(x, c, &why);
    if (idid == 0) idid = das_advance(x, c, &why);
    das_write_counts(x, c);
    x->is_lost |= idid < 0 && idid != ID_MUCH_WORK;
    das_add_statistics(c->routine, is_first, is_anew, &before, &x->counts);
    const int is_usual = idid > 0 || idid == ID_MUCH_WORK; /* programs handle many steps by IDID and continue */
    if (is_usual || x->thrown) return idid;
    das_line line;
    das_translate_message(x, why.text, &line);
    das_print_message(c->routine, "IDID = %d at T = %.9g: %s", idid, *c->t, line.text);
    return idid;
}

static int report_illegal_call(const das_call *c, const char *why)
{
    das_print_message(c->routine, "%s", why);
    return ID_ILLEGAL;
}

/* Create an integration and add it to the table. */
static das_integration *create_and_register(const das_call *c, const void *frame)
{
    das_integration *x = das_create(c);
    if (!x || das_live_add(x, c, frame) == 0) return x;
    das_free(x);
    return NULL;
}

/* Set INFO(1) and IDID. After a call of DASPK or DASKR for initial conditions alone, INFO(1) stays 0. */
static void write_idid(const das_call *c, int idid, int is_started)
{
    *c->idid = idid;
    c->info[INFO_GOES_ON] = idid < 0 ? -1 : is_started;
}

/* Check that the integration of the call can be continued. Return 0, or -1 with the reason in `why`. */
static int check_continuation(const das_call *c, das_found found, resida_message *why)
{
    const int order = c->iwork[I_MAX_ORDER];
    const char *reason = NULL;
    if (found == DAS_IN_A_CALL)
        reason = "called recursively from a user function, for the same integration";
    else if (found == DAS_DIFFERS)
        reason = "INFO(1) = 1, but the integration in this RWORK has another NEQ, number of root functions or routine";
    else if (found == DAS_NOT_THERE && !(order >= 1 && order <= DEFAULT_ORDER))
        reason = "INFO(1) = 1, but there is no integration in this RWORK and IWORK";
    if (!reason) return 0;
    strcpy(why->text, reason);
    return -1;
}

/* Execute a call. frame: address of the caller's frame. @return exception thrown by a function of the program; NULL */
static das_thrown *execute_call(const das_call *c, const void *frame)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    const int is_first = c->info[INFO_GOES_ON] == 0;
    resida_message why = {""};
    das_integration *x = NULL;
    das_found found = DAS_NOT_THERE;
    int bad = is_first ? das_check_first(c, &why) : 0;
    if (!is_first) {
        found = das_live_find(c, frame, &x);
        bad = das_check_next(c, x ? x->direction : das_get_direction(c), x != NULL, &why);
    }
    if (!bad && !is_first) bad = check_continuation(c, found, &why);
    if (bad) {
        if (x) das_live_release(x);
        write_idid(c, report_illegal_call(c, why.text), 0);
        return NULL;
    }
    if (found == DAS_GIVEN_UP && !atomic_flag_test_and_set(&is_said))
        das_print_message(c->routine,
                          "the integration of this RWORK is no longer in memory and restarts at T = %.9g; only the "
                          "last %d integrations are kept, within 256 MB",
                          *c->t, DAS_MAX);
    if (is_first) das_warn_of_norm(c->routine);
    if (is_first && !c->info[INFO_MAX_ORDER]) c->iwork[I_MAX_ORDER] = DEFAULT_ORDER;
    if (!x) x = create_and_register(c, frame);
    if (!x) {
        write_idid(c, report_illegal_call(c, "no memory for an integration"), 0);
        return NULL;
    }
    const int idid = run_integration(x, c, found);
    das_thrown *thrown = x->thrown;
    x->thrown = NULL;
    x->call = NULL;
    write_idid(c, idid, x->solver != NULL);
    if (x->solver)
        das_live_release(x);
    else
        das_live_discard(x, c);
    return thrown;
}

static void execute_in_environment(das_call *c)
{
    das_environment environment;
    das_environment_save(&environment);
    c->environment = &environment;
    das_thrown *thrown = execute_call(c, __builtin_frame_address(0));
    das_environment_restore(&environment);
    if (thrown) das_rethrow(thrown);
}

/* The arguments that all routines have. */
#define ARGUMENTS                                                                                                      \
    .jac = jac, .n = *neq, .lrw = *lrw, .liw = *liw, .t_out = *tout, .t = t, .y = y, .yp = yprime, .rtol = rtol,       \
    .atol = atol, .rwork = rwork, .rpar = rpar, .info = info, .idid = idid, .iwork = iwork, .ipar = ipar

void ddassl_(das_res *res, DAS_PARAMETERS)
{
    das_call c = {.routine = DAS_DDASSL, .res = res, ARGUMENTS};
    execute_in_environment(&c);
}

void ddaspk_(das_res_cj *res, DAS_PARAMETERS, void (*psol)(void), double *senpar, void (*g)(void))
{
    typedef __typeof__(ddaspk_) daspk;
    daspk *next = info[INFO_KRYLOV] == 1 ? (daspk *)das_find_next_routine(DAS_DDASPK) : NULL;
    if (next) {
        next(res, neq, t, y, yprime, tout, info, rtol, atol, idid, rwork, lrw, iwork, liw, rpar, ipar, jac, psol,
             senpar, g);
        return;
    }
    das_call c = {.routine = DAS_DDASPK, .res_cj = res, .senpar = senpar, ARGUMENTS};
    execute_in_environment(&c);
}

void ddasrt_(das_res *res, DAS_PARAMETERS, das_g *g, const int *ng, int *jroot)
{
    das_call c = {.routine = DAS_DDASRT, .res = res, .g = g, .n_root = *ng, .jroot = jroot, ARGUMENTS};
    execute_in_environment(&c);
}

void ddaskr_(das_res_cj *res, DAS_PARAMETERS, void (*psol)(void), das_rt *rt, const int *nrt, int *jroot)
{
    typedef __typeof__(ddaskr_) daskr;
    daskr *next = info[INFO_KRYLOV] == 1 ? (daskr *)das_find_next_routine(DAS_DDASKR) : NULL;
    if (next) {
        next(res, neq, t, y, yprime, tout, info, rtol, atol, idid, rwork, lrw, iwork, liw, rpar, ipar, jac, psol, rt,
             nrt, jroot);
        return;
    }
    das_call c = {.routine = DAS_DDASKR, .res_cj = res, .rt = rt, .n_root = *nrt, .jroot = jroot, ARGUMENTS};
    execute_in_environment(&c);
}
