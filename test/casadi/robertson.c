/* robertson.c - Robertson's kinetics as a general DAE, as CasADi generates functions, by hand: residual(t, y, yp, k1),
 * its Jacobian with entries that are in one part or in both, and a start without yp. */
#define casadi_real double
#define casadi_int  long long int

#define EXPORT      __attribute__((visibility("default")))
#define Y(i)        (arg[1] ? arg[1][i] : 0)
#define YP(i)       (arg[2] ? arg[2][i] : 0)

static const casadi_int scalar[] = {1, 1, 1}, three[] = {3, 1, 1}, none[] = {3, 1, 0, 0};
static const casadi_int by_y[] = {3, 3, 0, 3, 6, 9, 0, 1, 2, 0, 1, 2, 0, 1, 2};
static const casadi_int by_yp[] = {3, 3, 0, 1, 2, 2, 0, 1};
static int users;

EXPORT int residual(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    const double k1 = arg[3] ? arg[3][0] : 0, slow = k1 * Y(0), back = 1e4 * Y(1) * Y(2), fast = 3e7 * Y(1) * Y(1);
    (void)iw, (void)w;
    if (users < 1 || mem != 7 || !res[0]) return 1;
    res[0][0] = YP(0) + slow - back;
    res[0][1] = YP(1) - slow + back + fast;
    res[0][2] = Y(0) + Y(1) + Y(2) - 1;
    return 0;
}
EXPORT casadi_int residual_n_in(void)
{
    return 4;
}
EXPORT casadi_int residual_n_out(void)
{
    return 1;
}
EXPORT const casadi_int *residual_sparsity_in(casadi_int i)
{
    return i == 0 || i == 3 ? scalar : three;
}
EXPORT const casadi_int *residual_sparsity_out(casadi_int i)
{
    (void)i;
    return three;
}
EXPORT casadi_real residual_default_in(casadi_int i)
{
    return i == 3 ? 0.04 : 0;
}
EXPORT void residual_incref(void)
{
    users++;
}
EXPORT void residual_decref(void)
{
    users--;
}
EXPORT int residual_checkout(void)
{
    return 7;
}
EXPORT void residual_release(int mem)
{
    users -= mem == 7 ? 0 : 100;
}

EXPORT int jac_residual(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    const double k1 = arg[3] ? arg[3][0] : 0, y1 = Y(1), y2 = Y(2);
    (void)iw, (void)w, (void)mem;
    if (res[1]) {
        const double values[] = {k1, -k1, 1, -1e4 * y2, 1e4 * y2 + 6e7 * y1, 1, -1e4 * y1, 1e4 * y1, 1};
        for (int k = 0; k < 9; k++) res[1][k] = values[k];
    }
    if (res[2]) res[2][0] = res[2][1] = 1;
    return 0;
}
EXPORT casadi_int jac_residual_n_in(void)
{
    return 5;
}
EXPORT casadi_int jac_residual_n_out(void)
{
    return 4;
}
EXPORT const casadi_int *jac_residual_sparsity_in(casadi_int i)
{
    return i == 0 || i == 3 ? scalar : three;
}
EXPORT const casadi_int *jac_residual_sparsity_out(casadi_int i)
{
    return i == 1 ? by_y : i == 2 ? by_yp : none;
}

EXPORT int start(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)arg, (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = 1, res[0][1] = res[0][2] = 0;
    return 0;
}
EXPORT casadi_int start_n_in(void)
{
    return 0;
}
EXPORT casadi_int start_n_out(void)
{
    return 1;
}
EXPORT const casadi_int *start_sparsity_in(casadi_int i)
{
    (void)i;
    return 0;
}
EXPORT const casadi_int *start_sparsity_out(casadi_int i)
{
    (void)i;
    return three;
}
