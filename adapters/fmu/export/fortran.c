/* fortran.c - the two functions that LAPACK takes from elsewhere. Those of the reference LAPACK and of GNU Fortran
 * would need the Fortran library. */
#include <stddef.h>
#include <string.h>

/** LAPACK calls it for an invalid argument and then returns info < 0. The original prints, and ends the process. */
void xerbla_(const char *name, const int *info, size_t length);
void xerbla_(const char *name, const int *info, size_t length)
{
    (void)name, (void)info, (void)length;
}

static void copy(char *to, size_t n_to, const char *from, size_t n)
{
    memcpy(to, from, n < n_to ? n : n_to);
}

/** to = first // second, as the operator of Fortran: filled with blanks. */
void _gfortran_concat_string(size_t n, char *to, size_t n_1, const char *first, size_t n_2, const char *second);
void _gfortran_concat_string(size_t n, char *to, size_t n_1, const char *first, size_t n_2, const char *second)
{
    memset(to, ' ', n);
    copy(to, n, first, n_1);
    if (n_1 < n) copy(to + n_1, n - n_1, second, n_2);
}
