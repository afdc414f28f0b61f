/* test_exceptions.cpp - callbacks in C++ that throw, at call k = 1..300 of each of them: in mechanisms of both
 * formalisms with every optional callback, in general DAEs, by all integrators, with threads, in the Jacobian engine
 * alone, in classes of models and in allocators. What is thrown never leaves the library: it is RESIDA_ERR_USER with
 * callback, time and what() in the message, no callback is called after it, and the solver starts again like a new one.
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

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

const char *const names[] = {"residual",
                             "acceleration",
                             "residual_lam",
                             "acceleration_lam",
                             "constraint",
                             "constraint_matrix",
                             "velocity_bias",
                             "acceleration_bias",
                             "mass_matrix",
                             "potential",
                             "derivatives",
                             "kinematic_matrix",
                             "nonholonomic_matrix",
                             "nonholonomic_bias",
                             "nonholonomic_acceleration_bias",
                             "excitation",
                             "root",
                             "jacobian",
                             "projection_matrix",
                             "monitor",
                             "observer",
                             "invariant",
                             "invariant_matrix"};

enum callback {
    RESIDUAL,
    ACCELERATION,
    RESIDUAL_LAM,
    ACCELERATION_LAM,
    CONSTRAINT,
    CONSTRAINT_MATRIX,
    VELOCITY_BIAS,
    ACCELERATION_BIAS,
    MASS_MATRIX,
    POTENTIAL,
    DERIVATIVES,
    KINEMATIC_MATRIX,
    NONHOLONOMIC_MATRIX,
    NONHOLONOMIC_BIAS,
    NONHOLONOMIC_ACCELERATION_BIAS,
    EXCITATION,
    ROOT,
    JACOBIAN,
    PROJECTION_MATRIX,
    MONITOR,
    OBSERVER,
    INVARIANT,
    INVARIANT_MATRIX,
    N_CALLBACKS
};

constexpr long last_call = 300;

/* What is thrown: in turn one with words, one that is no std::exception, one of the language's own. */
enum { WITH_WORDS, OF_NO_CLASS, BAD_ALLOC, N_KINDS };
const char *const said[N_KINDS] = {"threw \"gear 3 is missing\"", "threw something that is no std::exception",
                                   "threw \"std::bad_alloc\""};

[[noreturn]] void throw_one(long kind)
{
    if (kind == WITH_WORDS) throw std::runtime_error("gear 3 is missing");
    if (kind == BAD_ALLOC) throw std::bad_alloc();
    throw 3;
}

struct script {
    callback which = N_CALLBACKS;
    long at = 0;
    std::atomic<long> calls[N_CALLBACKS];
    std::atomic<long> after;
    std::atomic<bool> thrown;
};
script now;

void arm(callback which, long at)
{
    now.which = which;
    now.at = at;
    for (auto &calls : now.calls) calls = 0;
    now.after = 0;
    now.thrown = false;
}

int passes(callback c)
{
    if (now.thrown) now.after++;
    if (++now.calls[c] != now.at || c != now.which) return 0;
    now.thrown = true;
    throw_one(now.at % N_KINDS);
}

/* A bead of mass 2 on the moving curve z = u + x^2/4, with springs, drag, and friction of 0.01 |lam|; u = 0.1 sin t. */
constexpr double mass = 2, spring = 3, drag = 0.2, friction = 0.01;

void forces(const double *p, const double *v, const double *lam, double *f)
{
    for (int i = 0; i < 3; i++) f[i] = -spring * p[i] - drag * v[i] - (lam ? friction * lam[0] * v[i] : 0);
}

int residual(double, const double *p, const double *v, const double *a, const resida_excitation *, double *r, void *)
{
    double f[3];
    forces(p, v, nullptr, f);
    for (int i = 0; i < 3; i++) r[i] = mass * a[i] - f[i];
    return passes(RESIDUAL);
}

int residual_lam(double, const double *p, const double *v, const double *a, const double *lam,
                 const resida_excitation *, double *r, void *)
{
    double f[3];
    forces(p, v, lam, f);
    for (int i = 0; i < 3; i++) r[i] = mass * a[i] - f[i];
    return passes(RESIDUAL_LAM);
}

int acceleration(double, const double *p, const double *v, const double *force, const resida_excitation *, double *a,
                 void *)
{
    double f[3];
    forces(p, v, nullptr, f);
    for (int i = 0; i < 3; i++) a[i] = (f[i] + force[i]) / mass;
    return passes(ACCELERATION);
}

int acceleration_lam(double, const double *p, const double *v, const double *force, const double *lam,
                     const resida_excitation *, double *a, void *)
{
    double f[3];
    forces(p, v, lam, f);
    for (int i = 0; i < 3; i++) a[i] = (f[i] + force[i]) / mass;
    return passes(ACCELERATION_LAM);
}

int constraint(double, const double *p, const resida_excitation *e, double *g, void *)
{
    g[0] = p[2] - e->u[0] - p[0] * p[0] / 4;
    return passes(CONSTRAINT);
}

int constraint_matrix(double, const double *p, const resida_excitation *, double *G, void *)
{
    G[0] = -p[0] / 2;
    G[1] = 0;
    G[2] = 1;
    return passes(CONSTRAINT_MATRIX);
}

int velocity_bias(double, const double *, const resida_excitation *e, double *gI, void *)
{
    gI[0] = -e->ud[0];
    return passes(VELOCITY_BIAS);
}

int acceleration_bias(double, const double *, const double *v, const resida_excitation *e, double *gamma, void *)
{
    gamma[0] = -v[0] * v[0] / 2 - e->udd[0];
    return passes(ACCELERATION_BIAS);
}

int diagonal(double value, double *M)
{
    for (int i = 0; i < 9; i++) M[i] = i % 4 ? 0 : value;
    return 0;
}

int mass_matrix(double, const double *, const resida_excitation *, double *M, void *)
{
    return diagonal(mass, M) + passes(MASS_MATRIX);
}

int kinematic_matrix(double, const double *, const resida_excitation *, double *T, void *)
{
    return diagonal(1, T) + passes(KINEMATIC_MATRIX);
}

/* A fourth position that does not move. */
int kinematic_matrix_of_four(double, const double *, const resida_excitation *, double *T, void *)
{
    T[9] = T[10] = T[11] = 0;
    return diagonal(1, T) + passes(KINEMATIC_MATRIX);
}

int invariant(double, const double *p, const resida_excitation *, double *k, void *)
{
    k[0] = (p[3] * p[3] - 1) / 2;
    return passes(INVARIANT);
}

int invariant_matrix(double, const double *p, const resida_excitation *, double *K, void *)
{
    K[0] = K[1] = K[2] = 0;
    K[3] = p[3];
    return passes(INVARIANT_MATRIX);
}

int potential(double, const double *p, const resida_excitation *, double *V, void *)
{
    V[0] = spring / 2 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return passes(POTENTIAL);
}

int derivatives(double, const double *, const double *v, const double *, const double *lam, const resida_excitation *,
                double *Phi_p, double *Phi_v, double *Phi_lam, void *)
{
    diagonal(spring, Phi_p);
    diagonal(drag + friction * lam[0], Phi_v);
    for (int i = 0; Phi_lam && i < 3; i++) Phi_lam[i] = friction * v[i];
    return passes(DERIVATIVES);
}

int nonholonomic_matrix(double, const double *p, const resida_excitation *, double *Gh, void *)
{
    Gh[0] = -p[1];
    Gh[1] = 1;
    Gh[2] = 0;
    return passes(NONHOLONOMIC_MATRIX);
}

int nonholonomic_bias(double, const double *, const resida_excitation *, double *gh, void *)
{
    gh[0] = 0;
    return passes(NONHOLONOMIC_BIAS);
}

int nonholonomic_acceleration_bias(double, const double *, const double *v, const resida_excitation *, double *gamma,
                                   void *)
{
    gamma[0] = -v[1] * v[0];
    return passes(NONHOLONOMIC_ACCELERATION_BIAS);
}

int excitation(double t, double *u, double *ud, double *udd, void *)
{
    u[0] = 0.1 * std::sin(t);
    ud[0] = 0.1 * std::cos(t);
    udd[0] = -u[0];
    return passes(EXCITATION);
}

int root(double, const double *p, const double *, const resida_excitation *, double *out, void *)
{
    out[0] = p[0] + 100;
    return passes(ROOT);
}

int projection_matrix(double, const double *p, const resida_excitation *, double *D, void *)
{
    D[0] = -p[0] / 2;
    D[1] = 0;
    D[2] = 1;
    return passes(PROJECTION_MATRIX);
}

int monitor(double, void *)
{
    return passes(MONITOR);
}

void observer(const resida_newton_end *, void *)
{
    passes(OBSERVER);
}

/* y0' = y1, y1' = -y0 + u, 0 = y2 - y0 - y1^2. */
int dae_residual(double, const double *y, const double *yp, const resida_excitation *e, double *r, void *)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] - e->u[0];
    r[2] = y[2] - y[0] - y[1] * y[1];
    return passes(RESIDUAL);
}

int dae_jacobian(double, double alpha, const double *y, const double *, const resida_excitation *, double *J, void *)
{
    const double rows[9] = {alpha, -1, 0, 1, alpha, 0, -1, -2 * y[1], 1};
    std::memcpy(J, rows, sizeof rows);
    return passes(JACOBIAN);
}

/* One way to set up and run. */
struct setting {
    resida_mechanism m;
    resida_dae d;
    resida_problem_options problem;
    resida_solver_options solver;
    bool is_dae, is_threaded;
};

setting basic()
{
    setting s = setting();
    resida_mechanism_init(&s.m);
    resida_dae_init(&s.d);
    resida_problem_options_init(&s.problem);
    resida_solver_options_init(&s.solver);
    s.m.n_p = s.m.n_v = 3;
    s.m.n_g = s.m.n_u = 1;
    s.m.residual = residual;
    s.m.constraint = constraint;
    s.m.excitation = excitation;
    s.solver.monitor = monitor;
    s.solver.rtol = s.solver.atol = 1e-5;
    return s;
}

setting everything()
{
    setting s = basic();
    s.m.n_h = s.m.n_root = 1;
    s.m.constraint_matrix = constraint_matrix;
    s.m.velocity_bias = velocity_bias;
    s.m.acceleration_bias = acceleration_bias;
    s.m.mass_matrix = mass_matrix;
    s.m.kinematic_matrix = kinematic_matrix;
    s.m.nonholonomic_matrix = nonholonomic_matrix;
    s.m.nonholonomic_bias = nonholonomic_bias;
    s.m.nonholonomic_acceleration_bias = nonholonomic_acceleration_bias;
    s.m.root = root;
    return s;
}

setting with_invariants()
{
    setting s = basic();
    s.m.n_p = 4;
    s.m.n_k = 1;
    s.m.kinematic_matrix = kinematic_matrix_of_four;
    s.m.invariant = invariant;
    s.m.invariant_matrix = invariant_matrix;
    return s;
}

setting explicitly()
{
    setting s = everything();
    s.m.residual = nullptr;
    s.m.mass_matrix = nullptr;
    s.m.acceleration = acceleration;
    return s;
}

setting with_derivatives()
{
    setting s = everything();
    s.m.n_h = 0;
    s.m.nonholonomic_matrix = nullptr;
    s.m.nonholonomic_bias = nullptr;
    s.m.nonholonomic_acceleration_bias = nullptr;
    s.m.residual = nullptr;
    s.m.residual_lam = residual_lam;
    s.m.derivatives = derivatives;
    return s;
}

setting explicitly_by_lam()
{
    setting s = explicitly();
    s.m.acceleration = nullptr;
    s.m.acceleration_lam = acceleration_lam;
    return s;
}

setting own_projection()
{
    setting s = basic();
    s.problem.form = "projected2";
    s.problem.projection = "own";
    s.problem.projection_matrix = projection_matrix;
    s.problem.step_projection = 1;
    return s;
}

setting by_fixed_steps()
{
    setting s = everything();
    s.m.n_h = 0;
    s.m.nonholonomic_matrix = nullptr;
    s.m.nonholonomic_bias = nullptr;
    s.m.nonholonomic_acceleration_bias = nullptr;
    s.m.kinematic_matrix = nullptr;
    s.m.n_root = 0;
    s.m.root = nullptr;
    s.m.potential = potential;
    s.problem.form = "index3";
    s.solver.method = "energy-decaying";
    s.solver.step = 0.05;
    s.solver.observer = observer;
    return s;
}

setting by_columns()
{
    setting s = basic();
    s.solver.jacobian = "dense";
    return s;
}

setting extended()
{
    setting s = basic();
    s.solver.jacobian = "sparse+extended";
    return s;
}

setting by_threads()
{
    setting s = by_columns();
    s.m.thread_safe = 1;
    s.solver.threads = 2;
    s.is_threaded = true;
    return s;
}

setting dae()
{
    static const resida_kind kinds[3] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    setting s = basic();
    s.is_dae = true;
    s.d.n = 3;
    s.d.n_u = s.d.n_root = 1;
    s.d.kinds = kinds;
    s.d.residual = dae_residual;
    s.d.excitation = excitation;
    s.d.root = root;
    return s;
}

setting dae_with_jacobian()
{
    setting s = dae();
    s.d.jacobian = dae_jacobian;
    return s;
}

/* A problem and a solver on it, and how far it went. */
struct run {
    resida_problem *problem = nullptr;
    resida_solver *solver = nullptr;
    bool is_dae = false;

    explicit run(const setting &s) : is_dae(s.is_dae)
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
        const double p0[4] = {0.4, 0.1, 0.04, 1}, v0[3] = {1, 0.1, 0.3}, y0[3] = {1, 0.5, 1.25};
        resida_status status = is_dae ? resida_solver_start_dae(solver, 0, y0, nullptr)
                                      : resida_solver_start(solver, 0, p0, v0, nullptr, nullptr);
        return status < 0 ? status : resida_solver_advance(solver, 1);
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
        for (long at = 1; at <= calls[c] && at <= last_call; at++, tried++)
            expect_caught(s, static_cast<callback>(c), at, right);
    }
    return tried;
}

void an_exception_in_any_callback_is_a_failure_that_names_it(void **)
{
    setting (*const settings[])() = {
        everything, explicitly, with_derivatives,  explicitly_by_lam, own_projection, by_fixed_steps, by_columns,
        extended,   dae,        dae_with_jacobian, with_invariants};
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

/* The Jacobian engine alone: F = dear + cheap of y in R^2, one input. */
struct engine_script {
    const char *which;
    long at, calls;
};

void engine_passes(void *user, const char *who)
{
    auto *s = static_cast<engine_script *>(user);
    if (std::strcmp(who, s->which) == 0 && ++s->calls == s->at) throw_one(s->at % N_KINDS);
}

int dear(double, const double *y, const double *, double *r, void *user)
{
    r[0] = y[0] * y[1];
    r[1] = std::sin(y[1]);
    engine_passes(user, "dear");
    return 0;
}

int cheap(double, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] + y[1];
    r[1] = yp[1];
    engine_passes(user, "cheap");
    return 0;
}

int whole(double t, const double *y, const double *yp, double *r, void *user)
{
    double c[2];
    engine_passes(user, "F");
    dear(t, y, yp, r, user);
    cheap(t, y, yp, c, user);
    r[0] += c[0];
    r[1] += c[1];
    return 0;
}

resida_system engine_system(engine_script *s)
{
    static const int row[1] = {0}, column[1] = {1}, yp_row[2] = {0, 1}, yp_column[2] = {0, 1};
    static const unsigned char columns[2] = {RESIDA_COLUMN_DEAR, RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP};
    resida_system system;
    resida_system_init(&system);
    system.n = 2;
    system.user = s;
    system.F = whole;
    system.dear = dear;
    system.cheap = cheap;
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
        resida_jacobian_point at = {0.1 * static_cast<double>(i), 10.0 + static_cast<double>(i), 0.1, y, yp, F, w};
        verdict = resida_jacobian_setup(j, reasons[i], &at, &current);
    }
    return verdict;
}

void an_exception_in_the_engine_alone_is_a_fatal_verdict(void **)
{
    const char *const functions[] = {"dear", "cheap", "F", "known", "inputs", "move_input"};
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

int creates(const double *, resida_model *m, resida_message *)
{
    static const double y0[1] = {1};
    m->is_dae = 1;
    m->dae.n = 1;
    m->dae.residual = dae_residual;
    m->y0 = y0;
    m->t_end = 1;
    m->rtol = m->atol = 1e-3;
    m->reference = throwing_reference;
    return 0;
}

void throws_when_destroyed(resida_model *)
{
    throw 3;
}

void an_exception_in_a_class_of_models_is_caught(void **)
{
    const resida_model_class bad = {RESIDA_MODEL_HEAD, "bad", "throws", 0, nullptr, refuses_to_be, nullptr};
    const resida_model_class late = {RESIDA_MODEL_HEAD, "late", "throws", 0, nullptr, creates, throws_when_destroyed};
    resida_model model;
    resida_message why;
    assert_int_equal(resida_model_create(&bad, 0, nullptr, nullptr, &model, &why), RESIDA_ERR_MODEL);
    assert_string_equal(why.text, "bad: create() threw \"no such gear\"");
    assert_int_equal(resida_model_create(&late, 0, nullptr, nullptr, &model, &why), RESIDA_OK);
    assert_int_equal(resida_model_reference(&model, 1, nullptr, nullptr, nullptr), RESIDA_ERR_USER);
    resida_model_destroy(&late, &model);
    assert_int_equal(model.size, 0);
    assert_int_equal(resida_catch([](void *) { throw_one(WITH_WORDS); }, nullptr, &why), RESIDA_ERR_USER);
    assert_string_equal(why.text, said[WITH_WORDS]);
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
    const callback called[] = {RESIDUAL,   CONSTRAINT, CONSTRAINT_MATRIX, VELOCITY_BIAS, MASS_MATRIX,
                               EXCITATION, MONITOR};
    for (callback which : called)
        if (!ends_the_program(which)) fail_msg("%s: the exception got somewhere", names[which]);
}

} // namespace

int main()
{
    const CMUnitTest caught[] = {
        cmocka_unit_test(an_exception_in_any_callback_is_a_failure_that_names_it),
        cmocka_unit_test(an_exception_in_a_thread_of_differences_is_a_failure),
        cmocka_unit_test(an_exception_in_the_engine_alone_is_a_fatal_verdict),
        cmocka_unit_test(an_exception_in_an_allocator_is_no_memory),
        cmocka_unit_test(an_exception_in_a_class_of_models_is_caught),
    };
    const CMUnitTest not_caught[] = {
        cmocka_unit_test(without_cpp_an_exception_ends_the_program_with_nothing_unwound),
    };
    return resida_catches_exceptions() ? cmocka_run_group_tests(caught, nullptr, nullptr)
                                       : cmocka_run_group_tests(not_caught, nullptr, nullptr);
}
