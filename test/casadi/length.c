/* length.c - a pendulum of length L, by hand, whose functions have their parameters in orders of their own:
 * residual(t, p, v, a, m, L), constraint(t, p, L), root(t, p, v, L, m), start(L). L_NAME and P_SIZE are changed by
 * tests. */
#ifndef L_NAME
#define L_NAME "L"
#endif
#ifndef P_SIZE
#define P_SIZE 2, 1, 1
#endif
#define EXPORT   __attribute__((visibility("default")))
#define IN(i, k) (arg[i] ? arg[i][k] : 0)

static const long long scalar[] = {1, 1, 1}, two[] = {2, 1, 1}, position[] = {P_SIZE};

#define FUNCTION(f, in, out, names)                                                                                    \
    EXPORT long long f##_n_in(void)                                                                                    \
    {                                                                                                                  \
        return in;                                                                                                     \
    }                                                                                                                  \
    EXPORT long long f##_n_out(void)                                                                                   \
    {                                                                                                                  \
        return out;                                                                                                    \
    }                                                                                                                  \
    EXPORT const char *f##_name_in(long long i)                                                                        \
    {                                                                                                                  \
        static const char *const all[] = names;                                                                        \
        return all[i];                                                                                                 \
    }                                                                                                                  \
    EXPORT int f(const double **arg, double **res, long long *iw, double *w, int mem)
#define LIST(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

FUNCTION(residual, 6, 1, LIST("t", "p", "v", "a", "m", "L"))
{
    (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = IN(4, 0) * IN(3, 0), res[0][1] = IN(4, 0) * (IN(3, 1) + 9.81);
    return 0;
}
EXPORT const long long *residual_sparsity_in(long long i)
{
    return i == 0 || i > 3 ? scalar : two;
}
EXPORT const long long *residual_sparsity_out(long long i)
{
    (void)i;
    return two;
}
EXPORT double residual_default_in(long long i)
{
    return i == 4 ? 3 : i == 5 ? 1 : 0;
}

FUNCTION(constraint, 3, 1, LIST("t", "p", L_NAME))
{
    (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = IN(1, 0) * IN(1, 0) + IN(1, 1) * IN(1, 1) - IN(2, 0) * IN(2, 0);
    return 0;
}
EXPORT const long long *constraint_sparsity_in(long long i)
{
    return i == 1 ? position : scalar;
}
EXPORT const long long *constraint_sparsity_out(long long i)
{
    (void)i;
    return scalar;
}

FUNCTION(root, 5, 1, LIST("t", "p", "v", "L", "m"))
{
    (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = IN(1, 1) + IN(3, 0) / 2 + 0 * IN(4, 0);
    return 0;
}
EXPORT const long long *root_sparsity_in(long long i)
{
    return i == 1 || i == 2 ? two : scalar;
}
EXPORT const long long *root_sparsity_out(long long i)
{
    (void)i;
    return scalar;
}

FUNCTION(start, 1, 2, LIST("L"))
{
    (void)iw, (void)w, (void)mem;
    if (res[0]) res[0][0] = IN(0, 0), res[0][1] = 0;
    if (res[1]) res[1][0] = res[1][1] = 0;
    return 0;
}
EXPORT const long long *start_sparsity_in(long long i)
{
    (void)i;
    return scalar;
}
EXPORT const long long *start_sparsity_out(long long i)
{
    (void)i;
    return two;
}
