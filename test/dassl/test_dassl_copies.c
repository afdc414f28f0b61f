/* test_dassl_copies.c - work arrays that are copied, and integrations that are not kept: what goes on as if nothing had
 * happened, and what begins anew, with counts from where they were. */
#include "client.h"
#include "test/fixtures/file_util.h"

static void expect(client *c, double t_out, int idid)
{
    assert_int_equal(client_call(c, t_out), idid);
    assert_int_equal(c->info[0], 1);
}

/* With arrays of its own. */
static client copy(const client *c)
{
    client d = *c;
    d.rwork = malloc((size_t)c->lrw * sizeof *c->rwork);
    d.iwork = malloc((size_t)c->liw * sizeof *c->iwork);
    assert_true(d.rwork && d.iwork);
    claims_own(d.rwork, free);
    claims_own(d.iwork, free);
    memcpy(d.rwork, c->rwork, (size_t)c->lrw * sizeof *c->rwork);
    memcpy(d.iwork, c->iwork, (size_t)c->liw * sizeof *c->iwork);
    return d;
}

CLAIM(work_arrays_may_be_copied_between_calls)
{
    client c = client_create(DAS_DDASSL);
    expect(&c, 1, ID_T_OUT);
    const long before = client_did.res;
    client d = copy(&c);
    expect(&d, 1.01, ID_T_OUT);
    assert_true(client_error(&d) < 1e-4 && client_did.res < before + 6); /* it did not begin anew */
}

/* A step is taken twice, by the arrays and by a copy that was saved before. */
static void take_a_step_twice(das_routine routine)
{
    client alone = client_create(routine);
    expect(&alone, 1, ID_T_OUT);
    expect(&alone, 2, ID_T_OUT);
    expect(&alone, 3, ID_T_OUT);
    client c = client_create(routine);
    expect(&c, 1, ID_T_OUT);
    client saved = copy(&c);
    const int residuals = saved.iwork[I_RESIDUALS], steps = saved.iwork[I_STEPS];
    expect(&c, 2, ID_T_OUT);
    client_did.res = 0;
    expect(&saved, 2, ID_T_OUT);
    assert_true(client_error(&saved) < 1e-4);
    assert_int_equal(saved.iwork[I_RESIDUALS], residuals + client_did.res);
    assert_true(saved.iwork[I_STEPS] > steps);
    expect(&c, 3, ID_T_OUT);
    assert_memory_equal(c.y, alone.y, sizeof c.y);
    assert_memory_equal(c.iwork, alone.iwork, (size_t)c.liw * sizeof *c.iwork);
    expect(&saved, 3, ID_T_OUT);
    assert_true(client_error(&saved) < 1e-4);
}

CLAIM(a_saved_copy_starts_again_and_its_original_continues)
{
    for (int k = 0; k < DAS_ROUTINES; k++) take_a_step_twice((das_routine)k);
}

CLAIM(arrays_that_are_copied_back_count_from_what_was_saved)
{
    client c = client_create(DAS_DDASSL);
    expect(&c, 1, ID_T_OUT);
    client saved = copy(&c);
    const int residuals = saved.iwork[I_RESIDUALS];
    expect(&c, 2, ID_T_OUT);
    memcpy(c.rwork, saved.rwork, (size_t)c.lrw * sizeof *c.rwork);
    memcpy(c.iwork, saved.iwork, (size_t)c.liw * sizeof *c.iwork);
    memcpy(c.y, saved.y, sizeof c.y);
    memcpy(c.yp, saved.yp, sizeof c.yp);
    c.t = 1;
    client_did.res = 0;
    expect(&c, 2, ID_T_OUT);
    assert_true(client_error(&c) < 1e-4);
    assert_int_equal(c.iwork[I_RESIDUALS], residuals + client_did.res);
}

/* Two whose work arrays fill the memory that is kept; no more than LRW is looked at. */
CLAIM(an_abandoned_integration_continues_from_its_state_with_one_message)
{
    client c[2] = {client_create(DAS_DDASSL), client_create(DAS_DDASSL)};
    c[0].lrw = c[1].lrw = 1 << 25;
    for (int k = 1; k <= 3; k++)
        for (int i = 0; i < 2; i++) {
            client_listen();
            const int idid = client_call(&c[i], k);
            assert_int_equal(client_lines_heard(), k == 2 && i == 0);
            assert_int_equal(idid, ID_T_OUT);
            assert_true(client_error(&c[i]) < 1e-4);
            if (k == 2 && i == 0) {
                assert_non_null(strstr(client_heard(), "restarts at T = 1"));
                assert_non_null(strstr(client_heard(), "the last 8192 integrations are kept, within 256 MB"));
            }
        }
}
