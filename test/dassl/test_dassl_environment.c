/* test_dassl_environment.c - programs that trap floating-point exceptions or look at their flags: with the library they
 * see what their own functions do, and nothing of its arithmetic. */
#define _GNU_SOURCE
#include "client.h"

#include <fenv.h>

#include "test/fixtures/file_util.h"

enum { TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static volatile double zero = 0, one = 1, huge = 1e300;
static int n_wrong, n_calls; /* calls in which traps or flags were not those of the program */
static int expected_traps, expected_flags;
static jmp_buf outside;
static int leaps;

static void look(void)
{
    n_calls++;
    n_wrong += fegetexcept() != expected_traps || fetestexcept(TRAPS) != expected_flags;
}

static void look_and_go(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                        int *ipar)
{
    look();
    if (leaps && *t > 0.5) longjmp(outside, 1);
    client_oscillators(t, y, yp, delta, ires, rpar, ipar);
}

static void look_at_jacobian(const double *t, const double *y, const double *yp, double *pd, const double *cj,
                             double *rpar, int *ipar)
{
    look();
    client_full(t, y, yp, pd, cj, rpar, ipar);
}

static void look_at_root(const int *neq, const double *t, const double *y, const int *ng, double *gout, double *rpar,
                         int *ipar)
{
    look();
    client_y0(neq, t, y, ng, gout, rpar, ipar);
}

static client create(das_routine routine)
{
    client c = client_create(routine);
    c.res = look_and_go;
    c.jac = look_at_jacobian;
    c.g = look_at_root;
    c.ng = routine == DAS_DDASRT || routine == DAS_DDASKR;
    c.info[4] = 1;
    client_make_room(&c, 0, 0);
    n_wrong = n_calls = 0;
    return c;
}

static void begin(int traps, int flags)
{
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(flags);
    feenableexcept(traps);
    expected_traps = traps;
    expected_flags = flags;
}

/* The environment is as it was. */
static void end(int idid, int is)
{
    const int traps = fegetexcept(), flags = fetestexcept(TRAPS);
    fedisableexcept(FE_ALL_EXCEPT);
    assert_int_equal(is, idid);
    assert_int_equal(traps, expected_traps);
    assert_int_equal(flags, expected_flags);
    assert_int_equal(n_wrong, 0);
}

static void solve_with_traps(das_routine routine)
{
    for (int by_differences = 0; by_differences < 2; by_differences++) {
        client c = create(routine);
        c.info[4] = !by_differences;
        begin(TRAPS, 0);
        for (int k = 1; k <= 3; k++) {
            do {
                c.info[0] = c.info[0] != 0;
                client_call(&c, 0.5 * k);
            } while (c.idid == ID_MUCH_WORK || c.idid == ID_ROOT || c.idid == ID_ROOT_DASKR);
            end(ID_T_OUT, c.idid);
            begin(TRAPS, 0);
        }
        end(0, 0);
        assert_true(n_calls > 30 && client_error(&c) < 1e-5);
    }
}

CLAIM(trapped_operations_of_the_library_do_not_end_a_program)
{
    for (int k = 0; k < DAS_ROUTINES; k++) solve_with_traps((das_routine)k);
}

CLAIM(a_start_is_found_and_a_failure_is_told_with_traps)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = create((das_routine)k);
        c.info[4] = 0;
        c.info[10] = 1;
        client_make_room(&c, 0, 0);
        for (int i = 0; i < CLIENT_N; i++) c.yp[i] = 0;
        for (int i = 0; i < CLIENT_N && client_is_daspk(k); i++) c.iwork[40 + i] = 1;
        begin(TRAPS, 0);
        client_call(&c, 1);
        end(ID_T_OUT, c.idid);
        c.rtol[0] = c.atol[0] = 0;
        client_listen();
        begin(TRAPS, 0);
        client_call(&c, 2);
        end(ID_ILLEGAL, c.idid);
        assert_int_equal(client_lines_heard(), 1);
    }
}

CLAIM(flags_of_the_caller_stay_and_those_of_the_library_are_not_shown)
{
    static const int flags[] = {0, FE_INVALID, FE_DIVBYZERO | FE_OVERFLOW};
    for (int k = 0; k < 3; k++) {
        client c = create(DAS_DDASSL);
        c.info[4] = 0;
        begin(0, flags[k]);
        client_call(&c, 1);
        end(ID_T_OUT, c.idid);
    }
}

static void divides_by_zero(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                            int *ipar)
{
    look();
    client_oscillators(t, y, yp, delta, ires, rpar, ipar);
    delta[0] += zero / (one / zero);
    expected_flags = FE_DIVBYZERO;
    if (n_calls < 10) return;
    feclearexcept(FE_DIVBYZERO);
    delta[0] += one / (huge * huge);
    expected_flags = FE_OVERFLOW;
}

CLAIM(flags_that_a_function_raises_or_clears_are_so_at_its_next_call_and_at_the_end)
{
    client c = create(DAS_DDASSL);
    c.info[4] = 0;
    c.res = divides_by_zero;
    begin(0, 0);
    client_call(&c, 1);
    end(ID_T_OUT, c.idid);
    assert_int_equal(expected_flags, FE_OVERFLOW);
}

CLAIM(a_program_that_leaves_by_longjmp_has_its_traps)
{
    static client c;
    c = create(DAS_DDASSL);
    c.info[4] = 0;
    leaps = 1;
    begin(TRAPS, 0);
    if (setjmp(outside) == 0) {
        client_call(&c, 1);
        fail();
    }
    leaps = 0;
    end(0, 0);
}
