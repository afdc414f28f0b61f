/* test_no_lapack.c - the built-in models are started and integrated without a call of LAPACK or BLAS, whose rounding
 * differs between implementations and processors: counters are the same on all of them. The program has the functions
 * that the library calls of LAPACK, before the LAPACK that it is linked with, and counts. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/run_model.h"

#define PART 0.01 /* of the time of a model */

static int calls;

#define COUNTED(name)                                                                                                  \
    __attribute__((visibility("default"))) void name(void);                                                            \
    void name(void)                                                                                                    \
    {                                                                                                                  \
        calls++;                                                                                                       \
    }

COUNTED(dgetrs_)
COUNTED(dggbal_)
COUNTED(dgeev_)
COUNTED(dsygv_)

/* Nothing is factored, and the matrix is called singular. */
__attribute__((visibility("default"))) void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots,
                                                    int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info)
{
    calls++;
    *info = 1;
}

/* Only a call that is seen here would be missed elsewhere. */
CLAIM(a_full_matrix_that_is_large_reaches_lapack)
{
    calls = 0;
    run_model((run_order){.model = "double-wishbone", .jacobian = "dense", .t_end = 1e-3});
    assert_true(calls > 0);
}

/* Both formalisms of a mechanism, as far as it has them. */
static void count_calls(const char *name)
{
    bench *b = bench_make(name, NULL);
    const resida_model *m = &b->model;
    run_order order = {.model = name, .t_end = m->t0 + PART * (m->t_end - m->t0), .outputs = 1};
    const int runs = !m->is_dae && b->m->residual && b->m->acceleration ? 2 : 1;
    for (int i = 0; i < runs; i++) {
        if (runs == 2) order.formalism = i == 0 ? RESIDA_FORMALISM_RESIDUAL : RESIDA_FORMALISM_EXPLICIT;
        calls = 0;
        run_model(order);
        if (calls > 0) fail_msg("%s: %d calls of LAPACK", name, calls);
    }
}

CLAIM(built_in_models_run_without_lapack)
{
    for (int i = 0; bench_models[i]; i++) count_calls(bench_models[i]->name);
}
