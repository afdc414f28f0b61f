/* test_exceptions.cpp - callbacks in C++ that throw, at call k = 1..300 of each of them: in mechanisms of both
 * formalisms with every optional callback, in general DAEs, by all integrators, with threads. What is thrown never
 * leaves the library: it is RESIDA_ERR_USER with callback, time and what() in the message, no callback is called after
 * it, and the solver starts again like a new one.
 *
 * In a library without C++ the one claim is that throwing ends the program where it is thrown. */
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <cmocka.h>
}

#include <resida/resida.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "throw_script.h"
#include "throwing_models.h"

namespace {

using namespace throwing;

/* A problem and a solver on it, and how far it went. */
struct run {
    resida_problem *problem = nullptr;
    resida_solver *solver = nullptr;
    const setting with;

    explicit run(const setting &s) : with(s)
    {
        resida_message why = {""};
        resida_status status = s.is_dae ? resida_problem_create_dae(&problem, &s.d, &s.problem, &why)
                                        : resida_problem_create(&problem, &s.m, &s.problem, &why);
        if (status == RESIDA_OK) status = resida_solver_create(&solver, problem, &s.solver, &why);
        if (status != RESIDA_OK) fail_msg("%s", why.text);
    }
    run(const run &) = delete;
    run &operator=(const run &) = delete;
    ~run()
    {
        resida_solver_free(solver);
        resida_problem_free(problem);
    }

    resida_status go()
    {
        resida_status status = with.is_dae ? resida_solver_start_dae(solver, 0, with.start, nullptr)
                                           : resida_solver_start(solver, 0, with.start, with.rates, nullptr, nullptr);
        while (status >= 0 && (status = resida_solver_advance(solver, 0.25)) == RESIDA_EVENT) continue;
        return status < 0 || !with.examines ? status : resida_solver_examine(solver);
    }

    /* y and yp, bit for bit. */
    std::string state() const
    {
        resida_state at;
        resida_layout layout;
        assert_int_equal(resida_solver_state(solver, &at), RESIDA_OK);
        assert_int_equal(resida_problem_layout(problem, &layout), RESIDA_OK);
        size_t bytes = static_cast<size_t>(layout.n) * sizeof(double);
        return std::string(reinterpret_cast<const char *>(at.y), bytes) +
               std::string(reinterpret_cast<const char *>(at.yp), bytes);
    }
};

void expect_caught(const setting &s, callback which, long at, const std::string &right)
{
    run r(s);
    arm(which, at);
    resida_status status = r.go();
    std::string message = resida_solver_message(r.solver);
    if (!now.thrown) fail_msg("%s: call %ld was not made", names[which], at);
    if (status != RESIDA_ERR_USER)
        fail_msg("%s, call %ld: %s \"%s\"", names[which], at, resida_status_name(status), message.c_str());
    std::string blamed = std::string("callback ") + names[which] + " " + said[at % N_KINDS];
    if (message.find(blamed) == std::string::npos || message.find(" t = ") == std::string::npos)
        fail_msg("%s, call %ld: \"%s\" does not say \"%s\"", names[which], at, message.c_str(), blamed.c_str());
    if (now.after > 0 && !s.is_threaded) fail_msg("%s, call %ld: called on", names[which], at);
    arm(N_CALLBACKS, 0);
    if (r.go() != RESIDA_OK) fail_msg("started again: %s", resida_solver_message(r.solver));
    if (r.state() != right) fail_msg("%s, call %ld: started again, other bits than a new solver", names[which], at);
}

const long always = 10; /* first calls, each of which is tried */
long one_of = 1;        /* of so many calls behind them one is tried: RESIDA_TEST_ONE_OF */

/* Which callbacks throw, as letters of their numbers, is what the settings are for. */
long throw_everywhere(const setting &s, std::vector<bool> &seen)
{
    arm(N_CALLBACKS, 0);
    run clean(s);
    if (clean.go() != RESIDA_OK) fail_msg("without exceptions: %s", resida_solver_message(clean.solver));
    const std::string right = clean.state();
    long calls[N_CALLBACKS], tried = 0;
    for (int c = 0; c < N_CALLBACKS; c++) calls[c] = now.calls[c];
    for (int c = 0; c < N_CALLBACKS; c++) {
        if (calls[c] > 0) seen[static_cast<size_t>(c)] = true;
        for (long at = 1; at <= calls[c] && at <= last_call; at++) {
            if (at > always && at % one_of != 0) continue;
            expect_caught(s, static_cast<callback>(c), at, right);
            tried++;
        }
    }
    return tried;
}

void an_exception_in_any_callback_is_a_failure_that_names_it(void **)
{
    setting (*const settings[])() = {
        everything,        explicitly,      with_derivatives,  residually_by_lam, explicitly_by_lam,
        own_projection,    by_fixed_steps,  by_columns,        extended,          dae,
        dae_with_jacobian, with_invariants, dae_with_products, with_products};
    std::vector<bool> seen(N_CALLBACKS);
    long tried = 0;
    for (setting (*make)() : settings) tried += throw_everywhere(make(), seen);
    for (size_t c = 0; c < N_CALLBACKS; c++)
        if (!seen[c]) fail_msg("%s is never called", names[c]);
    print_message("%ld exceptions\n", tried);
}

void an_exception_in_a_thread_of_differences_is_a_failure(void **)
{
    std::vector<bool> seen(N_CALLBACKS);
    assert_true(throw_everywhere(by_threads(), seen) > 100);
}

int throws(const resida_state *, double *, void *)
{
    throw std::runtime_error("no rate");
}

void an_exception_in_the_rates_of_quadratures_is_a_failure(void **)
{
    arm(N_CALLBACKS, 0);
    run r(dae());
    assert_int_equal(resida_solver_set_quadratures(r.solver, 1, throws, nullptr), RESIDA_OK);
    assert_int_equal(r.go(), RESIDA_ERR_USER);
    const std::string message = resida_solver_message(r.solver);
    if (message.find("callback of quadratures threw \"no rate\" at t = ") == std::string::npos)
        fail_msg("%s", message.c_str());
    assert_int_equal(resida_solver_set_quadratures(r.solver, 0, nullptr, nullptr), RESIDA_OK);
    assert_int_equal(r.go(), RESIDA_OK);
}

struct witness {
    ~witness()
    {
        std::_Exit(1); /* something was unwound */
    }
};

void is_terminated()
{
    std::_Exit(42);
}

/* In a child: whether it ended in std::terminate(), with nothing unwound. */
bool ends_the_program(callback which)
{
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        std::set_terminate(is_terminated);
        try {
            run r(everything());
            witness w;
            arm(which, 1);
            r.go();
        } catch (...) {
            std::_Exit(2);
        }
        std::_Exit(3);
    }
    int how = 0;
    return waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 42;
}

void without_cpp_an_exception_ends_the_program_with_nothing_unwound(void **)
{
    const callback called[] = {residual,   constraint, constraint_matrix, velocity_bias, mass_matrix,
                               excitation, monitor};
    for (callback which : called)
        if (!ends_the_program(which)) fail_msg("%s: the exception got somewhere", names[which]);
}

} // namespace

int main()
{
    if (const char *set = std::getenv("RESIDA_TEST_ONE_OF")) one_of = std::atol(set);
    const CMUnitTest caught[] = {
        cmocka_unit_test(an_exception_in_any_callback_is_a_failure_that_names_it),
        cmocka_unit_test(an_exception_in_a_thread_of_differences_is_a_failure),
        cmocka_unit_test(an_exception_in_the_rates_of_quadratures_is_a_failure),
    };
    const CMUnitTest not_caught[] = {
        cmocka_unit_test(without_cpp_an_exception_ends_the_program_with_nothing_unwound),
    };
    return resida_catches_exceptions() ? cmocka_run_group_tests(caught, nullptr, nullptr)
                                       : cmocka_run_group_tests(not_caught, nullptr, nullptr);
}
