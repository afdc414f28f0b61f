/* callback.h - the one place where what a caller handed over is called: callbacks of models, of the Jacobian engine and
 * of the solver, and allocators. Nothing else in the library calls them.
 *
 * Neither this library nor those below it can be unwound. So an exception of C++ ends here: it is a fatal verdict,
 * RESIDA_ERR_USER, and what it said is kept in `thrown` (NULL: not). A library that is built without C++ has the same
 * functions, through which nothing can be thrown: the exception then ends the program, as that of a noexcept function
 * does. */
#ifndef RSD_CALLBACK_H
#define RSD_CALLBACK_H

#include <resida/adapter.h>
#include <resida/dae.h>
#include <resida/jacobian.h>
#include <resida/mechanism.h>
#include <resida/model.h>
#include <resida/products.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an exception said. */
typedef struct rsd_thrown {
    int is_new; /* 1: since somebody set it to 0 */
    char text[100];
} rsd_thrown;

/** 1: exceptions are caught; 0: they end the program. */
extern const int rsd_callbacks_are_caught;

/** Call a callback; the arguments are the callback's own, then where to keep what it threw, and the callback. */
int rsd_call_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *out, void *user, rsd_thrown *thrown, resida_residual_fn *callback);
int rsd_call_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                 const resida_excitation *e, double *out, void *user, rsd_thrown *thrown,
                 resida_residual_lam_fn *callback);
int rsd_call_position(double t, const double *p, const resida_excitation *e, double *out, void *user,
                      rsd_thrown *thrown, resida_position_fn *callback);
int rsd_call_velocity(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user,
                      rsd_thrown *thrown, resida_velocity_fn *callback);
int rsd_call_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                         const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user,
                         rsd_thrown *thrown, resida_derivatives_fn *callback);
int rsd_call_excitation(double t, double *u, double *ud, double *udd, void *user, rsd_thrown *thrown,
                        resida_excitation_fn *callback);
int rsd_call_dae_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                          double *J, void *user, rsd_thrown *thrown, resida_dae_jacobian_fn *callback);

int rsd_call_jacobian_times(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                            const double *dy, const double *dyp, double *out, void *user, rsd_thrown *thrown,
                            resida_jacobian_times_fn *callback);
int rsd_call_residual_times(double t, const resida_motion *at, const resida_excitation *e, int k,
                            const resida_motion *d, double *out, void *user, rsd_thrown *thrown,
                            resida_residual_times_fn *callback);

/** Those of a resida_system. */
int rsd_call_function(double t, const double *y, const double *yp, double *r, void *user, rsd_thrown *thrown,
                      resida_function *callback);
int rsd_call_known(double t, const double *y, const double *yp, double *dy, double *dyp, rsd_thrown *thrown,
                   const resida_system *s);
int rsd_call_prepare_differences(double t, const double *y, const double *yp, rsd_thrown *thrown,
                                 const resida_system *s);
int rsd_call_derivative(double t, double alpha, const double *y, const double *yp, double *values, rsd_thrown *thrown,
                        const resida_system *s);
int rsd_call_times(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
                   void *user, rsd_thrown *thrown, const resida_system *s);
int rsd_call_inputs(double t, double *u, rsd_thrown *thrown, const resida_system *s);
int rsd_call_move_input(int i, double delta, rsd_thrown *thrown, const resida_system *s);
int rsd_call_begin_workers(long calls, rsd_thrown *thrown, const resida_system *s);
int rsd_call_end_workers(int verdict, rsd_thrown *thrown, const resida_system *s);

/** Those of a class of models. */
int rsd_call_create(const double *values, resida_model *model, resida_message *why, rsd_thrown *thrown,
                    const resida_model_class *cls);
int rsd_call_destroy(resida_model *model, rsd_thrown *thrown, const resida_model_class *cls);
int rsd_call_reference(const resida_model *model, double t, double *p, double *v, double *lam, rsd_thrown *thrown);
int rsd_call_shape(const resida_model *model, double t, const double *p, double *xyz, rsd_thrown *thrown);

int rsd_call_event(const resida_model *model, resida_model_event *event, rsd_thrown *thrown);
int rsd_call_output(const resida_model *model, const resida_model_point *at, double *out, rsd_thrown *thrown);

/** Those of an adapter. */
int rsd_call_open(const char *path, const resida_model_class **cls, resida_message *why, rsd_thrown *thrown,
                  const resida_adapter *adapter);
int rsd_call_close(const resida_model_class *cls, rsd_thrown *thrown, const resida_adapter *adapter);

/** Those of a solver: resida_monitor_fn, resida_accepted_fn, resida_newton_fn. */
struct resida_newton_end;
struct resida_step;
int rsd_call_accepted(const struct resida_step *step, void *user, rsd_thrown *thrown,
                      int (*callback)(const struct resida_step *step, void *user));
int rsd_call_monitor(double t, void *user, rsd_thrown *thrown, int (*callback)(double t, void *user));
int rsd_call_observer(const struct resida_newton_end *end, void *user, rsd_thrown *thrown,
                      void (*callback)(const struct resida_newton_end *end, void *user));

/** Anything else: 0. */
int rsd_call_work(void *context, rsd_thrown *thrown, void (*work)(void *context));

/** Those of an allocator; NULL where it threw. */
void *rsd_call_allocate(size_t bytes, const resida_allocator *a);
void rsd_call_free(void *block, const resida_allocator *a);

#ifdef __cplusplus
}
#endif
#endif
