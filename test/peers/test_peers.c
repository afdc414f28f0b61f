/* test_peers.c - every integrator that this build has beside resida: it finds the references to what its tolerance
 * promises, hands over the outputs that were asked for, and reports counters that agree with what the model has
 * counted. */
#include "peer_fixture.h"

/* From coarse to tight tolerance the error falls by 10 at least, for a tolerance of a thousandth; from ten times the
 * coarse one, where a long run has been lucky. */
static const double coarse = 1e-4, tight = 1e-7, likely = 10;

/* The corrector of those with a Newton test that sees multipliers fails at the start of Andrews' mechanism: they begin
 * again without them in it. */
typedef struct subject {
    const char *model;
    double t_end, bound; /* error at the tight tolerance */
} subject;

static const subject subjects[] = {
    {"pendulum", 2, 1e-4},
    {"slider-crank", 0, 1e-4},
    {"akzo", 0, 1e-4},
    {"andrews", 0, 1e-3},
};
enum { N_SUBJECTS = sizeof subjects / sizeof subjects[0] };

CLAIM(errors_fall_with_the_tolerance)
{
    for (int k = 0; k < rsd_peer_count(); k++)
        for (int i = 0; i < N_SUBJECTS; i++) {
            const char *peer = rsd_peer_name(rsd_peer_at(k)), *model = subjects[i].model;
            peer_order order = {.model = model, .peer = peer, .rtol = coarse, .t_end = subjects[i].t_end};
            peer_outcome a = peer_run(order);
            order.rtol = tight;
            peer_outcome b = peer_run(order);
            print_message("%-12s %-13s error %.1e at %g, %.1e at %g\n", peer, model, a.error_p, coarse, b.error_p,
                          tight);
            if (a.result.status != RESIDA_OK) fail_msg("%s", a.result.message);
            if (b.result.status != RESIDA_OK) fail_msg("%s", b.result.message);
            assert_true(b.error_p <= subjects[i].bound);
            assert_true(b.error_p <= 0.1 * fmax(a.error_p, likely * coarse));
        }
}

/* The chain is a long run: its own tolerances only. */
CLAIM(the_chain_ends_where_it_should)
{
    for (int k = 0; k < rsd_peer_count(); k++) {
        peer_outcome r = peer_run((peer_order){.model = "chain", .peer = rsd_peer_name(rsd_peer_at(k))});
        print_message("%-12s chain: %ld steps, %ld calls, error %.1e\n", rsd_peer_name(rsd_peer_at(k)),
                      r.result.stats.steps, r.result.stats.residual_calls.total, r.error_p);
        if (r.result.status != RESIDA_OK) fail_msg("%s", r.result.message);
        assert_true(r.error_p <= 1e-3);
    }
}

/* 1000 outputs: also several in one step. p' = v, as the pendulum's exact solution has it, to the accuracy of the
 * run. */
CLAIM(outputs_arrive_in_order_on_the_trajectory)
{
    for (int k = 0; k < rsd_peer_count(); k++) {
        const char *peer = rsd_peer_name(rsd_peer_at(k));
        peer_outcome r =
            peer_run((peer_order){.model = "pendulum", .peer = peer, .rtol = 1e-7, .t_end = 2, .outputs = 1000});
        print_message("%-12s %ld outputs, worst p %.1e, worst p' - v %.1e\n", peer, r.outputs, r.worst_p, r.worst_yp);
        assert_int_equal(r.result.status, RESIDA_OK);
        assert_int_equal(r.outputs, 1000);
        assert_true(r.rising);
        assert_true(r.worst_p <= 1e-4);
        assert_true(r.worst_yp <= 1e-2);
    }
}

/* What a peer gets for nothing: exact Jacobians; M of RADAU5, two calls for each of two points and n columns; the
 * pattern for PETSc, two calls for y_j and yp_j at three states. */
static long free_calls(const char *peer, const peer_outcome *r)
{
    if (strcmp(peer, "ida+analytic") == 0) return 8L * r->n * r->result.stats.jacobian_evaluations.dense;
    if (strcmp(peer, "radau5") == 0) return 4L * r->n;
    if (strcmp(peer, "petsc-bdf") == 0) return 12L * r->n;
    return 0;
}

CLAIM(counters_are_those_of_the_model)
{
    static const char *const models[] = {"pendulum", "slider-crank", "akzo"};
    for (int k = 0; k < rsd_peer_count(); k++)
        for (int i = 0; i < 3; i++) {
            const char *peer = rsd_peer_name(rsd_peer_at(k));
            peer_outcome r = peer_run((peer_order){.model = models[i], .peer = peer, .t_end = i == 0 ? 2 : 0});
            const resida_stats *c = &r.result.stats;
            assert_int_equal(r.result.status, RESIDA_OK);
            assert_int_equal(r.model_calls, c->residual_calls.total + free_calls(peer, &r));
            assert_int_equal(c->residual_calls.newton + c->residual_calls.jacobian, c->residual_calls.total);
            assert_true(c->steps > 0);
            assert_true(c->residual_calls.newton >= c->steps);
            assert_true(c->newton_iterations >= c->steps);
            assert_true(c->jacobian_evaluations.dense + c->jacobian_evaluations.coloured > 0);
            assert_int_equal(c->n, r.n);
            assert_true(r.result.cpu_s > 0 && r.result.cpu_s < 60);
        }
}

/* IDA, DASSL and DASPK count the calls of their iteration; differences take one call for each column. */
CLAIM(a_dense_jacobian_costs_n_calls)
{
    static const char *const names[] = {"ida", "dassl", "daspk"};
    for (int k = 0; k < 3; k++) {
        if (!rsd_peer_find(names[k])) continue;
        peer_outcome r = peer_run((peer_order){.model = "slider-crank", .peer = names[k]});
        const resida_stats *c = &r.result.stats;
        assert_int_equal(c->residual_calls.jacobian, r.n * c->jacobian_evaluations.dense);
        assert_int_equal(c->residual_calls.newton + c->residual_calls.jacobian, r.model_calls);
    }
}

CLAIM(the_highest_order_reaches_the_bdf_codes)
{
    static const char *const names[] = {"ida", "ida+analytic", "dassl", "daspk", "petsc-bdf"};
    for (int k = 0; k < 5; k++) {
        if (!rsd_peer_find(names[k])) continue;
        long steps[3] = {0};
        for (int order = 1; order <= 2; order++) {
            peer_outcome r = peer_run(
                (peer_order){.model = "pendulum", .peer = names[k], .rtol = 1e-5, .t_end = 1, .max_order = order});
            assert_int_equal(r.result.status, RESIDA_OK);
            assert_int_equal(r.result.stats.order, order);
            steps[order] = r.result.stats.steps;
        }
        assert_true(steps[1] > 2 * steps[2]);
    }
}

CLAIM(a_name_finds_its_peer)
{
    assert_true(rsd_peer_count() >= 2);
    for (int k = 0; k < rsd_peer_count(); k++) {
        const rsd_peer *peer = rsd_peer_at(k);
        assert_ptr_equal(rsd_peer_find(rsd_peer_name(peer)), peer);
        assert_true(strlen(rsd_peer_version(peer)) > 2);
    }
    assert_null(rsd_peer_find("resida"));
    assert_null(rsd_peer_find(""));
    assert_null(rsd_peer_find(NULL));
    assert_null(rsd_peer_at(-1));
    assert_null(rsd_peer_at(rsd_peer_count()));
}
