/* user_run.c - see user_run.h. */
#include "user_run.h"

const user_verdict user_verdicts[USER_VERDICTS] = {
    {1, RESIDA_ERR_USER_REPEATED}, {-1, RESIDA_ERR_USER}, {0, RESIDA_ERR_NONFINITE}};

outcome user_run(resida_solver *s, double t_end)
{
    outcome r = {.stats.size = sizeof r.stats};
    snprintf(r.strategy, sizeof r.strategy, "%s", resida_jacobian_strategy(resida_solver_jacobian(s)));
    r.status = resida_solver_advance(s, t_end);
    snprintf(r.message, sizeof r.message, "%s", resida_solver_message(s));
    assert_int_equal(resida_solver_stats(s, &r.stats), RESIDA_OK);
    assert_int_equal(resida_jacobian_get_counts(resida_solver_jacobian(s), &r.counts), RESIDA_OK);
    return r;
}

void user_differenced_nothing(const outcome *r)
{
    assert_string_equal(r->strategy, "user");
    assert_int_equal(r->counts.residual_calls, 0);
    assert_int_equal(r->stats.residual_calls.jacobian + r->stats.residual_calls.pattern, 0);
    assert_int_equal(r->counts.evaluations_dense + r->counts.evaluations_coloured, 0);
}

void user_wrong_is_kept(const outcome *r)
{
    user_differenced_nothing(r);
    assert_true(r->is_the_users || r->status < 0); /* behind a failure it is called elsewhere, to be compared */
    assert_true(r->status < 0 ? strlen(r->message) > 0 : r->error < 1e-2);
}

void user_passed_on(const outcome *r, const user_verdict *v, const char *callback, const char *component,
                    long calls_after)
{
    assert_int_equal(r->status, v->status);
    assert_non_null(strstr(r->message, callback));
    if (v->verdict == 0) assert_non_null(strstr(r->message, component));
    assert_true(v->verdict >= 0 || calls_after == 0);
}
