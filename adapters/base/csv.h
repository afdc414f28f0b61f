/* csv.h - reads comma-separated values by rows (RFC 4180). Empty rows and rows that begin with # are ignored. */
#ifndef ADAPTER_CSV_H
#define ADAPTER_CSV_H

#include <stdio.h>

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file. All members are zero if it is closed. */
typedef struct adapter_csv {
    const char *path; /**< borrowed */
    FILE *file;
    char *row; /**< [room] */
    size_t room;
    int line;      /**< line number of the row, from 1 */
    int n;         /**< number of fields of the row */
    char **fields; /**< [n] fields without surrounding blanks, until the next row is read */
} adapter_csv;

/** Open a file. Call adapter_csv_close() also after a failure. @return 0, or -1 with the reason in `why` */
int adapter_csv_open(adapter_csv *csv, const char *path, resida_message *why);

/** Read the next row. @return 1 on success, 0 at the end of the file, -1 with the reason in `why` */
int adapter_csv_next(adapter_csv *csv, resida_message *why);

void adapter_csv_close(adapter_csv *csv);

#ifdef __cplusplus
}
#endif

/** Write the file, the line and a reason. @return -1 */
#define ADAPTER_CSV_FAIL(csv, why, format, ...)                                                                        \
    adapter_fail((why), "%.200s, line %d: " format, (csv)->path, (csv)->line, __VA_ARGS__)

#endif
