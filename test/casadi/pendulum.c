/* pendulum.c - a pendulum as CasADi generates functions, by hand: residual(t, p, v, a, m, g), constraint(t, p, m, g),
 * both Jacobians, and a start. Vectors of residual are full; other outputs are sparse, by columns. */
#define casadi_real double
#define casadi_int  long long int

#define EXPORT      __attribute__((visibility("default")))
#define IN(i, k)    (arg[i] ? arg[i][k] : 0)

static const casadi_int scalar[] = {1, 1, 1}, two[] = {2, 1, 1};
static const casadi_int diagonal[] = {2, 2, 0, 1, 2, 0, 1}, nothing[] = {2, 2, 0, 0, 0}, none[] = {2, 1, 0, 0};
static const casadi_int row[] = {1, 2, 0, 1, 2, 0, 0}, zero[] = {1, 1, 0, 0};

static const char *const arguments[] = {"t", "p", "v", "a", "m", "g"};

#define COUNTS(f, in, out)                                                                                             \
    EXPORT casadi_int f##_n_in(void)                                                                                   \
    {                                                                                                                  \
        return in;                                                                                                     \
    }                                                                                                                  \
    EXPORT casadi_int f##_n_out(void)                                                                                  \
    {                                                                                                                  \
        return out;                                                                                                    \
    }

EXPORT int residual(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)iw, (void)mem;
    w[0] = IN(4, 0);
    if (res[0]) {
        res[0][0] = w[0] * IN(3, 0);
        res[0][1] = w[0] * IN(3, 1) + w[0] * IN(5, 0);
    }
    return 0;
}
COUNTS(residual, 6, 1)
EXPORT const casadi_int *residual_sparsity_in(casadi_int i)
{
    return i == 0 || i > 3 ? scalar : two;
}
EXPORT const casadi_int *residual_sparsity_out(casadi_int i)
{
    (void)i;
    return two;
}
EXPORT const char *residual_name_in(casadi_int i)
{
    return arguments[i];
}
EXPORT casadi_real residual_default_in(casadi_int i)
{
    return i == 4 ? 1 : i == 5 ? 9.81 : 0;
}
EXPORT int residual_work(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)
{
    *sz_arg = 6, *sz_res = 1, *sz_iw = 0, *sz_w = 1;
    return 0;
}

/* Outputs: by t, p, v, a, m, g. */
EXPORT int jac_residual(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)iw, (void)w, (void)mem;
    if (res[3]) res[3][0] = res[3][1] = IN(4, 0);
    return 0;
}
COUNTS(jac_residual, 7, 6)
EXPORT const casadi_int *jac_residual_sparsity_in(casadi_int i)
{
    return i == 0 || i == 4 || i == 5 ? scalar : two;
}
EXPORT const casadi_int *jac_residual_sparsity_out(casadi_int i)
{
    return i == 3 ? diagonal : i == 1 || i == 2 ? nothing : none;
}

EXPORT int constraint(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = (IN(1, 0) * IN(1, 0) + IN(1, 1) * IN(1, 1) - 1) / 2;
    return 0;
}
COUNTS(constraint, 2, 1)
EXPORT const casadi_int *constraint_sparsity_in(casadi_int i)
{
    return i == 0 ? scalar : two;
}
EXPORT const casadi_int *constraint_sparsity_out(casadi_int i)
{
    (void)i;
    return scalar;
}

EXPORT int jac_constraint(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)iw, (void)w, (void)mem;
    if (res[1]) res[1][0] = IN(1, 0), res[1][1] = IN(1, 1);
    return 0;
}
COUNTS(jac_constraint, 3, 2)
EXPORT const casadi_int *jac_constraint_sparsity_in(casadi_int i)
{
    return i == 1 ? two : scalar;
}
EXPORT const casadi_int *jac_constraint_sparsity_out(casadi_int i)
{
    return i == 0 ? zero : row;
}

EXPORT int start(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    (void)arg, (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = 1, res[0][1] = 0;
    if (res[1]) res[1][0] = 0, res[1][1] = 0;
    return 0;
}
COUNTS(start, 0, 2)
EXPORT const casadi_int *start_sparsity_in(casadi_int i)
{
    (void)i;
    return 0;
}
EXPORT const casadi_int *start_sparsity_out(casadi_int i)
{
    (void)i;
    return two;
}
