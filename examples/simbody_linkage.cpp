/* simbody_linkage.cpp - linkages of Simbody, integrated by resida and by Simbody's integrators.
 *
 *     simbody_linkage                                every linkage, seven tolerances; times at equal error
 *     simbody_linkage LINKAGE [TOLERANCE [SECONDS]]  one of: pins stiff-pins ball-loop rough-loop
 *
 * simbody_glue.h makes a mechanism of any system of Simbody; by_resida() below uses it.
 *
 * Simbody contains a copy of SUNDIALS whose symbols are global. Link a libresida that is built with -Disolated=true;
 * other builds end with an error message. CPodes prints "mxstep steps taken" on stderr and continues. */
#include "simbody_glue.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace SimTK;

/* ---- The linkages: Simbody only. ---- */

static const int n_links = 14;
static const double length = 0.2, mass = 0.3, radius = 0.02; /* m, kg, m: of a link */

struct Linkage {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    std::vector<MobilizedBody> links;
    State start;
    bool is_stiff = false;
    Linkage() : matter(system), forces(system)
    {
        Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    }
};

static Body::Rigid link_body()
{
    return Body::Rigid(MassProperties(mass, Vec3(0), mass * UnitInertia::cylinderAlongX(radius, length / 2)));
}

/* Return the free end of the chain, or the ground: the point at which the next link begins. */
static Vec3 end_of(const Linkage &l)
{
    return Vec3(l.links.empty() ? 0 : length / 2, 0, 0);
}

static MobilizedBody &last(Linkage &l)
{
    return l.links.empty() ? l.matter.updGround() : l.links.back();
}

/* Add a chain of 14 links on pins, released from the horizontal, with or without springs and dampers in the pins. */
static void add_pins(Linkage &l, double stiffness, double damping)
{
    for (int i = 0; i < n_links; i++) {
        MobilizedBody::Pin pin(last(l), end_of(l), link_body(), Vec3(-length / 2, 0, 0));
        if (stiffness > 0) Force::MobilityLinearSpring(l.forces, pin, MobilizerUIndex(0), stiffness, 0);
        if (damping > 0) Force::MobilityLinearDamper(l.forces, pin, MobilizerUIndex(0), damping);
        l.links.push_back(pin);
    }
    l.is_stiff = stiffness > 0;
    l.start = l.system.realizeTopology();
}

/* Add links on ball joints (quaternions), with another ball joint at the end of the last link: a V that falls and
 * leaves its plane. */
static void add_ball_loop(Linkage &l, double damping)
{
    const double slope = 0.6; /* rad, of both sides of the V */
    for (int i = 0; i < n_links; i++) {
        MobilizedBody::Ball ball(last(l), end_of(l), link_body(), Vec3(-length / 2, 0, 0));
        if (i == 0) ball.setDefaultRotation(Rotation(-slope, ZAxis));
        if (i == n_links / 2) ball.setDefaultRotation(Rotation(2 * slope, ZAxis));
        for (int k = 0; damping > 0 && k < 3; k++)
            Force::MobilityLinearDamper(l.forces, ball, MobilizerUIndex(k), damping);
        l.links.push_back(ball);
    }
    Constraint::Ball(l.matter.Ground(), Vec3(n_links * length * std::cos(slope), 0, 0), last(l), end_of(l));
    l.is_stiff = damping > 0;
    l.start = l.system.realizeTopology();
    for (size_t i = 0; i < l.links.size(); i++) l.links[i].setOneU(l.start, 1, i % 2 ? -1 : 1);
    l.system.project(l.start, 1e-12);
}

static const char *const names[] = {"pins", "stiff-pins", "ball-loop", "rough-loop"};

static std::unique_ptr<Linkage> linkage(const std::string &name)
{
    std::unique_ptr<Linkage> l(new Linkage);
    if (name == "pins")
        add_pins(*l, 0, 0);
    else if (name == "stiff-pins")
        add_pins(*l, 2000, 20);
    else if (name == "ball-loop")
        add_ball_loop(*l, 0);
    else if (name == "rough-loop")
        add_ball_loop(*l, 0.1);
    else
        throw std::invalid_argument("no linkage \"" + name + "\": pins, stiff-pins, ball-loop, rough-loop");
    l->system.realize(l->start, Stage::Instance);
    return l;
}

/* ---- Runs by resida and by Simbody. ---- */

static const int outputs = 10;
static const double patience = 1, much_patience = 60; /* s: time limits of a run and of a reference */

struct Run {
    std::string why;            /* reason of a failure; "": success */
    std::vector<double> places; /* positions of the links, at each output */
    double off = 0;             /* largest position or velocity error of constraints, including norms of quaternions */
    double energy = 0;          /* largest energy error */
    double seconds = 0;         /* processor time */
    long steps = 0, evaluations = 0;
};

static double now()
{
    return (double)std::clock() / CLOCKS_PER_SEC;
}

/* A resida_monitor_fn: stops the run at the time limit. */
static int is_late(double, void *user)
{
    return now() > *static_cast<const double *>(user);
}

/* Process an output; the time for it is not counted. */
static void look(const Linkage &l, const State &s, double energy, Run *run)
{
    l.system.realize(s, Stage::Dynamics);
    for (const MobilizedBody &link : l.links)
        for (int i = 0; i < 3; i++) run->places.push_back(link.getBodyOriginLocation(s)[i]);
    if (s.getNQErr()) run->off = std::max(run->off, s.getQErr().normInf());
    if (s.getNUErr()) run->off = std::max(run->off, s.getUErr().normInf());
    run->energy = std::max(run->energy, std::abs(l.system.calcEnergy(s) - energy));
}

static double energy_at_start(const Linkage &l)
{
    State s = l.start;
    l.system.realize(s, Stage::Dynamics);
    return l.system.calcEnergy(s);
}

static bool advance(const Linkage &l, resida_solver *solver, double t_end, Run *run)
{
    const double energy = energy_at_start(l);
    State s = l.start;
    resida_state state;
    double begun = now();
    if (resida_solver_start(solver, 0, &s.getQ()[0], &s.getU()[0], nullptr, nullptr) < 0) return false;
    for (int k = 1; k <= outputs; k++) {
        if (resida_solver_advance(solver, t_end * k / outputs) != RESIDA_OK || resida_solver_state(solver, &state) < 0)
            return false;
        run->seconds += now() - begun;
        s.setTime(state.t);
        copy(state.p, s.getNQ(), &s.updQ());
        copy(state.v, s.getNU(), &s.updU());
        look(l, s, energy, run);
        begun = now();
    }
    return true;
}

static Run by_resida(const Linkage &l, bool by_accelerations, double tolerance, double t_end, double limit)
{
    Run run;
    Glue glue(l.system, l.start);
    resida_mechanism m;
    resida_problem *problem = nullptr;
    resida_solver *solver = nullptr;
    resida_message why = {""};
    resida_solver_options options;
    resida_stats stats;
    glue.fill(&m, by_accelerations);
    resida_solver_options_init(&options);
    options.rtol = options.atol = tolerance;
    double latest = now() + limit;
    options.monitor = is_late;
    options.monitor_user = &latest;
    if (resida_problem_create(&problem, &m, nullptr, &why) < 0 ||
        resida_solver_create(&solver, problem, &options, &why) < 0)
        run.why = why.text;
    else if (!advance(l, solver, t_end, &run))
        run.why = now() > latest ? "time limit exceeded" : resida_solver_message(solver);
    stats.size = sizeof stats;
    if (solver && resida_solver_stats(solver, &stats) >= 0)
        run.steps = stats.steps, run.evaluations = stats.residual_calls.total;
    resida_solver_free(solver);
    resida_problem_free(problem);
    return run;
}

typedef Integrator *create_fn(const System &);

static Run by_simbody(const Linkage &l, create_fn *create, double tolerance, double t_end, double limit)
{
    Run run;
    const double energy = energy_at_start(l);
    double begun = now();
    try {
        std::unique_ptr<Integrator> integrator(create(l.system));
        integrator->setAccuracy(tolerance);
        integrator->setConstraintTolerance(tolerance / 10); /* Simbody's default ratio */
        integrator->setInternalStepLimit(100);
        integrator->initialize(l.start);
        for (int k = 1; k <= outputs; k++) {
            const double t = t_end * k / outputs;
            while (integrator->getTime() < t) {
                integrator->stepTo(t);
                if (run.seconds + now() - begun > limit) throw std::runtime_error("time limit exceeded");
            }
            run.seconds += now() - begun;
            look(l, integrator->getState(), energy, &run);
            begun = now();
        }
        run.steps = integrator->getNumStepsTaken();
        run.evaluations = integrator->getNumRealizations();
    } catch (const std::exception &e) {
        run.why = e.what();
    }
    return run;
}

/* ---- The table. ---- */

struct Kind {
    const char *name;
    create_fn *create;     /* NULL: resida */
    bool by_accelerations; /* of resida */
    bool for_all;          /* false: stiff and closed linkages are excluded */
};

template <class T> static Integrator *make(const System &system)
{
    return new T(system);
}
static Integrator *make_adams(const System &system)
{
    return new CPodesIntegrator(system, CPodes::Adams);
}

static const Kind kinds[] = {
    {"resida:residual", nullptr, false, true},
    {"resida:acceleration", nullptr, true, true},
    {"RungeKuttaMerson", make<RungeKuttaMersonIntegrator>, false, true},
    {"RungeKutta3", make<RungeKutta3Integrator>, false, true},
    {"RungeKuttaFeldberg", make<RungeKuttaFeldbergIntegrator>, false, true},
    {"Verlet", make<VerletIntegrator>, false, true},
    {"SemiExplicitEuler2", make<SemiExplicitEuler2Integrator>, false, true},
    {"CPodes:BDF", make<CPodesIntegrator>, false, true},
    {"CPodes:Adams", make_adams, false, false},
};

static Run run(const Linkage &l, const Kind &kind, double tolerance, double t_end, double limit)
{
    return kind.create ? by_simbody(l, kind.create, tolerance, t_end, limit)
                       : by_resida(l, kind.by_accelerations, tolerance, t_end, limit);
}

static double distance(const Run &a, const Run &b)
{
    double most = a.places.size() == b.places.size() ? 0 : INFINITY;
    for (size_t i = 0; i < std::min(a.places.size(), b.places.size()); i++)
        most = std::max(most, std::abs(a.places[i] - b.places[i]));
    return most;
}

struct Point {
    double error, ms;
};

/* Interpolate the time [ms] at an error linearly in logarithms between two rows; NAN outside the rows. */
static double time_for(double error, const std::vector<Point> &points)
{
    for (size_t i = 0; i + 1 < points.size(); i++) {
        const Point &a = points[i], &b = points[i + 1];
        if (a.error >= error && b.error <= error && a.error > b.error) {
            const double part = std::log(a.error / error) / std::log(a.error / b.error);
            return a.ms * std::pow(b.ms / a.ms, part);
        }
    }
    return NAN;
}

/* Compute the reference. The difference of the two references is the error of the table. */
static Run reference(const Linkage &l, double t_end)
{
    const double tight = 1e-10;
    create_fn *create = l.is_stiff ? make<CPodesIntegrator> : make<RungeKuttaMersonIntegrator>;
    const Run a = by_simbody(l, create, tight, t_end, much_patience),
              b = by_resida(l, true, tight, t_end, much_patience);
    if (!a.why.empty() || !b.why.empty()) throw std::runtime_error("no reference: " + a.why + " " + b.why);
    printf("reference solutions of Simbody and resida, tolerance %.0e, differ by %.1e m\n", tight, distance(a, b));
    return a;
}

static void print_times(const std::vector<Point> (&points)[sizeof kinds / sizeof *kinds])
{
    printf("\nms for an error of    1e-03 m   1e-04 m   1e-05 m   1e-06 m   1e-07 m\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        printf("%-20s", kinds[k].name);
        for (double error : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
            const double ms = time_for(error, points[k]);
            if (std::isnan(ms))
                printf("%10s", "-");
            else
                printf("%10.1f", ms);
        }
        printf("\n");
    }
}

static void table(const char *name, const std::vector<double> &tolerances, double t_end)
{
    std::unique_ptr<Linkage> l = linkage(name);
    std::vector<Point> points[sizeof kinds / sizeof *kinds];
    printf("%s: %d links, %d q, %d u, %d constraints, %d quaternions, %g s\n", name, n_links, l->start.getNQ(),
           l->start.getNU(), l->start.getNUErr(), l->start.getNQErr() - l->start.getNUErr(), t_end);
    const Run truth = reference(*l, t_end);
    printf("%-20s%9s%10s%12s%10s%8s%12s%10s\n", "", "tolerance", "error/m", "constraints", "energy/J", "steps",
           "evaluations", "cpu/ms");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (double tolerance : tolerances) {
            if (!kinds[k].for_all && (l->is_stiff || l->start.getNUErr() > 0)) break;
            const Run r = run(*l, kinds[k], tolerance, t_end, patience);
            printf("%-20s%9.0e", kinds[k].name, tolerance);
            if (!r.why.empty()) {
                printf("  %s\n", r.why.c_str());
                break;
            }
            printf("%10.1e%12.1e%10.1e%8ld%12ld%10.2f\n", distance(r, truth), r.off, r.energy, r.steps, r.evaluations,
                   1e3 * r.seconds);
            points[k].push_back({distance(r, truth), 1e3 * r.seconds});
        }
    if (tolerances.size() > 1) print_times(points);
}

/* Convert an argument to a positive number. */
static double positive(const char *text, const char *what)
{
    char *end = nullptr;
    const double x = std::strtod(text, &end);
    if (end == text || *end || !(x > 0) || !std::isfinite(x))
        throw std::invalid_argument(std::string(what) + " \"" + text + "\" is not a number > 0");
    return x;
}

int main(int n, char **arguments)
{
    try {
        if (n > 4) throw std::invalid_argument("simbody_linkage [LINKAGE [TOLERANCE [SECONDS]]]");
        const double t_end = n > 3 ? positive(arguments[3], "SECONDS") : 1;
        std::vector<double> tolerances = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
        if (n > 2) tolerances = {positive(arguments[2], "TOLERANCE")};
        if (n > 1)
            table(arguments[1], tolerances, t_end);
        else
            for (const char *name : names) {
                table(name, tolerances, t_end);
                printf("\n");
            }
        if (fflush(stdout) || ferror(stdout)) throw std::runtime_error("cannot write the table");
    } catch (const std::exception &e) {
        fprintf(stderr, "simbody_linkage: %s\n", e.what());
        return 1;
    }
    return 0;
}
