/* test_mechanism.c - what a mechanism and a problem must not be: every contradiction is refused with its name, before
 * any callback is called; and nothing of the caller's is kept but callbacks and `user`. */
#include "src/core/mechanism/mechanism_impl.h"

#include <limits.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "test/fixtures/solver_fixture.h"

static int no_root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = 1;
    return 0;
}

/* One field of a sound mechanism that is set to something else. */
typedef struct spoilt {
    size_t at, bytes;
    const void *value;
    resida_status status;
    const char *says;
} spoilt;

static const unsigned char zeros[64];
static const int falling[] = {0, 2, 1}, beyond[] = {0, 1, 2}, in_8[] = {0, 7}, backwards[] = {0, 2, 2},
                 col_10[] = {1, 0}, many[] = {0, 1, 1000000};
static const int one_row[] = {0, 1}, far_col[] = {6};

#define FIELD(field) offsetof(resida_mechanism, field), sizeof((resida_mechanism *)NULL)->field
#define INT(field, x)                                                                                                  \
    FIELD(field), &(const int)                                                                                         \
    {                                                                                                                  \
        x                                                                                                              \
    }
#define NONE(field) FIELD(field), zeros
#define PATTERN(field, r, c)                                                                                           \
    FIELD(field), &(const resida_pattern)                                                                              \
    {                                                                                                                  \
        r, c                                                                                                           \
    }

static const spoilt spoilts[] = {
    {FIELD(size), &(const size_t){8}, RESIDA_ERR_ARGUMENT, "mechanism.size = 8, must be"},
    {INT(n_p, 0), RESIDA_ERR_MODEL, "random: n_p = 0, must be >= 1"},
    {INT(n_p, -3), RESIDA_ERR_MODEL, "random: n_p = -3, must be >= 1"},
    {INT(n_v, 0), RESIDA_ERR_MODEL, "random: n_v = 0, must be >= 1"},
    {INT(n_v, 8), RESIDA_ERR_MODEL, "random: n_v = 8 > n_p = 7"},
    {INT(n_g, -1), RESIDA_ERR_MODEL, "random: n_g = -1, must be >= 0"},
    {INT(n_h, -1), RESIDA_ERR_MODEL, "random: n_h = -1, must be >= 0"},
    {INT(n_u, -1), RESIDA_ERR_MODEL, "random: n_u = -1, must be >= 0"},
    {INT(n_k, -1), RESIDA_ERR_MODEL, "random: n_k = -1, must be >= 0"},
    {INT(n_k, 1), RESIDA_ERR_MODEL, "random: n_k > 0, but invariant is NULL"},
    {INT(n_k, 2), RESIDA_ERR_MODEL, "random: n_k = 2, must be at most n_p - n_v = 1"},
    {INT(n_root, -1), RESIDA_ERR_MODEL, "random: n_root = -1, must be >= 0"},
    {INT(n_p, INT_MAX), RESIDA_ERR_MEMORY, "random: n_p + n_v + 2 n_g + n_h is more than"},
    {INT(n_g, INT_MAX), RESIDA_ERR_MEMORY, "random: n_p + n_v + 2 n_g + n_h is more than"},
    {INT(n_u, INT_MAX), RESIDA_ERR_MEMORY, "random: n_u is more than"},
    {INT(n_root, INT_MAX), RESIDA_ERR_MEMORY, "random: n_root is more than 268435455"},
    {INT(n_g, 0), RESIDA_ERR_MODEL, "random: n_g = 0, but a constraint is given"},
    {INT(n_h, 0), RESIDA_ERR_MODEL, "random: n_h = 0, but a nonholonomic constraint is given"},
    {INT(n_u, 0), RESIDA_ERR_MODEL, "random: n_u = 0, but excitation is given"},
    {INT(n_root, 1), RESIDA_ERR_MODEL, "random: n_root = 1, but neither root nor root_lam is given"},
    {FIELD(root), &(resida_velocity_fn *const){no_root}, RESIDA_ERR_MODEL, "random: n_root = 0, but root is given"},
    {NONE(constraint), RESIDA_ERR_MODEL, "random: n_g > 0, but constraint is NULL"},
    {NONE(nonholonomic_matrix), RESIDA_ERR_MODEL, "random: n_h > 0, but nonholonomic_matrix is NULL"},
    {NONE(excitation), RESIDA_ERR_MODEL, "random: n_u > 0, but excitation is NULL"},
    {NONE(kinematic_matrix), RESIDA_ERR_MODEL, "random: n_p != n_v, but kinematic_matrix is NULL"},
    {PATTERN(G_pattern, falling, col_10), RESIDA_ERR_MODEL, "G_pattern: columns of row 0 must ascend (0 after 1)"},
    {PATTERN(G_pattern, backwards, in_8), RESIDA_ERR_MODEL, "G_pattern: column 7 in row 0, must be in 0..6"},
    {PATTERN(G_pattern, beyond, NULL), RESIDA_ERR_MODEL, "G_pattern: row is given, col is NULL"},
    {PATTERN(M_pattern, falling, beyond), RESIDA_ERR_MODEL, "M_pattern: row[2] = 1 falls below row[1] = 2"},
    {PATTERN(T_pattern, beyond + 1, beyond), RESIDA_ERR_MODEL, "T_pattern: row[0] = 1, must be 0"},
    {PATTERN(M_pattern, many, beyond), RESIDA_ERR_MODEL,
     "M_pattern: row 1 has 999999 entries, but there are 6 columns"},
    {PATTERN(Gh_pattern, one_row, far_col), RESIDA_ERR_MODEL, "Gh_pattern: column 6 in row 0, must be in 0..5"},
};

/* The problem is refused with these words, and the handle is NULL. */
static void check_refused(const resida_mechanism *m, const resida_problem_options *o, resida_status status,
                          const char *says)
{
    resida_problem *problem = (resida_problem *)&problem; /* to see it cleared */
    resida_message why = {""};
    resida_status got = resida_problem_create(&problem, m, o, &why);
    assert_null(problem);
    if (got != status || !strstr(why.text, says))
        fail_msg("%s: '%s', expected %s: '%s'", resida_status_name(got), why.text, resida_status_name(status), says);
    assert_int_equal(resida_problem_create(&problem, m, o, NULL), status); /* without a message too */
}

CLAIM(every_contradiction_of_a_mechanism_is_refused_by_name)
{
    cm c;
    cm_make_rich(&c, 1);
    for (size_t i = 0; i < sizeof spoilts / sizeof *spoilts; i++) {
        resida_mechanism m = cm_mechanism(&c, CM_ALL);
        memcpy((unsigned char *)&m + spoilts[i].at, spoilts[i].value, spoilts[i].bytes);
        check_refused(&m, NULL, spoilts[i].status, spoilts[i].says);
    }
    assert_int_equal(c.calls, 0);
}

CLAIM(a_mechanism_without_a_formalism_is_refused)
{
    cm c;
    cm_make_rich(&c, 1);
    resida_problem_options o = test_problem_options();
    resida_mechanism m = cm_mechanism(&c, CM_ALL), without = m;
    without.residual = NULL, without.acceleration = NULL;
    check_refused(&without, NULL, RESIDA_ERR_MODEL, "random: neither residual nor acceleration is given");
    without = m, without.residual = NULL, o.formalism = RESIDA_FORMALISM_RESIDUAL;
    check_refused(&without, &o, RESIDA_ERR_MODEL, "random: has no residual formalism");
    without = m, without.acceleration = NULL, o.formalism = RESIDA_FORMALISM_EXPLICIT;
    check_refused(&without, &o, RESIDA_ERR_MODEL, "random: has no explicit formalism");
    without = m, without.name = NULL, without.n_p = 0;
    check_refused(&without, NULL, RESIDA_ERR_MODEL, "mechanism: n_p = 0");
}

/* A constraint that belongs to no row. */
CLAIM(constraint_callbacks_without_rows_are_refused)
{
    cm c = {.n_p = 3, .n_v = 3, .n_g = 1, .n_h = 1};
    cm_make(&c, 1);
    resida_mechanism all = cm_mechanism(&c, CM_ALL), m;
    c.n_g = c.n_h = 0;
    const resida_mechanism none = cm_mechanism(&c, CM_ALL);
    m = none, m.velocity_bias = all.velocity_bias;
    check_refused(&m, NULL, RESIDA_ERR_MODEL, "random: n_g = 0, but a constraint is given");
    m = none, m.acceleration_bias = all.acceleration_bias;
    check_refused(&m, NULL, RESIDA_ERR_MODEL, "random: n_g = 0, but a constraint is given");
    m = none, m.constraint_matrix = all.constraint_matrix;
    check_refused(&m, NULL, RESIDA_ERR_MODEL, "random: n_g = 0, but a constraint is given");
    m = none, m.nonholonomic_bias = all.nonholonomic_bias;
    check_refused(&m, NULL, RESIDA_ERR_MODEL, "random: n_h = 0, but a nonholonomic constraint is given");
    m = none, m.nonholonomic_acceleration_bias = all.nonholonomic_acceleration_bias;
    check_refused(&m, NULL, RESIDA_ERR_MODEL, "random: n_h = 0, but a nonholonomic constraint is given");
}

CLAIM(forms_that_do_not_fit_are_refused_with_what_there_is)
{
    cm c = {.n_p = 3, .n_v = 3}, with = {.n_p = 3, .n_v = 3, .n_g = 1, .n_h = 1};
    cm_make(&c, 1);
    cm_make(&with, 1);
    resida_mechanism free_one = cm_mechanism(&c, CM_ALL), bound = cm_mechanism(&with, CM_ALL);
    resida_problem_options o = test_problem_options();
    o.form = "ggl";
    check_refused(&free_one, &o, RESIDA_ERR_MODEL,
                  "random: form ggl needs constraints, and this mechanism has none: use form ode");
    o.form = "index2";
    check_refused(&free_one, &o, RESIDA_ERR_MODEL,
                  "random: form index2 needs constraints, and this mechanism has none: use form ode");
    o.form = "ode";
    check_refused(&bound, &o, RESIDA_ERR_MODEL, "random: form ode is for mechanisms without constraints");
    o.form = "index7";
    check_refused(&bound, &o, RESIDA_ERR_OPTION, "unknown form 'index7': use auto, ggl, index2, ode");
    o.form = NULL;
    check_refused(&bound, &o, RESIDA_ERR_OPTION, "form = NULL");
}

/* The pattern of the mass matrix alone: other arrays of as many unknowns would take gigabytes. */
CLAIM(a_full_matrix_that_cannot_be_counted_is_refused_with_advice)
{
    const resida_allocator alloc = test_allocator();
    resida_message why = {""};
    rsd_csr A;
    assert_int_equal(rsd_csr_create(&A, "M", 50000, 50000, &(resida_pattern){NULL, NULL}, &alloc, &why),
                     RESIDA_ERR_MEMORY);
    assert_string_equal(why.text, "M is full with 2500000000 entries: give M_pattern");
}
