/* elliptic.c - elliptic functions by the arithmetic-geometric mean,
 *
 *     a_0 = 1, b_0 = kc, c_0 = k,   a_n+1 = (a_n + b_n)/2,  b_n+1 = sqrt(a_n b_n),  c_n+1 = (a_n - b_n)/2,
 *     F:          tan(phi_n+1 - phi_n) = (b_n/a_n) tan phi_n,        F = phi_N / (2^N a_N)
 *     sn, cn:     phi_N = 2^N a_N u,  sin(2 phi_n-1 - phi_n) = (c_n/a_n) sin phi_n,   sn = sin phi_0, cn = cos phi_0
 *
 * Source: Abramowitz, Stegun: Handbook of Mathematical Functions, sections 16.4 and 17.6. dn is computed as sqrt(cn^2 +
 * kc^2 sn^2), a sum without cancellation. Arithmetic is in long double, therefore results for phases of hundreds of
 * radians have the accuracy of a double. k = 1 is excluded, because the mean is then 0. */
#include "elliptic.h"

#include <float.h>
#include <math.h>

enum { MAX_MEANS = 16 }; /* kc = 1e-300 requires 15 */

static const long double pi = 3.14159265358979323846264338327950288L;

long double bench_elliptic_f(long double phi, long double kc)
{
    long double a = 1, b = kc, scale = 1;
    for (int n = 0; n < MAX_MEANS && fabsl(a - b) > LDBL_EPSILON * a; n++) {
        phi += atanl(b / a * tanl(phi)) + pi * roundl(phi / pi); /* the branch closest to phi */
        long double mean = (a + b) / 2;
        b = sqrtl(a * b);
        a = mean;
        scale *= 2;
    }
    return phi / (scale * a);
}

void bench_jacobi(long double u, long double k, long double kc, long double *sn, long double *cn, long double *dn)
{
    long double a[MAX_MEANS + 1] = {1}, c[MAX_MEANS + 1] = {k}, b = kc;
    int n = 0;
    while (n < MAX_MEANS && fabsl(c[n]) > LDBL_EPSILON * a[n]) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrtl(a[n] * b);
        n++;
    }
    long double phi = ldexpl(a[n] * u, n);
    for (; n > 0; n--) phi = (phi + asinl(c[n] / a[n] * sinl(phi))) / 2;
    *sn = sinl(phi);
    *cn = cosl(phi);
    *dn = sqrtl(*cn * *cn + kc * kc * *sn * *sn);
}
