/* test_dassl_next.c - Krylov methods of DASKR are those of the next ddaskr_ of the dynamic linker, here that of next.c;
 * DASPK's are in test_dassl_clients.c. */
#include "client.h"
#include "test/fixtures/file_util.h"

RESIDA_API extern int next_calls; /* of next.c */

static void res(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                double *rpar, int *ipar, double *senpar)
{
    fail_msg("RES of a call that was forwarded");
}

static void psol(void)
{
    fail_msg("PSOL of a call that was forwarded");
}

CLAIM(krylov_methods_are_those_of_the_next_daskr)
{
    client c = client_create(DAS_DDASKR);
    const double t_out = 2;
    c.ng = 2;
    c.t = 1;
    c.info[INFO_KRYLOV] = 1;
    client_make_room(&c, 0, 0);
    ddaskr_(res, &c.n, &c.t, c.y, c.yp, &t_out, c.info, c.rtol, c.atol, &c.idid, c.rwork, &c.lrw, c.iwork, &c.liw,
            &c.rpar, &c.ipar, c.jac, psol, c.rt, &c.ng, c.jroot);
    assert_int_equal(c.idid, ID_T_OUT);
    assert_int_equal(c.jroot[0], 1);
    assert_int_equal(c.jroot[1], CLIENT_N + 2);
    c.info[INFO_KRYLOV] = 0;
    c.t = 0;
    assert_int_equal(client_call(&c, 1), ID_T_OUT);
    assert_int_equal(next_calls, 1);
    assert_true(c.iwork[I_STEPS] > 0 && c.jroot[0] == 0 && client_error(&c) < 1e-5);
}
