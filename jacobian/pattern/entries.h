/* entries.h - entries of a matrix as they are found, in any order: a growing list of places, with values where they
 * matter. */
#ifndef RSD_ENTRIES_H
#define RSD_ENTRIES_H

#include "sparsity.h"

typedef struct rsd_entries {
    int *row, *column;
    double *value;
    long n, room;
    int failed; /* there was no memory for one of them */
} rsd_entries;

/** Add an entry. Room that is there is used, else doubled, from `least` on. */
void rsd_entries_add(rsd_entries *e, const resida_allocator *a, long least, int row, int column, double value);

void rsd_entries_free(rsd_entries *e, const resida_allocator *a);

/** 1: some of them are not in s. */
int rsd_entries_are_new(const rsd_entries *e, const rsd_sparsity *s);

/** *all = old united with them; old NULL: they alone. RESIDA_ERR_MEMORY. */
int rsd_entries_unite(const rsd_entries *e, int n, const rsd_sparsity *old, rsd_sparsity *all,
                      const resida_allocator *a);

#endif
