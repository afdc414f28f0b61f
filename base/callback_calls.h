/* callback_calls.h - lists the functions that call callbacks, one for each signature, with name, parameters and call.
 * callback.h declares them, callback.cpp defines them with catching, and callback.c without. Each of these files
 * defines three macros before it includes this file:
 *
 *     RSD_CALL(name, parameters, which, n, call)  calls callback number `which` of a model at t, which computes out [n]
 *     RSD_RESULT(name, parameters, call)          calls another callback, and returns its result
 *     RSD_DONE(name, parameters, call)            calls another callback that returns void, and returns 0
 *
 * The last two parameters of RSD_RESULT and RSD_DONE functions are the buffer for an exception's text, and the
 * callback. */
RSD_CALL(rsd_call_residual, (rsd_calls * c, double t, const double *p, const double *v, const double *a, double *out),
         c->formalism.which, c->formalism.n, c->formalism.residual(t, p, v, a, &c->e, out, c->user))
RSD_CALL(rsd_call_lam,
         (rsd_calls * c, double t, const double *p, const double *v, const double *a, const double *lam, double *out),
         c->formalism.which, c->formalism.n, c->formalism.residual_lam(t, p, v, a, lam, &c->e, out, c->user))
RSD_CALL(rsd_call_position,
         (rsd_calls * c, rsd_callback which, resida_position_fn *callback, double t, const double *p, double *out,
          int n),
         which, n, callback(t, p, &c->e, out, c->user))
RSD_CALL(rsd_call_velocity,
         (rsd_calls * c, rsd_callback which, resida_velocity_fn *callback, double t, const double *p, const double *v,
          double *out, int n),
         which, n, callback(t, p, v, &c->e, out, c->user))
RSD_CALL(rsd_call_root_lam,
         (rsd_calls * c, resida_root_lam_fn *callback, double t, const double *p, const double *v, const double *lam,
          double *out, int n),
         RSD_CALL_ROOT, n, callback(t, p, v, lam, &c->e, out, c->user))
RSD_CALL(rsd_call_derivatives,
         (rsd_calls * c, rsd_callback which, resida_derivatives_fn *callback, double t, const double *p,
          const double *v, const double *a, const double *lam, double *out, double *Phi_v, double *Phi_lam, int n),
         which, n, callback(t, p, v, a, lam, &c->e, out, Phi_v, Phi_lam, c->user))
RSD_CALL(rsd_call_excitation,
         (rsd_calls * c, rsd_callback which, resida_excitation_fn *callback, double t, double *out, int n), which, n,
         callback(t, out, out + n / 3, out + n / 3 * 2, c->user))
RSD_CALL(rsd_call_dae_jacobian,
         (rsd_calls * c, rsd_callback which, resida_dae_jacobian_fn *callback, double t, double alpha, const double *y,
          const double *yp, double *out, int n),
         which, n, callback(t, alpha, y, yp, &c->e, out, c->user))
RSD_CALL(rsd_call_jacobian_times,
         (rsd_calls * c, rsd_callback which, resida_jacobian_times_fn *callback, double t, const double *y,
          const double *yp, int k, const double *dy, const double *dyp, double *out, int n),
         which, n, callback(t, y, yp, &c->e, k, dy, dyp, out, c->user))
RSD_CALL(rsd_call_residual_times,
         (rsd_calls * c, rsd_callback which, resida_residual_times_fn *callback, double t, const resida_motion *at,
          int k, const resida_motion *d, double *out, int n),
         which, n, callback(t, at, &c->e, k, d, out, c->user))

/* Callbacks of a resida_system. */
RSD_RESULT(rsd_call_function,
           (double t, const double *y, const double *yp, double *r, void *user, rsd_thrown *thrown,
            resida_function *callback),
           callback(t, y, yp, r, user))
RSD_RESULT(rsd_call_known,
           (double t, const double *y, const double *yp, double *dy, double *dyp, rsd_thrown *thrown,
            const resida_system *s),
           s->known(t, y, yp, dy, dyp, s->user))
RSD_RESULT(rsd_call_prepare_differences,
           (double t, const double *y, const double *yp, rsd_thrown *thrown, const resida_system *s),
           s->around(t, y, yp, s->user))
RSD_RESULT(rsd_call_derivative,
           (double t, double alpha, const double *y, const double *yp, double *values, rsd_thrown *thrown,
            const resida_system *s),
           s->derivative(t, alpha, y, yp, values, s->user))
RSD_RESULT(rsd_call_times,
           (double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
            void *user, rsd_thrown *thrown, const resida_system *s),
           s->times(t, y, yp, k, dy, dyp, out, user))
RSD_RESULT(rsd_call_inputs, (double t, double *u, rsd_thrown *thrown, const resida_system *s), s->inputs(t, u, s->user))
RSD_DONE(rsd_call_move_input, (int i, double delta, rsd_thrown *thrown, const resida_system *s),
         s->move_input(i, delta, s->user))
RSD_RESULT(rsd_call_begin_workers, (long calls, rsd_thrown *thrown, const resida_system *s),
           s->begin_workers(calls, s->user))
RSD_DONE(rsd_call_end_workers, (int verdict, rsd_thrown *thrown, const resida_system *s),
         s->end_workers(verdict, s->user))

/* Callbacks of a class of models. */
RSD_RESULT(rsd_call_create,
           (const double *values, resida_model *model, resida_message *why, rsd_thrown *thrown,
            const resida_model_class *cls),
           cls->create(values, model, why))
RSD_DONE(rsd_call_destroy, (resida_model * model, rsd_thrown *thrown, const resida_model_class *cls),
         cls->destroy(model))
RSD_RESULT(rsd_call_reference,
           (const resida_model *model, double t, double *p, double *v, double *lam, rsd_thrown *thrown),
           model->reference(model, t, p, v, lam))
RSD_RESULT(rsd_call_shape, (const resida_model *model, double t, const double *p, double *xyz, rsd_thrown *thrown),
           model->shape(model, t, p, xyz))
RSD_RESULT(rsd_call_event, (const resida_model *model, resida_model_event *event, rsd_thrown *thrown),
           model->event(model, event))
RSD_RESULT(rsd_call_gaps,
           (double t, const double *p, const resida_excitation *e, double *out, void *user, rsd_thrown *thrown,
            resida_position_fn *callback),
           callback(t, p, e, out, user))
RSD_RESULT(rsd_call_output, (const resida_model *model, const resida_model_point *at, double *out, rsd_thrown *thrown),
           model->output(model, at, out))

/* Callbacks of an adapter. */
RSD_RESULT(rsd_call_open,
           (const char *path, const resida_model_class **cls, resida_message *why, rsd_thrown *thrown,
            const resida_adapter *adapter),
           adapter->open(path, cls, why))
RSD_DONE(rsd_call_close, (const resida_model_class *cls, rsd_thrown *thrown, const resida_adapter *adapter),
         adapter->close(cls))

/* Callbacks of a solver: resida_monitor_fn, resida_accepted_fn, resida_quadrature_fn, resida_newton_fn. */
RSD_RESULT(rsd_call_monitor, (double t, void *user, rsd_thrown *thrown, int (*callback)(double t, void *user)),
           callback(t, user))
RSD_RESULT(rsd_call_accepted,
           (const struct resida_step *step, void *user, rsd_thrown *thrown,
            int (*callback)(const struct resida_step *step, void *user)),
           callback(step, user))
RSD_RESULT(rsd_call_quadrature,
           (const struct resida_state *at, double *rate, void *user, rsd_thrown *thrown,
            int (*callback)(const struct resida_state *at, double *rate, void *user)),
           callback(at, rate, user))
RSD_DONE(rsd_call_observer,
         (const struct resida_newton_end *end, void *user, rsd_thrown *thrown,
          void (*callback)(const struct resida_newton_end *end, void *user)),
         callback(end, user))

/* Any other function of the caller. */
RSD_DONE(rsd_call_work, (void *context, rsd_thrown *thrown, void (*work)(void *context)), work(context))

#undef RSD_CALL
#undef RSD_RESULT
#undef RSD_DONE
