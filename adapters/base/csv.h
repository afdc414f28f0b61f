/* csv.h - reads comma-separated values by rows (RFC 4180). Empty rows and rows that begin with # are ignored. */
#ifndef FMU_CSV_H
#define FMU_CSV_H

#include <stdio.h>

#include <resida/status.h>

/** A file. All members are zero if it is closed. */
typedef struct fmu_csv {
    const char *path; /**< borrowed */
    FILE *file;
    char *row; /**< [room] */
    size_t room;
    int line;      /**< line number of the row, from 1 */
    int n;         /**< number of fields of the row */
    char **fields; /**< [n] fields without surrounding blanks, until the next row is read */
} fmu_csv;

/** Open a file. Call fmu_csv_close() also after a failure. @return 0, or -1 with the reason in `why` */
int fmu_csv_open(fmu_csv *csv, const char *path, resida_message *why);

/** Read the next row. @return 1 on success, 0 at the end of the file, -1 with the reason in `why` */
int fmu_csv_next(fmu_csv *csv, resida_message *why);

/** Convert field k of the row to a finite number. @return 0, or -1 with the reason, file and line in `why` */
int fmu_csv_number(const fmu_csv *csv, int k, const char *column, double *value, resida_message *why);

void fmu_csv_close(fmu_csv *csv);

/** Write the file, the line and a reason. @return -1 */
#define FMU_CSV_FAIL(csv, why, format, ...)                                                                            \
    fmu_fail((why), "%.200s, line %d: " format, (csv)->path, (csv)->line, __VA_ARGS__)

#endif
