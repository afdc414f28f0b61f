/* test_small.c - the smallest models: one or two coordinates, with as many constraints as there is room for, with and
 * without excitation, in both formalisms; DAEs with one unknown. Each has a solution in closed form.
 *
 * All mechanisms have M = 2 and Psi = -3 p - 5 (for each coordinate) and are told apart by their constraints:
 *
 *     free       2 p'' = -3 p - 5                        p = -5/3 + c cos(w t) + s sin(w t), w = sqrt(3/2)
 *     forced     the same + u(t), u = cos t              + cos t (on top; resonance is far)
 *     fixed      g = p - 1                               lam = Psi
 *     driven     g = p - u                               p = cos t, lam = Psi - 2 p''
 *     dragged    v + gh = 0, gh = -0.5 (nonholonomic)    p = p0 + t/2, lam = Psi
 *     both       n_g = n_v = 2: fixed and driven
 *     mixed      n_g = n_h = 1: driven and dragged */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/solver_fixture.h"

static const double tol = 1e-7, t_end = 2;
enum { FREE, FORCED, FIXED, DRIVEN, DRAGGED }; /* kinds of a coordinate */

typedef struct small {
    const char *name, *form; /* form: what "auto" makes of it */
    int n;                   /* coordinates, 1 or 2 */
    int kind[2];
} small;

static const small models[] = {{"free", "ode", 1, {FREE, 0}},
                               {"forced", "ode", 1, {FORCED, 0}},
                               {"fixed", "ggl", 1, {FIXED, 0}},
                               {"driven", "ggl", 1, {DRIVEN, 0}},
                               {"dragged", "ggl", 1, {DRAGGED, 0}},
                               {"free, forced", "ode", 2, {FREE, FORCED}},
                               {"both", "ggl", 2, {FIXED, DRIVEN}},
                               {"mixed", "ggl", 2, {DRIVEN, DRAGGED}},
                               {"free, fixed", "ggl", 2, {FREE, FIXED}},
                               {"free, driven", "ggl", 2, {FREE, DRIVEN}},
                               {"free, dragged", "ggl", 2, {FREE, DRAGGED}}};
enum { N_SMALL = sizeof models / sizeof models[0] };

static double psi(const small *m, int i, double p, const resida_excitation *e)
{
    return -3 * p - 5 + (m->kind[i] == FORCED ? e->u[0] : 0);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const small *m = user;
    for (int i = 0; i < m->n; i++) r[i] = 2 * a[i] - psi(m, i, p[i], e);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const small *m = user;
    for (int i = 0; i < m->n; i++) a[i] = (psi(m, i, p[i], e) + f[i]) / 2;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const small *m = user;
    for (int i = 0, row = 0; i < m->n; i++)
        if (m->kind[i] == FIXED || m->kind[i] == DRIVEN) g[row++] = p[i] - (m->kind[i] == FIXED ? 1 : e->u[0]);
    return 0;
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    const small *m = user;
    for (int i = 0; i < m->n; i++) Gh[i] = m->kind[i] == DRAGGED;
    return 0;
}

static int nonholonomic_bias(double t, const double *p, const resida_excitation *e, double *gh, void *user)
{
    gh[0] = -0.5;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = cos(t);
    ud[0] = -sin(t);
    udd[0] = -cos(t);
    return 0;
}

static void exact(const small *m, int i, double t, double *p, double *v, double *a)
{
    const double w = sqrt(1.5), p0 = 0.5, v0 = 0.25;
    double mean = -5.0 / 3, follows = m->kind[i] == FORCED;
    switch (m->kind[i]) {
    case FIXED:
        *p = 1, *v = *a = 0;
        return;
    case DRIVEN:
        *p = cos(t), *v = -sin(t), *a = -cos(t);
        return;
    case DRAGGED:
        *p = 0.3 + t / 2, *v = 0.5, *a = 0;
        return;
    }
    double c = p0 - mean - follows, s = v0 / w;
    *p = mean + c * cos(w * t) + s * sin(w * t) + follows * cos(t);
    *v = w * (s * cos(w * t) - c * sin(w * t)) - follows * sin(t);
    *a = -w * w * (c * cos(w * t) + s * sin(w * t)) - follows * cos(t);
}

static int count(const small *m, int kind)
{
    int n = 0;
    for (int i = 0; i < m->n; i++) n += m->kind[i] == kind;
    return n;
}

static resida_problem *make(const small *m, int explicitly, const char *form)
{
    resida_mechanism k = test_mechanism();
    resida_problem_options o = test_problem_options();
    k.name = m->name;
    k.n_p = k.n_v = m->n;
    k.n_g = count(m, FIXED) + count(m, DRIVEN);
    k.n_h = count(m, DRAGGED);
    k.n_u = count(m, FORCED) + count(m, DRIVEN);
    k.user = (void *)(size_t)m;
    if (explicitly)
        k.acceleration = acceleration;
    else
        k.residual = residual;
    if (k.n_g) k.constraint = constraint;
    if (k.n_h) k.nonholonomic_matrix = nonholonomic_matrix;
    if (k.n_h) k.nonholonomic_bias = nonholonomic_bias;
    if (k.n_u) k.excitation = excitation;
    o.form = form;
    return test_problem(&k, &o);
}

/* Errors at the time reached: of p and v, and of the multipliers. */
static void check_end(const small *m, const resida_solver *s, double largest)
{
    double p, v, a;
    const resida_excitation e = {(const double[]){cos(t_end)}, NULL, NULL};
    resida_state at = test_state(s);
    for (int i = 0, g = 0, h = count(m, FIXED) + count(m, DRIVEN); i < m->n; i++) {
        exact(m, i, t_end, &p, &v, &a);
        if (fabs(at.p[i] - p) > largest || fabs(at.v[i] - v) > largest)
            fail_msg("%s: errors %g, %g", m->name, at.p[i] - p, at.v[i] - v);
        if (m->kind[i] < FIXED) continue;
        int row = m->kind[i] == DRAGGED ? h++ : g++;
        double lam = psi(m, i, p, &e) - 2 * a;
        if (fabs(at.lam[row] - lam) > 1e4 * largest) fail_msg("%s: error of lam %g", m->name, at.lam[row] - lam);
        if (at.eta && m->kind[i] != DRAGGED) assert_true(fabs(at.eta[row]) < 1e4 * largest);
    }
    int held = count(m, FIXED) + count(m, DRIVEN);
    assert_true((at.lam != NULL) == (held + count(m, DRAGGED) > 0));
    if (held == 0) assert_null(at.eta);
}

static void run(const small *m, int explicitly, const char *form)
{
    resida_problem *problem = make(m, explicitly, form);
    resida_solver_options o = test_solver_options();
    double p0[2], v0[2], a;
    for (int i = 0; i < m->n; i++) exact(m, i, 0, &p0[i], &v0[i], &a);
    o.rtol = o.atol = tol;
    assert_string_equal(resida_problem_form(problem), strcmp(form, "auto") == 0 ? m->form : form);
    assert_string_equal(resida_problem_formalism(problem), explicitly ? "explicit" : "residual");
    resida_solver *s = test_solver_of(problem, &o);
    for (int again = 0; again < 2; again++) {
        resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
        if (status == RESIDA_OK) status = resida_solver_advance(s, t_end);
        if (status != RESIDA_OK) fail_msg("%s, %s: %s", m->name, form, resida_solver_message(s));
        check_end(m, s, 100 * tol);
    }
}

CLAIM(every_small_mechanism_has_its_exact_solution)
{
    int cases = 0;
    for (int i = 0; i < N_SMALL; i++)
        for (int explicitly = 0; explicitly < 2; explicitly++) {
            run(&models[i], explicitly, "auto");
            run(&models[i], explicitly, models[i].form);
            cases += 2;
            if (strcmp(models[i].form, "ggl") == 0) {
                run(&models[i], explicitly, "index2");
                cases++;
            }
        }
    print_message("small mechanisms: %d cases\n", cases);
}

/* One unknown: y' = -y + u, or 0 = y - u; u = cos t or t itself without excitation. */
static int one_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const int *algebraic = user;
    double u = e->u && algebraic[1] ? e->u[0] : cos(t);
    r[0] = algebraic[0] ? y[0] - u : yp[0] + y[0] - u;
    return 0;
}

CLAIM(a_dae_with_one_unknown_has_its_exact_solution)
{
    for (int variant = 0; variant < 24; variant++) {
        int algebraic[2] = {variant % 2, variant / 2 % 2}, given = variant / 4 % 2;
        const resida_kind kind = algebraic[0] ? RESIDA_ALGEBRAIC : RESIDA_DIFFERENTIAL;
        resida_dae d = test_dae();
        resida_solver *s;
        resida_solver_options o = test_solver_options();
        resida_message why;
        d.n = 1;
        d.kinds = &kind;
        d.user = algebraic;
        d.residual = one_residual;
        if (algebraic[1]) d.n_u = 1;
        if (algebraic[1]) d.excitation = excitation;
        o.rtol = o.atol = tol;
        o.error_test = (resida_error_test)(variant / 8);
        o.t_stop = t_end; /* when nothing is in the error test, ends of steps are right, but nothing between them */
        const double y0 = given || !algebraic[0] ? 1 : 0.3, yp0 = 0; /* y = (cos t + sin t + exp(-t))/2, or cos t */
        resida_problem *problem = test_problem_dae(&d, NULL);
        assert_string_equal(resida_problem_form(problem), "dae");
        assert_string_equal(resida_problem_formalism(problem), "dae");
        if (variant / 8 == 1 || (variant / 8 == 2 && !algebraic[0])) { /* which test the same component as auto */
            assert_int_equal(resida_solver_create(&s, problem, &o, &why), RESIDA_ERR_OPTION);
            assert_non_null(strstr(why.text, "error_test"));
            continue;
        }
        s = test_solver_of(problem, &o);
        assert_int_equal(resida_solver_start_dae(s, 0, &y0, given ? &yp0 : NULL), RESIDA_OK);
        if (resida_solver_advance(s, t_end) != RESIDA_OK) fail_msg("%d: %s", variant, resida_solver_message(s));
        resida_state at = test_state(s);
        double right = algebraic[0] ? cos(t_end) : (cos(t_end) + sin(t_end) + exp(-t_end)) / 2;
        if (fabs(at.y[0] - right) > 100 * tol) fail_msg("variant %d: error %g", variant, at.y[0] - right);
        assert_true(at.p == NULL && at.v == NULL && at.a == NULL && at.lam == NULL && at.eta == NULL);
    }
    print_message("DAEs with one unknown: 24 cases\n");
}
