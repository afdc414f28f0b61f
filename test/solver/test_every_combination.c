/* test_every_combination.c - every formulation with every method, every switch, and every name of a strategy, scaling
 * and linear solver, on the smallest models of every kind: each combination integrates, and to the right place, or is
 * refused by a message that names what does not go together; and the process that asked for it is still there
 * afterwards.
 *
 * Combinations run in children, which note what they are at in memory that they share with the parent: one that is gone
 * without having said so (a library below that stops ends it with code 0) is known by that, and the next child goes on
 * behind it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fixtures/check_contract.h"
#include "small_world.h"
#include "test/fixtures/solver_fixture.h"

#define T_END 0.2
#define STEP  0.01

enum { COMPLAINTS = 12, COMPLAINT = 600, CPU_SECONDS = 120 };

/* All of the library, and "auto". */
enum { MOST = 40 };
static const char *forms[MOST] = {"auto"}, *methods[MOST];
static int n_forms = 1, n_methods;
static const char *const jacobians[] = {
    "auto",           "fresh",           "dense", "sparse", "dense+partitioned", "sparse+partitioned",
    "dense+extended", "sparse+extended", "user"};
static const char *const scalings[] = {"auto",  "none",      "left",           "lam",
                                       "lam+v", "two-field", "two-field-left", "two-field-lam"};
static const char *const solvers[] = {"auto", "dense", "klu", "klu-diagonal"};
static const char *const projections[] = {"G", "B"};
enum {
    N_JACOBIANS = sizeof jacobians / sizeof *jacobians,
    N_SCALINGS = sizeof scalings / sizeof *scalings,
    N_SOLVERS = sizeof solvers / sizeof *solvers
};

/* The switches, a bit each. */
enum {
    STEP_PROJECTION = 1,
    DROP = 2,
    TO_ROUNDING = 4,
    PLAIN_WEIGHTS = 8,
    ALL_ORDERS = 16,
    ADAPTIVE = 32,
    ALONG_B = 64,
    EXPLICITLY = 128,
    CENTRAL = 256,
    START_BY_RADAU = 512,
    SWITCHES = 10
};
static const char *const switches[SWITCHES] = {
    "step_projection", "redundant",  "newton_to_rounding", "newton_h_weights", "stability_detection",
    "adaptive",        "projection", "explicit",           "differences",      "start_up"};

typedef struct combination {
    int model, form, method, jacobian, scaling, solver;
    unsigned switches;
} combination;

/* What parent and child share. */
typedef struct notes {
    long at;   /* number of the combination under way */
    int ended; /* the child has come to the end of the list */
    long runs, refusals;
    int n_complaints;
    char complaints[COMPLAINTS][COMPLAINT];
} notes;

static void describe(const combination *c, char text[COMPLAINT])
{
    int at =
        snprintf(text, COMPLAINT, "%s, %s, %s, jacobian %s, scaling %s, linear solver %s", small_models[c->model].name,
                 forms[c->form], methods[c->method], jacobians[c->jacobian], scalings[c->scaling], solvers[c->solver]);
    for (int i = 0; i < SWITCHES; i++)
        if (c->switches & 1u << i) at += snprintf(text + at, COMPLAINT - (size_t)at, ", %s", switches[i]);
}

static void complain(notes *n, const combination *c, const char *what)
{
    char text[COMPLAINT];
    if (n->n_complaints == COMPLAINTS) return;
    describe(c, text);
    snprintf(n->complaints[n->n_complaints++], COMPLAINT, "%.300s: %.280s", text, what);
}

static resida_status open_problem(const combination *c, resida_problem **problem, resida_message *why)
{
    resida_problem_options o = test_problem_options();
    o.form = forms[c->form];
    o.projection = projections[(c->switches & ALONG_B) != 0];
    o.step_projection = (c->switches & STEP_PROJECTION) != 0;
    if (c->switches & EXPLICITLY) o.formalism = RESIDA_FORMALISM_EXPLICIT;
    return small_problem(problem, &small_models[c->model], &o, why);
}

static resida_status open_solver(const combination *c, resida_problem *problem, resida_solver **s, resida_message *why)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-7;
    o.method = methods[c->method];
    if (c->method > 0) o.step = STEP;
    o.jacobian = jacobians[c->jacobian];
    o.scaling = scalings[c->scaling];
    o.linear_solver = solvers[c->solver];
    o.newton_to_rounding = (c->switches & TO_ROUNDING) != 0;
    if (c->switches & PLAIN_WEIGHTS) o.newton_h_weights = 0;
    if (c->switches & ALL_ORDERS) o.stability_detection = 0;
    o.adaptive = (c->switches & ADAPTIVE) != 0;
    if (c->switches & CENTRAL) o.differences = RESIDA_DIFFERENCES_CENTRAL;
    if (c->switches & START_BY_RADAU) o.start_up = RESIDA_START_UP_RADAU;
    return resida_solver_create(s, problem, &o, why);
}

static resida_status start(const combination *c, resida_solver *s)
{
    const small_model *m = &small_models[c->model];
    resida_start_options o = test_start_options();
    if (m->is_dae) return resida_solver_start_dae(s, 0, m->p0, m->v0);
    if (c->switches & DROP) o.redundant = RESIDA_REDUNDANT_DROP;
    return resida_solver_start(s, 0, m->p0, m->v0, c->switches & DROP ? &o : NULL, NULL);
}

/* Does the message name what was asked for? */
static int names_it(const combination *c, const char *text)
{
    if (strstr(text, forms[c->form]) || strstr(text, methods[c->method])) return 1;
    if (c->jacobian && strstr(text, jacobians[c->jacobian])) return 1;
    if (c->scaling && strstr(text, scalings[c->scaling])) return 1;
    if (c->solver && strstr(text, solvers[c->solver])) return 1;
    for (int i = 0; i < SWITCHES; i++)
        if (c->switches & 1u << i && strstr(text, switches[i])) return 1;
    return 0;
}

/* Where they end, known from tight tolerances. */
static double reference[16][2 * SMALL_WORLD_N];

static void find_reference(int model)
{
    const small_model *m = &small_models[model];
    resida_problem *problem;
    resida_solver_options o = test_solver_options();
    resida_solver *s;
    resida_state end;
    const combination c = {.model = model, .switches = m->n_g > 1 ? DROP : 0};
    o.rtol = o.atol = 1e-10;
    assert_int_equal(small_problem(&problem, m, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_create(&s, problem, &o, NULL), RESIDA_OK);
    assert_int_equal(start(&c, s), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, T_END), RESIDA_OK);
    assert_int_equal(resida_solver_state(s, &end), RESIDA_OK);
    memcpy(reference[model], end.y, (size_t)(m->n_p + m->n_v) * sizeof(double));
    test_solver_free(s, problem);
}

/* Steps of order 1 are off by half a step times the accelerations; velocities in index 3 have no error test. */
static double allowed(const combination *c, int is_velocity)
{
    const int is_index3 = strcmp(forms[c->form], "index3") == 0 || strcmp(forms[c->form], "augmented") == 0;
    if (c->method > 0 || c->switches & ADAPTIVE) return c->method == 1 ? 0.1 : 5e-3;
    return is_index3 && is_velocity ? 1e-3 : 2e-5;
}

static void judge(notes *n, const combination *c, const resida_solver *s)
{
    const small_model *m = &small_models[c->model];
    resida_state end;
    resida_solver_state(s, &end);
    for (int i = 0; i < m->n_p + m->n_v; i++) {
        const double error = fabs(end.y[i] - reference[c->model][i]);
        if (error <= allowed(c, !m->is_dae && i >= m->n_p)) continue;
        complain(n, c, claims_text("says ok, but y[%d] is off by %g", i, error));
        return;
    }
}

static int is_refusal(resida_status status)
{
    return status == RESIDA_ERR_OPTION || status == RESIDA_ERR_MODEL;
}

static void integrate(notes *n, const combination *c, resida_solver *s)
{
    resida_status status = start(c, s);
    if (is_refusal(status) || (status == RESIDA_ERR_REDUNDANT && small_models[c->model].n_g > 1)) {
        n->refusals++;
        return;
    }
    if (status == RESIDA_OK) status = resida_solver_advance(s, T_END);
    n->runs++;
    if (status == RESIDA_OK) {
        judge(n, c, s);
    } else if (!(status == RESIDA_ERR_SINGULAR && c->solver == 3)) { /* without pivoting that is what it is for */
        complain(n, c, claims_text("%s, %.500s", resida_status_name(status), resida_solver_message(s)));
    }
}

static void try(notes *n, const combination *c)
{
    resida_problem *problem = NULL;
    resida_solver *s = NULL;
    resida_message why = {""};
    resida_status status = open_problem(c, &problem, &why);
    if (status == RESIDA_OK) status = open_solver(c, problem, &s, &why);
    if (status == RESIDA_OK)
        integrate(n, c, s);
    else if (is_refusal(status) && names_it(c, why.text))
        n->refusals++;
    else
        complain(n, c, why.text[0] ? why.text : "refused without a word");
    test_solver_free(s, problem);
}

/* Combination number k: switches, none, one or two of them; then names, one at a time. 0: there are no more. */
static int take(long k, combination *c)
{
    enum {
        PAIRS = 1 + SWITCHES * (SWITCHES + 1) / 2,
        NAMES = N_JACOBIANS + N_SCALINGS + N_SOLVERS,
        WAYS = PAIRS + NAMES
    };
    const int way = (int)(k % WAYS);
    *c = (combination){.method = (int)(k / WAYS % n_methods)};
    c->form = (int)(k / WAYS / n_methods % n_forms);
    c->model = (int)(k / WAYS / n_methods / n_forms);
    if (way < PAIRS) {
        int left = way - 1;
        for (int i = 0; i < SWITCHES && left >= 0; left -= SWITCHES - i, i++)
            if (left < SWITCHES - i) c->switches = 1u << i | 1u << (i + left);
    } else if (way - PAIRS < N_JACOBIANS) {
        c->jacobian = way - PAIRS;
    } else if (way - PAIRS - N_JACOBIANS < N_SCALINGS) {
        c->scaling = way - PAIRS - N_JACOBIANS;
    } else {
        c->solver = way - PAIRS - N_JACOBIANS - N_SCALINGS;
    }
    return c->model < n_small_models;
}

/* From combination `first` to the last one, or to where the process ends. */
static void run_child(notes *n, long first)
{
    combination c;
    const struct rlimit most = {CPU_SECONDS, CPU_SECONDS}; /* an endless run is a death, too */
    setrlimit(RLIMIT_CPU, &most);
    for (n->at = first; take(n->at, &c); n->at += claims_one_of()) try(n, &c);
    n->ended = 1;
}

CLAIM(every_combination_runs_or_is_refused_by_name)
{
    combination c;
    const long one_of = claims_one_of();
    notes *n = mmap(NULL, sizeof *n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(n != MAP_FAILED);
    for (int i = 0; i < n_small_models; i++) find_reference(i);
    for (long first = 0; !n->ended && n->n_complaints < COMPLAINTS; first = n->at + one_of) {
        int how = 0;
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            run_child(n, first);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        if (n->ended) break;
        const char *what = claims_text("the process ended, %s %d", WIFEXITED(how) ? "with code" : "by signal",
                                       WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
        take(n->at, &c);
        complain(n, &c, what);
    }
    for (int i = 0; i < n->n_complaints; i++) print_error("%s\n", n->complaints[i]);
    print_message("%ld runs, %ld refusals\n", n->runs, n->refusals);
    assert_int_equal(n->n_complaints, 0);
    assert_true(n->ended && n->runs > 10000 / one_of && n->refusals > 1000 / one_of);
    munmap(n, sizeof *n);
}

static int list_names(void **state)
{
    while (n_forms < MOST && (forms[n_forms] = resida_form_at(n_forms - 1))) n_forms++;
    while (n_methods < MOST && (methods[n_methods] = resida_method_at(n_methods))) n_methods++;
    return n_forms == MOST || n_methods == MOST;
}

int main(void)
{
    return claims_run(list_names, NULL);
}
