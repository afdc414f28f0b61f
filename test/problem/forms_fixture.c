/* forms_fixture.c - see forms_fixture.h. */
#include "forms_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* All but "ode". */
const char *forms_name(int i)
{
    int at = 0;
    for (const char *name; (name = resida_form_at(at)); at++)
        if (strcmp(name, "ode") != 0 && i-- == 0) return name;
    return NULL;
}

int forms_count(void)
{
    int n = 0;
    while (forms_name(n)) n++;
    return n;
}

#define TOLERANCE 1e-8
#define T_END     0.5

void forms_integrate(const resida_mechanism *m, const resida_problem_options *po, const double *p0, const double *v0,
                     const char *jacobian, int threads, ending *end)
{
    resida_solver_options o = test_solver_options();
    resida_start_options so = test_start_options();
    so.redundant = RESIDA_REDUNDANT_DROP;
    o.rtol = o.atol = TOLERANCE;
    o.h_max = 0.01; /* for lam and a, which have no error test */
    o.t_stop = T_END;
    o.jacobian = jacobian;
    o.threads = threads;
    resida_solver *s = test_solver(m, po, &o);
    if (resida_solver_start(s, 0, p0, v0, &so, NULL) < 0) fail_msg("%s: %s", po->form, resida_solver_message(s));
    if (resida_solver_advance(s, T_END) < 0) fail_msg("%s: %s", po->form, resida_solver_message(s));
    resida_state at = test_state(s);
    memset(end, 0, sizeof *end);
    memcpy(end->p, at.p, (size_t)m->n_p * sizeof *at.p);
    memcpy(end->v, at.v, (size_t)m->n_v * sizeof *at.v);
    memcpy(end->a, at.a, (size_t)m->n_v * sizeof *at.a);
    memcpy(end->lam, at.lam, (size_t)(m->n_g + m->n_h) * sizeof *at.lam);
}

static double apart(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(x[i]));
        most = fmax(most, fabs(x[i] - y[i]) / (1 + fabs(y[i])));
    }
    return most;
}

void forms_compare(const resida_mechanism *m, const char *form, const ending *x, const ending *y)
{
    int is_index3 = strcmp(form, "index3") == 0 || strcmp(form, "augmented") == 0;
    double p = apart(m->n_p, x->p, y->p), v = apart(m->n_v, x->v, y->v), a = apart(m->n_v, x->a, y->a);
    double lam = apart(m->n_g + m->n_h, x->lam, y->lam), most = is_index3 ? 1e-4 : 1e-6;
    print_message("  %-20s p %.1e v %.1e a %.1e lam %.1e\n", form, p, v, a, lam);
    assert_true(p <= most && v <= most);
    assert_true(a <= 100 * most && lam <= 100 * most);
}

resida_problem_options forms_options(const char *form, resida_formalism formalism)
{
    resida_problem_options o = test_problem_options();
    o.form = form;
    o.formalism = formalism;
    if (resida_option_fits(resida_option_find("gamma"), form, NULL)) o.gamma = 2;
    if (resida_option_fits(resida_option_find("penalty"), form, NULL)) o.penalty = 3;
    return o;
}
