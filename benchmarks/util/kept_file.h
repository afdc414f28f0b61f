/* kept_file.h - stores finished work in files, so that an interrupted command can continue. */
#ifndef BENCH_KEPT_FILE_H
#define BENCH_KEPT_FILE_H

#include <stddef.h>

/** Create the folder unless it exists. @return 0; CMD_EXIT_IO after one error message */
int bench_kept_folder(const char *folder);

/** Return the path "FOLDER/NAME" with an ending. Characters of the name except letters, digits, '.', '-', '+' become
 *  '-'.
 *  @return to be freed; NULL if memory is exhausted */
char *bench_kept_path(const char *folder, const char *name, const char *ending);

/** Write bytes [n]. On failure the previous file is unchanged. @return 0; CMD_EXIT_IO after one error message */
int bench_kept_write(const char *path, const void *bytes, size_t n);

/** Read a file.
 *  @param[out] bytes  [*n] to be freed; a 0 byte follows. NULL: the file is missing or damaged; damage is reported on
 *  stderr with the file name */
void bench_kept_read(const char *path, char **bytes, size_t *n);

#endif
