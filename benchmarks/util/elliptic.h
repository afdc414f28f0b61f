/* elliptic.h - Legendre's F and Jacobi's elliptic functions for a modulus k, 0 <= k < 1, kc^2 = 1 - k^2. */
#ifndef BENCH_ELLIPTIC_H
#define BENCH_ELLIPTIC_H

/** F(phi, k) = int_0^phi dx / sqrt(1 - k^2 sin^2 x), any phi; kc > 0 is an argument because 1 - k^2 may cancel. */
long double bench_elliptic_f(long double phi, long double kc);

/** Compute sn, cn, dn of u. */
void bench_jacobi(long double u, long double k, long double kc, long double *sn, long double *cn, long double *dn);

#endif
