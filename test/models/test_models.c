/* test_models.c - names and parameters of the built-in models, and a chain of many rods. Callbacks against each other
 * and against differences are the matter of test_command_check_models.c, energy that of test_model_energy.c, the
 * reference states that of test_model_references.c. */
#include "test/fixtures/bench_fixture.h"

/* Callbacks of a chain without touching more than O(n) memory: nothing here is a full matrix. */
CLAIM(cartesian_chain_of_ten_thousand_rods_is_sparse)
{
    enum { RODS = 10000 };
    const bench_setting settings[] = {{"n", RODS}, {NULL, 0}};
    bench *b = bench_make("chain-cartesian", settings);
    bench_at(b, 0);
    const int *row = b->m->G_pattern.row, *col = b->m->G_pattern.col;
    assert_int_equal(row[RODS], 4 * RODS - 2);
    for (int i = 0; i < RODS; i++)
        for (int k = row[i]; k < row[i + 1]; k++) assert_int_equal(col[k], 2 * i + 2 - (row[i + 1] - k));
    assert_int_equal(b->m->M_pattern.row[2 * RODS], 2 * RODS);
    double *a = bench_doubles(2 * RODS), *r = bench_doubles(2 * RODS), *entries = bench_doubles(4 * RODS);
    bench_residual(b, b->model.p0, b->model.v0, a, r);
    assert_int_equal(b->m->constraint_matrix(0, b->model.p0, &b->e, entries, b->m->user), 0);
    for (int i = 0; i < RODS; i++) {
        assert_true(r[2 * i] >= 0 && r[2 * i] <= 0);
        bench_near(r[2 * i + 1], 9.81, 0); /* at rest, but for the weight */
        bench_near(entries[row[i + 1] - 1], -2, 0);
    }
    assert_string_equal(b->m->p_names[2 * RODS - 1], "y10000");
    assert_string_equal(b->m->g_names[0], "rod 1");
}

CLAIM(akzo_refuses_a_negative_concentration)
{
    bench *b = bench_make("akzo", NULL);
    double y[6] = {0.4, -1e-9, 0, 0, 0, 0}, r[6];
    assert_true(b->model.dae.residual(0, y, b->model.yp0, &b->e, r, b->model.dae.user) > 0);
}

CLAIM(every_model_is_found_by_its_name_and_names_its_variables)
{
    int count = 0;
    for (const resida_model_class *const *cls = bench_models; *cls; cls++, count++) {
        assert_ptr_equal(bench_model_find((*cls)->name), *cls);
        for (int i = 0; i < (*cls)->n_parameters; i++) {
            const resida_parameter *q = &(*cls)->parameters[i];
            assert_true(q->min <= q->value && q->value <= q->max);
            assert_true(q->name && q->unit && q->text);
        }
        bench *b = bench_make((*cls)->name, NULL);
        assert_true(b->model.t_end > b->model.t0 && b->model.rtol > 0 && b->model.atol > 0);
        const resida_mechanism *m = &b->model.mechanism;
        const char *const *lists[] = {m->p_names, m->v_names, m->g_names, b->model.dae.names};
        const int lengths[] = {m->n_p, m->n_v, m->n_g, b->model.dae.n};
        for (int l = 0; l < 4; l++)
            for (int i = 0; i < lengths[l]; i++) {
                assert_non_null(lists[l][i]);
                for (int j = 0; j < i; j++) assert_string_not_equal(lists[l][i], lists[l][j]);
            }
    }
    assert_int_equal(count, 24);
    assert_null(bench_model_find("pendulums"));
    assert_null(bench_model_find(NULL));
}
