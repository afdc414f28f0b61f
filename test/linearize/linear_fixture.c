/* linear_fixture.c - see linear_fixture.h. */
#include "linear_fixture.h"
#include "test/fixtures/solver_fixture.h"

void linear_own(linear *x)
{
    test_own_linearization(x->l);
}

static void create(linear *x, const resida_mechanism *m, const char *form, resida_formalism formalism)
{
    resida_problem_options o = test_problem_options();
    *x = (linear){NULL, NULL, {0}, {0}};
    o.form = form, o.formalism = formalism;
    x->problem = test_problem(m, &o);
}

static void take_modes(linear *x, resida_status status, int count, double near, resida_message *why)
{
    if (status < 0) fail_msg("%s: %s", resida_status_name(status), why->text);
    linear_own(x);
    assert_int_equal(resida_linearization_get(x->l, &x->model), RESIDA_OK);
    status = resida_linearization_modes(x->l, count, near, &x->modes, why);
    if (status < 0) fail_msg("%s: %s", resida_status_name(status), why->text);
}

int linear_may_open(linear *x, const resida_mechanism *m, resida_formalism formalism, double t, const double *p0,
                    const double *v0, resida_status refusal)
{
    resida_message why = {""};
    resida_start_options o = test_start_options();
    const int n_l = m->n_g + m->n_h;
    double *s = claims_zeros((size_t)(m->n_p + 2 * m->n_v + n_l + 1), sizeof *s);
    double *p = s, *v = p + m->n_p, *a = v + m->n_v, *lam = a + m->n_v;
    o.redundant = RESIDA_REDUNDANT_DROP;
    create(x, m, "auto", formalism);
    if (n_l == 0) resida_start_options_init(&o);
    resida_status status =
        resida_problem_start(x->problem, t, p0, v0, n_l > 0 ? &o : NULL, p, v, a, n_l > 0 ? lam : NULL, NULL, &why);
    if (status < 0) fail_msg("%s", why.text);
    status = resida_linearize_mechanism(&x->l, x->problem, t, p, v, a, n_l > 0 ? lam : NULL, &why);
    const int is_refused = status < 0 && status == refusal;
    if (!is_refused) take_modes(x, status, 0, 0, &why);
    return !is_refused;
}

void linear_open(linear *x, const resida_mechanism *m, resida_formalism formalism, double t, const double *p0,
                 const double *v0)
{
    (void)linear_may_open(x, m, formalism, t, p0, v0, RESIDA_OK);
}

void linear_open_form(linear *x, const resida_mechanism *m, const char *form, double t, const double *p0,
                      const double *v0)
{
    linear_open_near(x, m, form, 0, 0, t, p0, v0);
}

void linear_open_near(linear *x, const resida_mechanism *m, const char *form, int count, double near, double t,
                      const double *p0, const double *v0)
{
    resida_message why = {""};
    create(x, m, form, RESIDA_FORMALISM_AUTO);
    resida_solver *s = test_solver_of(x->problem, NULL);
    assert_int_equal(resida_solver_start(s, t, p0, v0, NULL, NULL), RESIDA_OK);
    resida_state at = test_state(s);
    take_modes(x, resida_linearize(&x->l, x->problem, t, at.y, at.yp, &why), count, near, &why);
}

int linear_find(const linear *x, double re, double im, double part)
{
    for (int k = 0; k < x->modes.n; k++)
        if (hypot(x->modes.re[k] - re, x->modes.im[k] - im) <= part * hypot(re, im)) return k;
    for (int k = 0; k < x->modes.n; k++) print_message("eigenvalue %.12g + %.12g i\n", x->modes.re[k], x->modes.im[k]);
    fail_msg("no eigenvalue %.12g + %.12g i", re, im);
    return -1;
}

double linear_entry(const resida_matrix *A, int i, int j)
{
    for (int e = A->start[j]; e < A->start[j + 1]; e++)
        if (A->row[e] == i) return A->values[e];
    return 0;
}
