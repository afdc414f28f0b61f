/* pattern.h - the entries of a Jacobian with the groups of its columns, and how they are shown. */
#ifndef BENCH_PATTERN_H
#define BENCH_PATTERN_H

#include <stdio.h>

#include "picture.h"
#include "run.h"

/** A Jacobian after some steps; pointers into its solver. */
typedef struct bench_pattern {
    const bench_job *job;
    const char *formalism, *form, *strategy, *method; /**< method: "" when columns are not grouped */
    double t;
    long steps;
    resida_layout layout;
    resida_jacobian_matrix J;
    resida_jacobian_counts counts;
    const int *group; /**< [n] -1: costs no residual call; NULL: columns are not grouped */
    int n_groups;
} bench_pattern;

/** A block of unknowns, and of the equations at the same places. */
typedef struct bench_block {
    const char *name, *symbol, *equations; /**< "lam", "λ", "velocity" */
    int first;
} bench_block;

enum { BENCH_BLOCKS_MAX = 4, BENCH_PATTERN_TEXT_MAX = 60 };

/** Blocks of a mechanism in their order; block [returned] begins after the last unknown. @return 0 for a general DAE */
int bench_pattern_blocks(const bench_pattern *pattern, bench_block blocks[BENCH_BLOCKS_MAX + 1]);

/** Sizes, and for n <= BENCH_PATTERN_TEXT_MAX the entries as letters. */
void bench_pattern_text(const bench_pattern *pattern, FILE *stream);

/** Open a picture of its size. @return as bench_picture_open() */
int bench_pattern_open_picture(bench_picture *picture, const char *path);

/** The script of its picture. */
void bench_pattern_draw(const bench_pattern *pattern, const bench_picture *picture);

#endif
