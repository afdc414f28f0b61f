/* test_exceptions_beside.cpp - what throws beside the callbacks of a run: functions of the Jacobian engine alone, an
 * allocator, a class of models. It is a verdict, a status, a message there too. For a library that catches. */
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <cmocka.h>
}

#include <resida/all.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "throw_script.h"
#include "throwing_models.h"

namespace {

using namespace throwing;

/* The Jacobian engine alone: F = formalism + constraint of y in R^2, one input. */
struct engine_script {
    const char *which;
    long at, calls;
};

void engine_passes(void *user, const char *who)
{
    auto *s = static_cast<engine_script *>(user);
    if (std::strcmp(who, s->which) == 0 && ++s->calls == s->at) throw_one(s->at % N_KINDS);
}

int formalism(double, const double *y, const double *, double *r, void *user)
{
    r[0] = y[0] * y[1];
    r[1] = std::sin(y[1]);
    engine_passes(user, "formalism");
    return 0;
}

int constraint(double, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] + y[1];
    r[1] = yp[1];
    engine_passes(user, "constraint");
    return 0;
}

int whole(double t, const double *y, const double *yp, double *r, void *user)
{
    double c[2];
    engine_passes(user, "F");
    formalism(t, y, yp, r, user);
    constraint(t, y, yp, c, user);
    r[0] += c[0];
    r[1] += c[1];
    return 0;
}

resida_system engine_system(engine_script *s)
{
    static const int row[1] = {0}, column[1] = {1}, yp_row[2] = {0, 1}, yp_column[2] = {0, 1};
    static const unsigned char columns[2] = {RESIDA_COLUMN_FORMALISM,
                                             RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_CONSTRAINT};
    resida_system system;
    resida_system_init(&system);
    system.n = 2;
    system.user = s;
    system.F = whole;
    system.formalism = formalism;
    system.constraint = constraint;
    system.n_y = 1, system.n_yp = 2;
    system.y_row = row, system.y_column = column, system.yp_row = yp_row, system.yp_column = yp_column;
    system.columns = columns;
    system.known = [](double, const double *, const double *, double *dy, double *dyp, void *user) {
        dy[0] = dyp[0] = dyp[1] = 1;
        engine_passes(user, "known");
        return 0;
    };
    system.n_inputs = 1;
    system.inputs = [](double t, double *u, void *user) {
        u[0] = t;
        engine_passes(user, "inputs");
        return 0;
    };
    system.move_input = [](int, double, void *user) { engine_passes(user, "move_input"); };
    return system;
}

/* Setups of all reasons; the first verdict that is not 0. */
int set_up(resida_jacobian *j)
{
    const resida_setup_reason reasons[] = {RESIDA_SETUP_FIRST, RESIDA_SETUP_ALPHA, RESIDA_SETUP_FAILURE,
                                           RESIDA_SETUP_ATTEMPT};
    double y[2] = {1, 2}, yp[2] = {0, 0}, F[2] = {4, std::sin(2.0)}, w[2] = {1, 1};
    int verdict = 0, current;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && !verdict; i++) {
        resida_jacobian_point at = {0.1 * static_cast<double>(i), 10.0 + static_cast<double>(i), 0.1, y, yp, F, w, 0};
        verdict = resida_jacobian_setup(j, reasons[i], &at, &current);
    }
    return verdict;
}

void an_exception_in_the_engine_alone_is_a_fatal_verdict(void **)
{
    const char *const functions[] = {"formalism", "constraint", "F", "known", "inputs", "move_input"};
    const char *const strategies[] = {"dense", "sparse+extended", "fresh"};
    bool seen[sizeof functions / sizeof *functions] = {};
    for (const char *strategy : strategies)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            for (long at = 1; at <= last_call; at++) {
                engine_script s = {functions[f], at, 0};
                resida_system system = engine_system(&s);
                resida_jacobian_options o;
                resida_jacobian_options_init(&o);
                o.strategy = strategy;
                resida_jacobian *j = nullptr;
                assert_int_equal(resida_jacobian_create(&j, &system, &o, nullptr), RESIDA_OK);
                int verdict = set_up(j);
                resida_jacobian_free(j);
                if (s.calls < at) {
                    assert_int_equal(verdict, 0);
                    break;
                }
                seen[f] = true;
                if (verdict != RESIDA_ERR_USER) fail_msg("%s, call %ld: verdict %d", functions[f], at, verdict);
            }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (!seen[f] && std::strcmp(functions[f], "F") != 0) fail_msg("%s is never called", functions[f]);
}

long allocations, allocation_at;

void *allocate(size_t bytes, void *)
{
    if (++allocations == allocation_at) throw_one(allocation_at % N_KINDS);
    return std::malloc(bytes);
}

void release(void *block, void *)
{
    std::free(block);
    throw_one(WITH_WORDS);
}

void an_exception_in_an_allocator_is_no_memory(void **)
{
    const resida_allocator alloc = {allocate, release, nullptr};
    setting s = basic();
    s.problem.allocator = &alloc;
    arm(N_CALLBACKS, 0);
    long refused = 0;
    for (allocation_at = 1;; allocation_at++) {
        resida_problem *problem = nullptr;
        resida_solver *solver = nullptr;
        allocations = 0;
        resida_status status = resida_problem_create(&problem, &s.m, &s.problem, nullptr);
        if (status == RESIDA_OK) status = resida_solver_create(&solver, problem, &s.solver, nullptr);
        resida_solver_free(solver);
        resida_problem_free(problem);
        if (allocations < allocation_at) break;
        if (status == RESIDA_OK) continue; /* it could do without */
        assert_int_equal(status, RESIDA_ERR_MEMORY);
        refused++;
    }
    assert_true(refused > 20);
}

int refuses_to_be(const double *, resida_model *, resida_message *)
{
    throw std::logic_error("no such gear");
}

int throwing_reference(const resida_model *, double, double *, double *, double *)
{
    throw std::logic_error("no such gear");
}

int throwing_shape(const resida_model *, double, const double *, double *)
{
    throw std::logic_error("no such gear");
}

int throwing_output(const resida_model *, const resida_model_point *, double *)
{
    throw std::logic_error("no such gear");
}

int ode(double, const double *y, const double *yp, const resida_excitation *, double *r, void *)
{
    r[0] = yp[0] + y[0];
    return 0;
}

int creates(const double *, resida_model *m, resida_message *)
{
    static const double y0[1] = {1};
    m->is_dae = 1;
    m->dae.n = 1;
    m->dae.residual = ode;
    m->y0 = y0;
    m->t_end = 1;
    m->rtol = m->atol = 1e-3;
    m->reference = throwing_reference;
    m->shape = throwing_shape;
    m->output = throwing_output;
    return 0;
}

void throws_when_destroyed(resida_model *)
{
    throw 3;
}

void an_exception_in_a_class_of_models_is_caught(void **)
{
    const resida_model_class bad = {RESIDA_MODEL_HEAD, "bad", "throws", 0, nullptr, refuses_to_be, nullptr, nullptr};
    const resida_model_class late = {RESIDA_MODEL_HEAD,     "late", "throws", 0, nullptr, creates,
                                     throws_when_destroyed, nullptr};
    resida_model model;
    resida_message why;
    assert_int_equal(resida_model_create(&bad, 0, nullptr, nullptr, &model, &why), RESIDA_ERR_MODEL);
    assert_string_equal(why.text, "bad: create() threw \"no such gear\"");
    assert_int_equal(resida_model_create(&late, 0, nullptr, nullptr, &model, &why), RESIDA_OK);
    assert_int_equal(resida_model_reference(&model, 1, nullptr, nullptr, nullptr), RESIDA_ERR_USER);
    double at[3] = {0, 0, 0};
    assert_int_equal(resida_model_shape(&model, 1, at, at), RESIDA_ERR_USER);
    const resida_model_point point = {1, at, at, nullptr, nullptr, nullptr, nullptr, nullptr};
    assert_int_equal(resida_model_output(&model, &point, at), RESIDA_ERR_USER);
    resida_model_destroy(&late, &model);
    assert_int_equal(model.size, 0);
    assert_int_equal(resida_catch([](void *) { throw_one(WITH_WORDS); }, nullptr, &why), RESIDA_ERR_USER);
    assert_string_equal(why.text, said[WITH_WORDS]);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(an_exception_in_the_engine_alone_is_a_fatal_verdict),
        cmocka_unit_test(an_exception_in_an_allocator_is_no_memory),
        cmocka_unit_test(an_exception_in_a_class_of_models_is_caught),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
