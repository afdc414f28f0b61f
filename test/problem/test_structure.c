/* What is known of J of a mechanism: entries, columns, the two parts of F. All built-in mechanisms and random ones,
 * both formalisms, all forms, at states where nothing is zero.
 *
 * Known entries are compared with differences of fourth order; that nothing else is there is asked bit for bit: a row
 * that does not depend on a component may not change when that component moves. */
#include "test/jacobian/engine_fixture.h"

#define ACCURACY 1e-7 /* of the row, of a known entry */

/* Known entries of a rig at its state, and where they are. */
typedef struct known_entries {
    double *dy, *dyp;
    unsigned char *is_y, *is_yp; /* [n x n] column by column */
} known_entries;

static void mark(int n, int entries, const int *row, const int *column, unsigned char *is)
{
    for (int k = 0; k < entries; k++) {
        assert_int_equal(is[column[k] * n + row[k]], 0); /* no repetitions */
        is[column[k] * n + row[k]] = 1;
    }
}

static void find_known(rig *r, known_entries *q)
{
    rsd_structure *s = &r->solver->structure;
    size_t places = (size_t)r->n * (size_t)r->n;
    *q = (known_entries){bench_doubles(s->y.n), bench_doubles(s->yp.n), claims_zeros(places, 1),
                         claims_zeros(places, 1)};
    mark(r->n, s->y.n, s->y.row, s->y.column, q->is_y);
    mark(r->n, s->yp.n, s->yp.row, s->yp.column, q->is_yp);
    long calls = r->problem->mechanism->formalism_calls;
    assert_int_equal(rsd_structure_eval_known(s, r->at.t, r->y, q->dy, q->dyp), 0);
    assert_int_equal(r->problem->mechanism->formalism_calls, calls);
}

/* Largest error of known entries relative to the largest entry of their row in J. */
static double off(int n, const double *J, int entries, const int *row, const int *column, const double *values)
{
    double worst = 0;
    for (int k = 0; k < entries; k++) {
        assert_true(isfinite(values[k]));
        double size = 0, error = fabs(values[k] - J[column[k] * n + row[k]]);
        for (int c = 0; c < n; c++) size = fmax(size, fabs(J[c * n + row[k]]));
        if (error > 0) worst = fmax(worst, error / size);
    }
    return worst;
}

/* Where accelerations are unknowns, M is a known part of the formalism part. */
static void add_known_formalism(rig *r, double *J)
{
    if (r->l.a < 0) return;
    double *formalism = bench_doubles((long)r->n * r->n);
    rig_differences(r, RSD_ROWS_FORMALISM, 1, 0, formalism);
    for (int c = r->l.a; c < r->n; c++)
        for (int i = 0; i < r->n; i++) J[c * r->n + i] += formalism[c * r->n + i];
}

static void compare_known(rig *r, void *user)
{
    double *worst = user, *J = bench_doubles((long)r->n * r->n);
    const rsd_structure *s = &r->solver->structure;
    known_entries q;
    find_known(r, &q);
    rig_differences(r, RSD_ROWS_CONSTRAINT, 1, 0, J);
    add_known_formalism(r, J);
    double y = off(r->n, J, s->y.n, s->y.row, s->y.column, q.dy);
    rig_differences(r, RSD_ROWS_ALL, 0, 1, J);
    double yp = off(r->n, J, s->yp.n, s->yp.row, s->yp.column, q.dyp);
    if (fmax(y, yp) > ACCURACY)
        print_error("%s, %s, %s: known entries off by %.1e, %.1e\n", r->s->name, r->form, r->formalism, y, yp);
    worst[0] = fmax(worst[0], y);
    worst[1] = fmax(worst[1], yp);
}

CLAIM(known_entries_are_right_to_1e_7_of_their_row)
{
    double worst[2] = {0, 0};
    rig_each_form("dense", compare_known, worst);
    print_message("known entries of d(constraint)/dy off by %.1e, of dF/dyp by %.1e of their row\n", worst[0],
                  worst[1]);
    assert_true(worst[0] <= ACCURACY && worst[1] <= ACCURACY);
}

/* D is a full matrix of as many columns as there are rows, and none where there are none. */
CLAIM(known_entries_along_directions_of_the_user_are_right_too)
{
    double worst[2] = {0, 0};
    rig_projection = "B";
    rig_each_form("dense", compare_known, worst);
    rig_projection = NULL;
    print_message("with D = M^-1 G' off by %.1e, %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] <= ACCURACY && worst[1] <= ACCURACY);
}

static void drop_rows(rig *r, void *user)
{
    const resida_layout *l = &r->l;
    rsd_mechanism *k = r->problem->mechanism;
    if (k->n_l == 0) return;
    k->dropped[0] = k->dropped[k->n_l - 1] = 1;
    compare_known(r, user);
    double *J = bench_doubles((long)r->n * r->n);
    const rsd_structure *s = &r->solver->structure;
    known_entries q;
    find_known(r, &q);
    for (int e = 0; e < s->y.n; e++) J[s->y.column[e] * r->n + s->y.row[e]] = q.dy[e];
    for (int e = 0; e < s->yp.n; e++) J[s->yp.column[e] * r->n + s->yp.row[e]] += q.dyp[e];
    for (int i = 0; i<k->n_l; i += k->n_l> 1 ? k->n_l - 1 : 1)
        for (int c = 0; c < r->n; c++) {
            assert_true(J[c * r->n + l->lam + i] == (c == l->lam + i));
            if (l->eta >= 0 && i < l->n_g) assert_true(J[c * r->n + l->eta + i] == (c == l->eta + i));
            if (l->tau >= 0) assert_true(J[c * r->n + l->tau + i] == (c == l->tau + i));
        }
}

CLAIM(dropped_rows_are_rows_of_the_identity)
{
    double worst[2] = {0, 0};
    rig_each_form("dense", drop_rows, worst);
    assert_true(worst[0] <= ACCURACY && worst[1] <= ACCURACY);
}

static void add_parts(rig *r, void *user)
{
    double *formalism = bench_doubles(r->n), *constraint = bench_doubles(r->n);
    long *rows = user;
    for (int trial = 0; trial < 5; trial++) {
        long calls = r->problem->mechanism->formalism_calls;
        rig_part(r, RSD_ROWS_CONSTRAINT, 0, 0, 0, constraint);
        assert_int_equal(r->problem->mechanism->formalism_calls, calls);
        rig_part(r, RSD_ROWS_FORMALISM, 0, 0, 0, formalism);
        assert_int_equal(r->problem->mechanism->formalism_calls, calls + 1);
        for (int i = 0; i < r->n; i++) {
            assert_true(formalism[i] + constraint[i] == r->F[i]);
            assert_true(formalism[i] == 0 || (i >= r->l.v && i < r->l.v + r->l.n_v));
        }
        *rows += r->n;
        rig_move(r);
    }
}

CLAIM(the_two_parts_add_up_to_F_bit_for_bit)
{
    long rows = 0;
    rig_each_form("dense", add_parts, &rows);
    print_message("%ld rows\n", rows);
}

/* Does a row of the part change, that is not known, when component c of y (or yp) moves? */
static int changes(rig *r, rsd_rows_part part, int c, int yp, const unsigned char *known)
{
    double *before = bench_doubles(r->n), *after = bench_doubles(r->n);
    int found = 0;
    rig_part(r, part, c, 0, 0, before);
    rig_part(r, part, c, yp ? 0 : 0.1 * r->scale[c], yp ? 0.1 * r->rate_of_scale[c] : 0, after);
    for (int i = 0; i < r->n; i++) found |= after[i] != before[i] && !(known && known[c * r->n + i]);
    return found;
}

static void try_columns(rig *r, void *user)
{
    int *silent = user;
    known_entries q;
    find_known(r, &q);
    for (int trial = 0; trial < 3; trial++) {
        for (int c = 0; c < r->n; c++) {
            unsigned bits = r->solver->structure.columns[c];
            if (!(bits & RESIDA_COLUMN_FORMALISM)) assert_false(changes(r, RSD_ROWS_FORMALISM, c, 0, q.is_y));
            if (!(bits & RESIDA_COLUMN_CONSTRAINT)) assert_false(changes(r, RSD_ROWS_CONSTRAINT, c, 0, q.is_y));
            if (!(bits & RESIDA_COLUMN_YP)) assert_false(changes(r, RSD_ROWS_ALL, c, 1, q.is_yp));
            if (trial > 0) continue;
            silent[0] += bits & RESIDA_COLUMN_FORMALISM && !changes(r, RSD_ROWS_FORMALISM, c, 0, NULL);
            silent[1] += bits & RESIDA_COLUMN_CONSTRAINT && !changes(r, RSD_ROWS_CONSTRAINT, c, 0, q.is_y);
            silent[2] += bits & RESIDA_COLUMN_YP && !changes(r, RSD_ROWS_ALL, c, 1, q.is_yp);
        }
        rig_move(r);
    }
}

CLAIM(columns_without_a_bit_have_nothing_but_known_entries)
{
    int silent[3] = {0, 0, 0};
    rig_each_form("dense", try_columns, silent);
    print_message("columns with a bit and nothing behind it: formalism %d, constraint %d, yp %d\n", silent[0],
                  silent[1], silent[2]);
}

/* Entries of d(constraint)/dy that are neither known nor listed, where places are known; J beyond 1e-6 of its row. */
static void look_for_bends(rig *r, void *user)
{
    int *found = user;
    const rsd_places *constraint = &r->solver->structure.constraint;
    if (constraint->n < 0) return;
    double *J = bench_doubles((long)r->n * r->n);
    unsigned char *listed = claims_zeros((size_t)r->n * (size_t)r->n, 1);
    known_entries q;
    find_known(r, &q);
    assert_non_null(listed);
    mark(r->n, constraint->n, constraint->row, constraint->column, listed);
    for (int k = 0; k < r->n * r->n; k++) q.is_y[k] |= listed[k];
    rig_differences(r, RSD_ROWS_CONSTRAINT, 1, 0, J);
    for (int i = 0; i < r->n; i++) {
        double size = 0;
        for (int c = 0; c < r->n; c++) size = fmax(size, fabs(J[c * r->n + i]));
        for (int c = 0; c < r->n; c++) {
            if (!(fabs(J[c * r->n + i]) > 1e-6 * size)) continue;
            if (!q.is_y[c * r->n + i]) fail_msg("%s, %s, %s: (%d, %d)", r->s->name, r->form, r->formalism, i, c);
            ++*found;
        }
    }
}

CLAIM(what_bends_is_listed_once)
{
    int found = 0;
    rig_each_form("dense", look_for_bends, &found);
    print_message("%d entries\n", found);
    assert_true(found > 1000);
}

static void count_columns(rig *r, void *user)
{
    const resida_layout *l = &r->l;
    const rsd_mechanism *k = r->problem->mechanism;
    int is_explicit = k->is_explicit;
    for (int i = 0; i < r->n; i++) {
        unsigned bits = r->solver->structure.columns[i];
        int is_lam = l->lam >= 0 && i >= l->lam && i < l->lam + k->n_l, is_eta_k = l->eta_k >= 0 && i >= l->eta_k;
        int is_a = !is_eta_k && l->a >= 0 && i >= l->a;
        int is_eta = is_eta_k || (!is_a && l->eta >= 0 && i >= l->eta), opens_M = !is_explicit && !rig_has_mass(r);
        int is_z = i >= l->v + k->n_w && i < l->v + l->n_v;
        unsigned linear = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_LINEAR;
        unsigned of_lam = l->rates ? RESIDA_COLUMN_YP : k->uses_lam ? RESIDA_COLUMN_FORMALISM : linear;
        if (is_eta) assert_int_equal(bits, 0);
        if (is_a) assert_int_equal(bits, opens_M && i < l->a + k->n_w ? linear : 0);
        if (is_lam) assert_int_equal(bits, is_explicit || k->uses_lam ? of_lam : 0);
        if (!is_lam && !is_eta && !is_a) assert_true(bits & RESIDA_COLUMN_FORMALISM);
        assert_true(!(bits & RESIDA_COLUMN_YP) || opens_M || (is_lam && l->rates));
        if (is_z) assert_false(bits & RESIDA_COLUMN_YP);
    }
}

CLAIM(eta_is_known_always_and_lam_with_the_residual_formalism_without_friction)
{
    rig_each_form("dense", count_columns, NULL);
}
