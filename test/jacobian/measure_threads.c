/* measure_threads.c - how much faster differences by two threads are: a function that takes some 50 microseconds,
 * differenced by groups of columns. Prints medians of several rounds; a figure, not a test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <resida/jacobian.h>

enum { N = 120, HALF_WIDTH = 20, REPEATS = 41, ROUNDS = 5, THREADS = 2 };

/* A band, each row with enough arithmetic. */
static int F(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    for (int i = 0; i < N; i++) {
        r[i] = yp[i] + t;
        for (int c = i - HALF_WIDTH; c <= i + HALF_WIDTH; c++)
            if (c >= 0 && c < N) r[i] += sin(y[c] + 0.1 * i);
    }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static resida_jacobian *open_engine(int threads)
{
    static int user[THREADS];
    static void *workers[THREADS] = {&user[0], &user[1]};
    resida_jacobian *j = NULL;
    resida_system s;
    resida_jacobian_options o;
    resida_message why = {""};
    resida_system_init(&s);
    s.n = N, s.F = F, s.user = user, s.n_workers = THREADS, s.worker = workers;
    resida_jacobian_options_init(&o);
    o.strategy = "sparse", o.threads = threads;
    if (resida_jacobian_create(&j, &s, &o, &why) != RESIDA_OK) fprintf(stderr, "%s\n", why.text);
    return j;
}

/* Median time of a setup [s]; one call of F is part of it, to check the pattern. */
static double median(resida_jacobian *j, const resida_jacobian_point *at)
{
    double times[REPEATS];
    int current;
    for (int i = 0; i < REPEATS; i++) {
        double begin = now();
        if (resida_jacobian_setup(j, RESIDA_SETUP_OTHER, at, &current) != 0) return NAN;
        times[i] = now() - begin;
    }
    qsort(times, REPEATS, sizeof *times, by_size);
    return times[REPEATS / 2];
}

static double time_of_F(const double *y, const double *yp, double *r)
{
    double begin = now();
    for (int i = 0; i < 200; i++) F(0, y, yp, r, NULL);
    return (now() - begin) / 200;
}

int main(void)
{
    double y[N], yp[N], r[N];
    for (int i = 0; i < N; i++) y[i] = 1 + 0.1 * sin(i), yp[i] = cos(i);
    F(0, y, yp, r, NULL);
    resida_jacobian_point at = {.alpha = 10, .h = 0.1, .y = y, .yp = yp, .F = r};
    resida_jacobian *one = open_engine(1), *two = open_engine(THREADS);
    if (!one || !two) return 1;
    median(one, &at), median(two, &at);
    resida_jacobian_counts counts;
    resida_jacobian_get_counts(one, &counts);
    double F0[N];
    printf("%d unknowns, %d groups, one call %.1f us\n", N, counts.groups, 1e6 * time_of_F(y, yp, F0));
    for (int i = 0; i < ROUNDS; i++) {
        double alone = median(one, &at), both = median(two, &at);
        printf("an evaluation %.0f us with 1 thread, %.0f us with 2: ratio %.2f\n", 1e6 * alone, 1e6 * both,
               alone / both);
    }
    resida_jacobian_free(one);
    resida_jacobian_free(two);
    return 0;
}
