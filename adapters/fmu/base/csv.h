/* csv.h - a file of comma-separated values, row by row (RFC 4180). Rows that are empty or begin with # are left out. */
#ifndef FMU_CSV_H
#define FMU_CSV_H

#include <resida/status.h>

/** A file. Zeroed: none. */
typedef struct fmu_csv {
    const char *path; /**< borrowed */
    char *bytes, *at; /**< all of it; where the next row begins */
    int line;         /**< of the row, from 1 on */
    int n;            /**< fields of the row */
    char **fields;    /**< [n] without blanks around them */
} fmu_csv;

/** @return 0; -1, the reason in `why`; fmu_csv_close() in both cases */
int fmu_csv_open(fmu_csv *csv, const char *path, resida_message *why);

/** The next row. @return 1; 0: there is none; -1, the reason in `why` */
int fmu_csv_next(fmu_csv *csv, resida_message *why);

/** Field k of the row as a finite number. @return 0; -1, the reason, with file and line, in `why` */
int fmu_csv_number(const fmu_csv *csv, int k, const char *column, double *value, resida_message *why);

void fmu_csv_close(fmu_csv *csv);

#endif
