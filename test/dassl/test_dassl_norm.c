/* test_dassl_norm.c - a program with its own norm and weights gets one message that they are not called. */
#include "client.h"
#include "test/fixtures/file_util.h"

RESIDA_API double ddanrm_(const int *neq, const double *v, const double *wt, double *rpar, int *ipar);
RESIDA_API double ddwnrm_(const int *neq, const double *v, const double *rwt, double *rpar, int *ipar);
RESIDA_API void ddawts_(const int *neq, const int *iwt, const double *rtol, const double *atol, const double *y,
                        double *ewt, double *rpar, int *ipar);

double ddanrm_(const int *neq, const double *v, const double *wt, double *rpar, int *ipar)
{
    fail_msg("it was called, and is said not to be");
    return 0;
}

double ddwnrm_(const int *neq, const double *v, const double *rwt, double *rpar, int *ipar)
{
    return ddanrm_(neq, v, rwt, rpar, ipar);
}

void ddawts_(const int *neq, const int *iwt, const double *rtol, const double *atol, const double *y, double *ewt,
             double *rpar, int *ipar)
{
    ddanrm_(neq, y, ewt, rpar, ipar);
}

CLAIM(a_norm_of_the_program_is_named_once)
{
    static const das_routine routines[] = {DAS_DDASSL, DAS_DDASSL, DAS_DDASPK, DAS_DDASRT, DAS_DDASKR};
    static const char *const heard[] = {"DDASSL: function DDANRM of the program is not called", "",
                                        "DDASPK: function DDWNRM of the program is not called", "",
                                        "DDASKR: function DDAWTS of the program is not called"};
    for (int k = 0; k < 5; k++) {
        client c = client_create(routines[k]);
        client_listen();
        client_call(&c, 1);
        assert_int_equal(client_lines_heard(), heard[k][0] != 0);
        assert_int_equal(c.idid, ID_T_OUT);
        assert_non_null(strstr(client_heard(), heard[k]));
    }
}
