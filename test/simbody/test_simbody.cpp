/* test_simbody.cpp - systems of Simbody by examples/simbody_glue.h: the table of the example, and what is beside it in
 * one process: exceptions, another SUNDIALS, systems that are refused. */
#include "examples/simbody_glue.h"

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <string>

extern "C" {
#include <cmocka.h>
}

using namespace SimTK;

/* ---- The example. ---- */

struct Result {
    double tolerance = 0, error = 0, off = 0, energy = 0;
    long steps = 0;
};

/* What the example prints, with its exit code. */
static int run_example(const std::string &arguments, std::string *out)
{
    char part[512];
    const char *folder = getenv("RESIDA_SIMBODY_EXAMPLE");
    assert_non_null(folder);
    FILE *f = popen((std::string(folder) + " " + arguments).c_str(), "r");
    assert_non_null(f);
    out->clear();
    while (fgets(part, sizeof part, f)) *out += part;
    return pclose(f);
}

static Result row_of(const std::string &table, const char *name)
{
    Result r;
    const size_t at = table.find(std::string("\n") + name + " ");
    if (at == std::string::npos || sscanf(table.c_str() + at + 1 + strlen(name), "%lf %lf %lf %lf %ld", &r.tolerance,
                                          &r.error, &r.off, &r.energy, &r.steps) != 5)
        fail_msg("no result of %s in\n%s", name, table.c_str());
    return r;
}

struct Case {
    const char *arguments;
    double tolerance;
    bool is_conservative;
};

/* The error is that against Simbody's trajectory; errors of steps add up, ten outputs are looked at. */
static void linkages_go_where_simbody_takes_them(void **)
{
    const Case cases[] = {{"pins 1e-6 0.2", 1e-6, true},
                          {"stiff-pins 1e-6 0.02", 1e-6, false},
                          {"ball-loop 1e-6 0.03", 1e-6, true},
                          {"rough-loop 1e-6 0.03", 1e-6, false}};
    const double many = 100; /* tolerances */
    for (const Case &c : cases) {
        std::string table;
        double apart = INFINITY;
        assert_int_equal(run_example(std::string(c.arguments) + " 2>&1", &table), 0);
        const size_t at = table.find("differ by ");
        if (at == std::string::npos || sscanf(table.c_str() + at, "differ by %lf", &apart) != 1 || !(apart < 1e-8))
            fail_msg("no reference in\n%s", table.c_str());
        for (const char *name : {"resida:residual", "resida:acceleration", "CPodes:BDF"}) {
            const Result r = row_of(table, name);
            if (!(r.error < many * c.tolerance && r.off < many * c.tolerance && r.steps > 10) ||
                (c.is_conservative && !(r.energy < many * c.tolerance)))
                fail_msg("%s is off in\n%s", name, table.c_str());
        }
    }
}

static void wrong_arguments_are_refused_in_one_line(void **)
{
    for (const char *arguments : {"rope", "pins 0", "pins x", "pins 1e-4 -1", "pins 1e-4 1 1"}) {
        std::string out;
        assert_int_not_equal(run_example(std::string(arguments) + " 2>&1", &out), 0);
        assert_int_equal(out.find("simbody_linkage: "), 0);
        assert_int_equal(out.find('\n'), out.size() - 1);
    }
    std::string out;
    assert_int_not_equal(run_example("pins 1e-2 0.01 2>&1 >/dev/full", &out), 0);
}

/* ---- In this process. ---- */

struct Pendulum {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    MobilizedBody::Pin pin;
    State start;
    Pendulum()
        : matter(system), forces(system),
          pin(matter.Ground(), Vec3(0), Body::Rigid(MassProperties(1, Vec3(0), UnitInertia(0.1))), Vec3(0, 1, 0))
    {
        Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    }
    void make(double angle)
    {
        start = system.realizeTopology();
        pin.setOneQ(start, 0, angle);
        system.realize(start, Stage::Instance);
    }
};

struct Solver {
    resida_problem *problem = nullptr;
    resida_solver *solver = nullptr;
    explicit Solver(const resida_mechanism &m)
    {
        resida_message why;
        if (resida_problem_create(&problem, &m, nullptr, &why) < 0 ||
            resida_solver_create(&solver, problem, nullptr, &why) < 0)
            fail_msg("%s", why.text);
    }
    ~Solver()
    {
        resida_solver_free(solver);
        resida_problem_free(problem);
    }
};

static const char *library_of(const char *symbol)
{
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, symbol);
    return address && dladdr(address, &info) ? info.dli_fname : "";
}

/* CPodes and IDA by turns, both by names that SUNDIALS has in both. */
static void two_kinds_of_sundials_work_by_turns(void **)
{
    Pendulum pendulum;
    pendulum.make(1);
    Glue glue(pendulum.system, pendulum.start);
    resida_mechanism m;
    resida_state state;
    glue.fill(&m, false);
    Solver ours(m);
    CPodesIntegrator theirs(pendulum.system, CPodes::BDF);
    theirs.setAccuracy(1e-7);
    theirs.initialize(pendulum.start);
    const double v0 = 0, p0 = 1;
    assert_int_equal(resida_solver_start(ours.solver, 0, &p0, &v0, nullptr, nullptr), RESIDA_OK);
    for (int k = 1; k <= 20; k++) {
        while (theirs.getTime() < 0.1 * k) theirs.stepTo(0.1 * k);
        assert_int_equal(resida_solver_advance(ours.solver, 0.1 * k), RESIDA_OK);
        assert_int_equal(resida_solver_state(ours.solver, &state), RESIDA_OK);
        assert_true(std::abs(state.p[0] - theirs.getState().getQ()[0]) < 1e-4);
    }
    assert_non_null(strstr(library_of("N_VLinearSum"), "libSimTKmath"));
    assert_string_equal(library_of("IDAInit"), "");
}

/* Asks a State for velocities that are not there: Simbody throws. */
static int asks_too_early(double, const double *, const double *, const double *, const resida_excitation *, double *r,
                          void *user)
{
    const Pendulum &pendulum = *static_cast<Pendulum *>(user);
    State s = pendulum.start;
    r[0] = pendulum.pin.getBodyVelocity(s)[0][0];
    return 0;
}

static void what_simbody_throws_ends_the_run_in_its_words(void **)
{
    Pendulum pendulum;
    pendulum.make(1);
    resida_mechanism m;
    const double p0 = 1, v0 = 0;
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 1;
    m.user = &pendulum;
    m.residual = asks_too_early;
    Solver s(m);
    assert_int_equal(resida_solver_start(s.solver, 0, &p0, &v0, nullptr, nullptr), RESIDA_ERR_USER);
    if (!strstr(resida_solver_message(s.solver), "SimTK Exception thrown at State.cpp"))
        fail_msg("it says %s", resida_solver_message(s.solver));
}

static bool is_refused(Pendulum &pendulum)
{
    pendulum.make(0.5);
    try {
        Glue glue(pendulum.system, pendulum.start);
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

static void what_the_glue_does_not_serve_it_refuses(void **)
{
    Pendulum plain, moved, rolling, driven;
    assert_false(is_refused(plain));
    Motion::Steady(moved.pin, 1);
    assert_true(is_refused(moved));
    Constraint::ConstantSpeed(rolling.pin, 1);
    assert_true(is_refused(rolling));
    Constraint::ConstantAcceleration(driven.pin, 1);
    assert_true(is_refused(driven));
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(linkages_go_where_simbody_takes_them),
        cmocka_unit_test(wrong_arguments_are_refused_in_one_line),
        cmocka_unit_test(two_kinds_of_sundials_work_by_turns),
        cmocka_unit_test(what_simbody_throws_ends_the_run_in_its_words),
        cmocka_unit_test(what_the_glue_does_not_serve_it_refuses),
    };
    return cmocka_run_group_tests_name("simbody", tests, nullptr, nullptr);
}
