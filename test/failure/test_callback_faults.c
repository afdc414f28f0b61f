/* test_callback_faults.c - callbacks that give NaN or Inf at call k = 1..200, that refuse or stop at call k = 1..300 of
 * each of them (after the 40th at every third): in the mechanism by residuals, in the one by accelerations, and in a
 * general DAE.
 *
 * A single fault in the integration must be got over with the right result; a lasting one must end it with callback,
 * component and time named, cheaply, and leave a solver that starts again as a new one does, bit for bit. A fault in
 * the consistent start, where no step can be cut, may also be reported at once. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

enum { ALWAYS = 4, FULL_RANGE = 40, STRIDE = 3, LAST_CALL = 200, LAST_SCRIPTED_CALL = 300, MAX_WASTED = 500 };
static const double tol = 1e-7;

typedef enum model { BY_RESIDUAL, BY_ACCELERATION, DAE, N_MODELS } model;

/* Early faults do not need a long run; late ones do. */
static double end_of(model which, long at)
{
    return at <= FULL_RANGE ? 0.3 : which == DAE ? 20 : 5;
}

/* Seven values that are not finite: NaNs quiet, negative, with payload, signalling; both infinities; their alternation,
 * whose sum is NaN. */
enum { ALTERNATING = 6, N_VALUES = 7 };
typedef enum place { FIRST, MIDDLE, LAST, ALL, N_PLACES } place;

typedef enum manner { ONCE, FOR_EVER } manner;

/** What goes wrong, and what came of it. */
typedef struct trial {
    model model;
    scripted_callback which;
    long at; /* call number, from 1 */
    double t_end;
    manner manner;
    int verdict; /* to return; 0: spoil the output instead */
    int value;
    place place;
    int armed;

    long delivered;       /* faults so far */
    double t_first;       /* time of the first one */
    long before, after;   /* formalism calls until the first fault; calls of any callback after it */
    resida_status status; /* of the call that failed, or of the last one */
    int in_start;         /* it was the start */
    int n_out;            /* components of the spoilt output */
    char message[RESIDA_MESSAGE_SIZE];
    double error;              /* at t_end */
    unsigned long long digest; /* of the state at the end */
    long wasted;               /* formalism calls from the first fault to the failure */
    resida_stats stats;
} trial;

static double bad_value(int value, int i)
{
    static const uint64_t bits[N_VALUES] = {0x7ff8000000000000u, 0xfff8000000000000u, 0x7ff8dead0000beefu,
                                            0x7ff0000000000001u, 0x7ff0000000000000u, 0xfff0000000000000u,
                                            0x7ff0000000000000u};
    uint64_t chosen = bits[value] ^ (value == ALTERNATING && i % 2 ? 0x8000000000000000u : 0);
    double x;
    memcpy(&x, &chosen, sizeof x);
    return x;
}

static int first_spoilt(place where, int n)
{
    return where == MIDDLE ? n / 2 : where == LAST ? n - 1 : 0;
}

static void spoil(const trial *c, double *out, int n)
{
    int from = first_spoilt(c->place, n), to = c->place == ALL ? n - 1 : from;
    for (int i = from; i <= to; i++) {
        double x = bad_value(c->value, i);
        memcpy(&out[i], &x, sizeof x);
    }
}

static long formalism_calls(const scripted *s)
{
    return s->calls[ON_RESIDUAL] + s->calls[ON_ACCELERATION];
}

static int misbehave(scripted *s, scripted_callback which, double t, double *out, int n)
{
    trial *c = s->hook_user;
    if (!c->armed) return 0;
    if (c->delivered > 0) c->after++;
    if (which != c->which || s->calls[which] < c->at || (c->manner == ONCE && s->calls[which] > c->at)) return 0;
    if (c->delivered++ == 0) {
        c->t_first = t;
        c->before = formalism_calls(s) - (which == ON_RESIDUAL || which == ON_ACCELERATION);
        c->n_out = n;
    }
    if (c->verdict == 0) spoil(c, out, n);
    return c->verdict;
}

static void open_model(scripted_run *r, model which)
{
    void (*const open[N_MODELS])(scripted_run *, const resida_solver_options *,
                                 double) = {scripted_open, scripted_open_explicit, scripted_open_dae};
    open[which](r, NULL, tol);
}

/* One call of the library under the contract. */
static void start_under_contract(trial *c, scripted_run *r)
{
    contract now;
    contract_begin(&now, r->solver);
    c->status = scripted_start(r);
    c->in_start = c->status < 0;
    if (c->status < 0)
        check_contract(&now, c->status, CONTRACT_SAME_STATE, NULL);
    else
        contract_end(&now);
}

static void advance_under_contract(trial *c, scripted_run *r)
{
    contract now;
    contract_begin(&now, r->solver);
    c->status = resida_solver_advance(r->solver, c->t_end);
    if (c->status < 0)
        check_contract(&now, c->status, CONTRACT_STEPPED, NULL);
    else
        contract_end(&now);
}

static void run(trial *c, scripted_run *r)
{
    start_under_contract(c, r);
    if (!c->in_start) advance_under_contract(c, r);
    snprintf(c->message, sizeof c->message, "%s", resida_solver_message(r->solver));
    c->error = scripted_error(r, c->t_end);
    c->digest = scripted_digest(r);
    c->wasted = formalism_calls(&r->script) - c->before;
    c->stats.size = sizeof c->stats;
    assert_int_equal(resida_solver_stats(r->solver, &c->stats), RESIDA_OK);
}

/* The run without a fault, known by model: what a new solver gives, and how often it calls whom. */
typedef struct clean_run {
    unsigned long long digest;
    long in_start[N_CALLBACKS], in_all[N_CALLBACKS];
} clean_run;

static const clean_run *clean(model which, double t_end)
{
    static clean_run known[N_MODELS][2];
    clean_run *k = &known[which][t_end > end_of(which, 1)];
    if (k->digest) return k;
    scripted_run r;
    open_model(&r, which);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    memcpy(k->in_start, r.script.calls, sizeof k->in_start);
    assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_OK);
    memcpy(k->in_all, r.script.calls, sizeof k->in_all);
    assert_true(scripted_error(&r, t_end) < 300 * tol);
    k->digest = scripted_digest(&r);
    scripted_close(&r);
    return k;
}

static void expect(const trial *c, int claim, const char *what)
{
    static const char *const models[] = {"pendulum by residuals", "pendulum by accelerations", "DAE"};
    if (!claim)
        fail_msg("%s: %s, call %ld of %s %s, verdict %d, value %d, place %d: status %s \"%s\", error %g, wasted %ld",
                 what, models[c->model], c->at, scripted_name(c->which), c->manner == ONCE ? "once" : "for ever",
                 c->verdict, c->value, (int)c->place, resida_status_name(c->status), c->message, c->error, c->wasted);
}

static void expect_like_new_after_restart(trial *c, scripted_run *r)
{
    c->armed = 0;
    assert_int_equal(scripted_start(r), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r->solver, c->t_end), RESIDA_OK);
    expect(c, scripted_digest(r) == clean(c->model, c->t_end)->digest, "started again, other bits than a new solver");
}

/* "callback residual, component 1", and a time after it. */
static void expect_named(const trial *c)
{
    const char *text = claims_text("callback %s", scripted_name(c->which));
    const char *at = strstr(c->message, text);
    expect(c, at != NULL, "callback not named");
    expect(c, strstr(at, " t = ") != NULL, "time not named");
    if (c->verdict != 0) return;
    text = claims_text("component %d ", first_spoilt(c->place, c->n_out));
    const char *component = strstr(at, "component ");
    expect(c,
           component && strncmp(component, text, strlen(text) - 1) == 0 &&
               !strchr("0123456789", component[strlen(text) - 1]),
           "component not named");
}

/* The derivatives u', u'' are not looked at by every model: their NaN may pass unseen, and then does no harm. */
static int may_be_unseen(const trial *c)
{
    return c->verdict == 0 && c->which == ON_EXCITATION && (c->place == LAST || c->place == MIDDLE);
}

/* What a run of trials showed. */
typedef struct tally {
    long cases, reported_in_start, got_over, worst_wasted;
} tally;

static void judge_single(trial *c, tally *sum)
{
    int hit_integration = c->delivered > 0 && c->at > clean(c->model, c->t_end)->in_start[c->which];
    if (c->status < 0) {
        expect(c, c->in_start && !hit_integration, "a single fault in the integration was not got over");
        expect(c, c->status == (c->verdict ? RESIDA_ERR_USER : RESIDA_ERR_NONFINITE), "wrong status");
        expect_named(c);
        sum->reported_in_start++;
        return;
    }
    expect(c, c->status == RESIDA_OK && c->error < 300 * tol, "wrong result");
    long seen = c->verdict ? c->stats.recoverable : c->stats.nonfinite;
    if (hit_integration && !may_be_unseen(c)) expect(c, seen == 1, "not counted");
    if (!c->delivered) expect(c, c->digest == clean(c->model, c->t_end)->digest, "no fault, but other bits");
    if (c->delivered) sum->got_over++;
}

static void judge_lasting(trial *c, tally *sum)
{
    if (c->status == RESIDA_OK) {
        int unseen = c->delivered == 0 || may_be_unseen(c) || c->stats.n_warnings > 0;
        expect(c, unseen && c->error < 300 * tol, "a lasting fault went unnoticed");
        return;
    }
    resida_status right = c->verdict < 0 || (c->verdict > 0 && c->in_start) ? RESIDA_ERR_USER
                          : c->verdict > 0                                  ? RESIDA_ERR_USER_REPEATED
                                                                            : RESIDA_ERR_NONFINITE;
    expect(c, c->status == right, "wrong status");
    expect_named(c);
    expect(c, c->wasted <= MAX_WASTED, "too many residuals wasted");
    if (c->wasted > sum->worst_wasted) sum->worst_wasted = c->wasted;
}

static void judge_fatal(trial *c, tally *sum)
{
    judge_lasting(c, sum);
    if (c->delivered == 0) return;
    const char *value = claims_text("returned %d ", c->verdict);
    expect(c, c->delivered == 1 && c->after == 0, "called on after a fatal verdict");
    expect(c, strstr(c->message, value) != NULL, "verdict not named");
}

static void try_one(trial c, void (*judge)(trial *, tally *), tally *sum)
{
    scripted_run r;
    open_model(&r, c.model);
    r.script.hook = misbehave;
    r.script.hook_user = &c;
    c.armed = 1;
    run(&c, &r);
    sum->cases++;
    judge(&c, sum);
    if (c.status < 0) expect_like_new_after_restart(&c, &r);
    scripted_close(&r);
}

static void try_values(trial c, int all, void (*judge)(trial *, tally *), tally *sum)
{
    if (c.verdict != 0) {
        try_one(c, judge, sum);
        return;
    }
    for (c.value = 0; c.value < N_VALUES; c.value++)
        for (int p = 0; p < N_PLACES; p++) {
            c.place = (place)p;
            /* one of the 28 combinations, another one for every call */
            if (all || c.at % (N_VALUES * N_PLACES) == c.value * N_PLACES + p) try_one(c, judge, sum);
        }
}

/* One callback of one model, at every call that it makes and once beyond the last one; after the first ones at one of
 * so many, where the loop is thinned. */
static void try_calls(trial c, long last, void (*judge)(trial *, tally *), tally *sum)
{
    long made = clean(c.model, end_of(c.model, last))->in_all[c.which];
    for (c.at = 1; c.at <= last && c.at <= made + 1 && made > 0; c.at++) {
        if (c.at > ALWAYS && c.at % claims_one_of() != 0 && c.at < made) continue;
        if (c.at > FULL_RANGE && c.at % STRIDE != 0 && c.at < made) continue;
        c.t_end = end_of(c.model, c.at);
        try_values(c, c.at <= FULL_RANGE, judge, sum);
    }
    c.t_end = end_of(c.model, 1);
    c.at = clean(c.model, c.t_end)->in_all[c.which]; /* the last call of a run may be one for the output alone */
    if (c.at > FULL_RANGE) try_values(c, 1, judge, sum);
}

static tally try_all(manner how, int verdict, long last, void (*judge)(trial *, tally *))
{
    tally sum = {0};
    for (int m = 0; m < N_MODELS; m++)
        for (int w = 0; w < N_CALLBACKS; w++)
            try_calls((trial){.model = (model)m, .which = (scripted_callback)w, .manner = how, .verdict = verdict},
                      last, judge, &sum);
    return sum;
}

CLAIM(the_models_call_every_callback_often_enough)
{
    const clean_run *k[N_MODELS];
    for (int m = 0; m < N_MODELS; m++) k[m] = clean((model)m, end_of((model)m, LAST_CALL));
    static const scripted_callback of_both[] = {ON_CONSTRAINT, ON_CONSTRAINT_MATRIX, ON_VELOCITY_BIAS};
    for (int m = BY_RESIDUAL; m <= BY_ACCELERATION; m++)
        for (int i = 0; i < 3; i++) assert_true(k[m]->in_all[of_both[i]] >= LAST_SCRIPTED_CALL);
    for (int m = 0; m < N_MODELS; m++) {
        long formalism = k[m]->in_all[m == BY_ACCELERATION ? ON_ACCELERATION : ON_RESIDUAL];
        assert_true(formalism >= (m == DAE ? LAST_CALL : LAST_SCRIPTED_CALL));
        assert_true(k[m]->in_all[ON_EXCITATION] >= (m == DAE ? LAST_CALL / 2 : LAST_CALL));
        assert_true(k[m]->in_all[ON_ROOT] >= (m == DAE ? LAST_CALL / 2 : LAST_CALL));
    }
    assert_true(k[BY_RESIDUAL]->in_start[ON_MASS_MATRIX] >= 1);
    assert_true(k[BY_RESIDUAL]->in_start[ON_ACCELERATION_BIAS] >= 1);
}

CLAIM(a_run_with_one_nonfinite_output_has_the_right_result)
{
    tally sum = try_all(ONCE, 0, LAST_CALL, judge_single);
    print_message("NaN or Inf once: %ld cases, %ld got over, %ld in the start reported by name\n", sum.cases,
                  sum.got_over, sum.reported_in_start);
    assert_true(sum.got_over > sum.cases / 2);
}

CLAIM(lasting_nonfinite_outputs_are_named_within_500_residuals)
{
    tally sum = try_all(FOR_EVER, 0, LAST_CALL, judge_lasting);
    print_message("NaN or Inf for ever: %ld cases, worst %ld residuals wasted\n", sum.cases, sum.worst_wasted);
    assert_true(sum.worst_wasted > 0);
}

CLAIM(a_run_with_one_refused_evaluation_has_the_right_result)
{
    tally sum = try_all(ONCE, 1, LAST_SCRIPTED_CALL, judge_single);
    print_message("refused once: %ld cases, %ld got over, %ld in the start reported by name\n", sum.cases, sum.got_over,
                  sum.reported_in_start);
    assert_true(sum.got_over > sum.cases / 2);
}

CLAIM(lasting_refusal_is_named_within_500_residuals)
{
    tally sum = try_all(FOR_EVER, 7, LAST_SCRIPTED_CALL, judge_lasting);
    print_message("refused for ever: %ld cases, worst %ld residuals wasted\n", sum.cases, sum.worst_wasted);
}

CLAIM(no_callback_is_called_after_a_fatal_verdict)
{
    static const int verdicts[] = {-1, (int)RESIDA_ERR_LIMIT_RESIDUALS, -1000}; /* the value is the model's own */
    for (int i = 0; i < 3; i++) {
        tally sum = try_all(FOR_EVER, verdicts[i], i == 0 ? LAST_SCRIPTED_CALL : FULL_RANGE, judge_fatal);
        print_message("fatal verdict %d: %ld cases, no call after it\n", verdicts[i], sum.cases);
    }
}

static int fails_at_roots(scripted *s, scripted_callback which, double t, double *out, int n)
{
    return which == ON_ROOT && s->calls[which] > *(const long *)s->hook_user ? -1 : 0;
}

/* Between two outputs within one internal step no root function is asked: that step has been looked at. */
CLAIM(a_failing_root_function_leaves_the_last_accepted_state)
{
    long within_steps = 0;
    for (int m = 0; m < N_MODELS; m++)
        for (int i = 1; i < 100; i++) {
            scripted_run r;
            resida_stats before = {.size = sizeof before}, after = before;
            contract now;
            open_model(&r, (model)m);
            assert_int_equal(scripted_start(&r), RESIDA_OK);
            for (int k = 1; k <= i; k++) assert_int_equal(resida_solver_advance(r.solver, 0.003 * k), RESIDA_OK);
            before = test_stats(r.solver);
            long calls = r.script.calls[ON_ROOT];
            r.script.hook = fails_at_roots;
            r.script.hook_user = &calls;
            contract_begin(&now, r.solver);
            resida_status status = resida_solver_advance(r.solver, 0.003 * i + 0.001);
            after = test_stats(r.solver);
            int same = before.steps == after.steps;
            assert_int_equal(status, same ? RESIDA_OK : RESIDA_ERR_USER);
            assert_int_equal(r.script.calls[ON_ROOT] - calls, same ? 0 : 1);
            if (same)
                contract_end(&now);
            else
                check_contract(&now, status, CONTRACT_STEPPED, NULL);
            within_steps += same;
            scripted_close(&r);
        }
    assert_true(within_steps > 50);
}
