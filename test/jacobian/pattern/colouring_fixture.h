/* colouring_fixture.h - patterns and groups of columns for the tests. In a header, because they call inner functions.
 * Every failure ends the test. */
#ifndef RESIDA_TEST_COLOURING_FIXTURE_H
#define RESIDA_TEST_COLOURING_FIXTURE_H

#include "jacobian/pattern/colouring.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/mask_pattern.h"
#include "test/jacobian/pattern_subject.h"

static inline rsd_sparsity pattern_of(const pattern_subject *p)
{
    return pattern_of_mask(p->rows, p->cols, p->has);
}

static inline rsd_colouring colour(const rsd_sparsity *s, const unsigned char *skip, const char *method)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_colouring c;
    resida_status status = method ? rsd_colour_by_method(&c, s, skip, method, &alloc, &why)
                                  : rsd_colour_columns(&c, s, skip, &alloc, &why);
    if (status != RESIDA_OK) fail_msg("%s: %s", resida_status_name(status), why.text);
    return c;
}

static inline void release(rsd_sparsity *s, rsd_colouring *c)
{
    resida_allocator alloc = rsd_allocator(NULL);
    if (s) rsd_sparsity_free(s, &alloc);
    if (!c) return;
    rsd_colouring_free(c, &alloc);
    assert_null(c->group);
    rsd_colouring_free(c, &alloc); /* twice is fine */
}

/* The verdict of the library. */
static inline int verdict(const rsd_colouring *c, const rsd_sparsity *s)
{
    int mark[SUBJECT_MAX];
    return rsd_are_groups_orthogonal(s, c->group, c->n_groups, mark);
}

/* Columns 2, 4 and 6 as in the example (19) of Arnold, Fuchs, Fuehrer: rows 2, 5, 6; 1, 4; 3. The others are such that
 * its three groups are the only ones that are this few. */
static const pattern_subject example = {.rows = 6, .cols = 6, .has = {1, 0, 0, 1, 0, 0, //
                                                                      1, 1, 0, 0, 0, 0, //
                                                                      1, 0, 1, 0, 0, 1, //
                                                                      0, 0, 1, 1, 1, 0, //
                                                                      0, 1, 1, 0, 1, 0, //
                                                                      0, 1, 1, 0, 0, 0}};

#endif
