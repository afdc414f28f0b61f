/* contacts_fixture.c - see contacts_fixture.h. */
#include "contacts_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const char *const names[] = {"floor", "ceiling"};

resida_model model_of(thing *b, resida_model_contacts *c)
{
    resida_model m = {.size = sizeof m, .t_end = 3, .rtol = 1e-9, .atol = 1e-9, .user = b, .contacts = c};
    resida_mechanism_init(&m.mechanism);
    resida_dae_init(&m.dae);
    m.mechanism.user = b;
    m.p0 = b->p0, m.v0 = b->v0;
    *c = (resida_model_contacts){.size = sizeof *c, .n = 1, .restitution = b->e, .names = names};
    return m;
}

flight open_flight(const resida_model *m, const char *form, resida_formalism formalism)
{
    flight f;
    resida_solver_options o = test_solver_options();
    resida_problem_options po = test_problem_options();
    o.rtol = m->rtol, o.atol = m->atol;
    po.form = form, po.formalism = formalism, po.contacts = m->contacts;
    test_solver_make(&f.problem, &f.solver, &m->mechanism, &po, &o);
    f.run = test_model_run(m, f.solver);
    return f;
}

flight fly(const resida_model *m, const char *form, resida_formalism formalism)
{
    flight f = open_flight(m, form, formalism);
    if (resida_run_start(f.run, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(f.solver));
    return f;
}

flight fly_as_ever(const resida_model *m)
{
    return fly(m, "auto", RESIDA_FORMALISM_AUTO);
}

resida_state state_of(const flight *f)
{
    resida_state s = test_state(f->solver);
    return s;
}

resida_status go(flight *f, double t)
{
    resida_status status;
    while ((status = resida_run_advance(f->run, t)) == RESIDA_EVENT) continue;
    return status;
}

void nearly(double x, double y, double tolerance, int line)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("line %d: %.17g, not %.17g", line, x, y);
}
