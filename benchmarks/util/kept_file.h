/* kept_file.h - bytes of work that is finished, in a file from which an interrupted command goes on. */
#ifndef BENCH_KEPT_FILE_H
#define BENCH_KEPT_FILE_H

#include <stddef.h>

/** Make the folder unless it is there. @return 0; CMD_EXIT_IO after one complaint */
int bench_kept_folder(const char *folder);

/** "FOLDER/NAME" with an ending; characters of the name but letters, digits, '.', '-', '+' become '-'.
 *  @return to be freed; NULL without memory */
char *bench_kept_path(const char *folder, const char *name, const char *ending);

/** Write bytes [n]: the file is whole, or it is as it was. @return 0; CMD_EXIT_IO after one complaint */
int bench_kept_write(const char *path, const void *bytes, size_t n);

/** Read them.
 *  @param[out] bytes  [*n] to be freed; a 0 byte follows. NULL: the file is not there, or not whole, which is said on
 *                     stderr with its name */
void bench_kept_read(const char *path, char **bytes, size_t *n);

#endif
