/* out_file.h - a result file that appears complete or not at all. */
#ifndef CMD_OUT_FILE_H
#define CMD_OUT_FILE_H

#include <stdio.h>

/** A file that is being written. A zeroed struct has none. */
typedef struct cmd_out {
    FILE *stream; /**< NULL if there is no file */
    char *target; /**< path at which it will appear; NULL for standard output */
    int unnamed;  /**< 1 if it appears when complete; 0 if written directly (a device, a pipe, standard output) */
    char *lines;  /**< path for the complete lines if a write fails; NULL to discard them */
} cmd_out;

/** Open a file; "-" is standard output. If the path is a symbolic link, its target is replaced, not the link.
 *  @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED (no memory) after one complaint, and no file remains */
int cmd_out_open(cmd_out *out, const char *path);

/** Write the file to the disk and give it its name. @return 0; CMD_EXIT_IO after one complaint, and no file remains */
int cmd_out_commit(cmd_out *out);

/** Write an incomplete file to the disk and give it the name cmd_partial_name(), so that it never replaces a complete
 *  file. Nothing is renamed if the file was written directly.
 *  @param[out] where  its name, to be freed; NULL if written directly */
int cmd_out_commit_partial(cmd_out *out, char **where);

/** Return 1 if the path has this ending and is longer. */
int cmd_ends_in(const char *path, const char *ending);

/** Return the length of a path without its file name extension: 1 for "a.csv". */
size_t cmd_stem(const char *path);

/** Copy a file from its beginning to another one. @return 0; -1 if it cannot be read; 1 if it cannot be written */
int cmd_copy(FILE *from, FILE *to);

/** Return the name of a partial result: "a.partial.csv" for "a.csv"; to be freed, NULL without memory. */
char *cmd_partial_name(const char *path);

/** Close and discard the file. The struct may be zeroed. */
void cmd_out_abort(cmd_out *out);

/** Keep the complete lines of an open file as cmd_partial_name() if a later write fails. @return 0; CMD_EXIT_FAILED if
 *  memory is exhausted, after one complaint */
int cmd_out_keep_lines(cmd_out *out);

/** Complain about a failed write with errno, and discard the rest. @return CMD_EXIT_IO */
int cmd_out_fail(cmd_out *out);

#endif
