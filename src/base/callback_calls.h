/* callback_calls.h - the functions of callback.h, once for callback.cpp, which catches, and for callback.c, which does
 * not. Each of the two says before what the calls are made with:
 *
 *     RSD_RESULT(thrown, call)  return what the call gives
 *     RSD_DONE(thrown, call)    the same of a call that gives nothing: return 0
 *     RSD_BLOCK(call)           return the pointer it gives; NULL
 *     RSD_FREED(call)           nothing */
int rsd_call_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *out, void *user, rsd_thrown *thrown, resida_residual_fn *callback)
{
    RSD_RESULT(thrown, callback(t, p, v, a, e, out, user))
}

int rsd_call_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                 const resida_excitation *e, double *out, void *user, rsd_thrown *thrown,
                 resida_residual_lam_fn *callback)
{
    RSD_RESULT(thrown, callback(t, p, v, a, lam, e, out, user))
}

int rsd_call_position(double t, const double *p, const resida_excitation *e, double *out, void *user,
                      rsd_thrown *thrown, resida_position_fn *callback)
{
    RSD_RESULT(thrown, callback(t, p, e, out, user))
}

int rsd_call_velocity(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user,
                      rsd_thrown *thrown, resida_velocity_fn *callback)
{
    RSD_RESULT(thrown, callback(t, p, v, e, out, user))
}

int rsd_call_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                         const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user,
                         rsd_thrown *thrown, resida_derivatives_fn *callback)
{
    RSD_RESULT(thrown, callback(t, p, v, a, lam, e, Phi_p, Phi_v, Phi_lam, user))
}

int rsd_call_excitation(double t, double *u, double *ud, double *udd, void *user, rsd_thrown *thrown,
                        resida_excitation_fn *callback)
{
    RSD_RESULT(thrown, callback(t, u, ud, udd, user))
}

int rsd_call_dae_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                          double *J, void *user, rsd_thrown *thrown, resida_dae_jacobian_fn *callback)
{
    RSD_RESULT(thrown, callback(t, alpha, y, yp, e, J, user))
}

int rsd_call_jacobian_times(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                            const double *dy, const double *dyp, double *out, void *user, rsd_thrown *thrown,
                            resida_jacobian_times_fn *callback)
{
    RSD_RESULT(thrown, callback(t, y, yp, e, k, dy, dyp, out, user))
}

int rsd_call_residual_times(double t, const resida_motion *at, const resida_excitation *e, int k,
                            const resida_motion *d, double *out, void *user, rsd_thrown *thrown,
                            resida_residual_times_fn *callback)
{
    RSD_RESULT(thrown, callback(t, at, e, k, d, out, user))
}

int rsd_call_function(double t, const double *y, const double *yp, double *r, void *user, rsd_thrown *thrown,
                      resida_function *callback)
{
    RSD_RESULT(thrown, callback(t, y, yp, r, user))
}

int rsd_call_known(double t, const double *y, const double *yp, double *dy, double *dyp, rsd_thrown *thrown,
                   const resida_system *s)
{
    RSD_RESULT(thrown, s->known(t, y, yp, dy, dyp, s->user))
}

int rsd_call_prepare_differences(double t, const double *y, const double *yp, rsd_thrown *thrown,
                                 const resida_system *s)
{
    RSD_RESULT(thrown, s->around(t, y, yp, s->user))
}

int rsd_call_derivative(double t, double alpha, const double *y, const double *yp, double *values, rsd_thrown *thrown,
                        const resida_system *s)
{
    RSD_RESULT(thrown, s->derivative(t, alpha, y, yp, values, s->user))
}

int rsd_call_times(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
                   void *user, rsd_thrown *thrown, const resida_system *s)
{
    RSD_RESULT(thrown, s->times(t, y, yp, k, dy, dyp, out, user))
}

int rsd_call_inputs(double t, double *u, rsd_thrown *thrown, const resida_system *s)
{
    RSD_RESULT(thrown, s->inputs(t, u, s->user))
}

int rsd_call_move_input(int i, double delta, rsd_thrown *thrown, const resida_system *s)
{
    RSD_DONE(thrown, s->move_input(i, delta, s->user))
}

int rsd_call_begin_workers(long calls, rsd_thrown *thrown, const resida_system *s)
{
    RSD_RESULT(thrown, s->begin_workers(calls, s->user))
}

int rsd_call_end_workers(int verdict, rsd_thrown *thrown, const resida_system *s)
{
    RSD_DONE(thrown, s->end_workers(verdict, s->user))
}

int rsd_call_create(const double *values, resida_model *model, resida_message *why, rsd_thrown *thrown,
                    const resida_model_class *cls)
{
    RSD_RESULT(thrown, cls->create(values, model, why))
}

int rsd_call_destroy(resida_model *model, rsd_thrown *thrown, const resida_model_class *cls)
{
    RSD_DONE(thrown, cls->destroy(model))
}

int rsd_call_reference(const resida_model *model, double t, double *p, double *v, double *lam, rsd_thrown *thrown)
{
    RSD_RESULT(thrown, model->reference(model, t, p, v, lam))
}

int rsd_call_shape(const resida_model *model, double t, const double *p, double *xyz, rsd_thrown *thrown)
{
    RSD_RESULT(thrown, model->shape(model, t, p, xyz))
}

int rsd_call_event(const resida_model *model, resida_model_event *event, rsd_thrown *thrown)
{
    RSD_RESULT(thrown, model->event(model, event))
}

int rsd_call_output(const resida_model *model, const resida_model_point *at, double *out, rsd_thrown *thrown)
{
    RSD_RESULT(thrown, model->output(model, at, out))
}

int rsd_call_open(const char *path, const resida_model_class **cls, resida_message *why, rsd_thrown *thrown,
                  const resida_adapter *adapter)
{
    RSD_RESULT(thrown, adapter->open(path, cls, why))
}

int rsd_call_close(const resida_model_class *cls, rsd_thrown *thrown, const resida_adapter *adapter)
{
    RSD_DONE(thrown, adapter->close(cls))
}

int rsd_call_monitor(double t, void *user, rsd_thrown *thrown, int (*callback)(double t, void *user))
{
    RSD_RESULT(thrown, callback(t, user))
}

int rsd_call_accepted(const struct resida_step *step, void *user, rsd_thrown *thrown,
                      int (*callback)(const struct resida_step *step, void *user))
{
    RSD_RESULT(thrown, callback(step, user))
}

int rsd_call_observer(const struct resida_newton_end *end, void *user, rsd_thrown *thrown,
                      void (*callback)(const struct resida_newton_end *end, void *user))
{
    RSD_DONE(thrown, callback(end, user))
}

int rsd_call_work(void *context, rsd_thrown *thrown, void (*work)(void *context))
{
    RSD_DONE(thrown, work(context))
}

void *rsd_call_allocate(size_t bytes, const resida_allocator *a)
{
    RSD_BLOCK(a->allocate(bytes, a->context))
}

void rsd_call_free(void *block, const resida_allocator *a)
{
    RSD_FREED(a->free(block, a->context))
}
