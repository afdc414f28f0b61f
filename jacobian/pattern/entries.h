/* entries.h - a growing list of matrix entries in any order. */
#ifndef RSD_ENTRIES_H
#define RSD_ENTRIES_H

#include "sparsity.h"

typedef struct rsd_entries {
    int *row, *column; /* [n] row; column of each entry */
    double *value;     /* [n] value of each entry; 0 in a pattern */
    long n, capacity;  /* number of entries; allocated number */
    int failed;        /* 1: an entry could not be added, because there was no memory */
} rsd_entries;

/** Add an entry to the list. A full list doubles its capacity, which is first `min_capacity`. */
void rsd_entries_add(rsd_entries *e, const resida_allocator *a, long min_capacity, int row, int column, double value);

/** Free the arrays of the list, and make the list empty. */
void rsd_entries_free(rsd_entries *e, const resida_allocator *a);

/** Return 1 if an entry of the list is not in the pattern s, or if the list is incomplete. */
int rsd_entries_has_new(const rsd_entries *e, const rsd_sparsity *s);

/** Add all entries of a pattern by columns: start [cols + 1], row [start[cols]]. */
void rsd_entries_add_columns(rsd_entries *e, const resida_allocator *a, int cols, const int *start, const int *row);

/** Build the rows x cols pattern s of the list. @return RESIDA_OK; RESIDA_ERR_MEMORY, also if the list is incomplete */
resida_status rsd_build_pattern(const rsd_entries *e, int rows, int cols, rsd_sparsity *s, const resida_allocator *a);

#endif
