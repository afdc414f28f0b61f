/* out_file.h - a result file that appears whole or not at all. */
#ifndef CMD_OUT_FILE_H
#define CMD_OUT_FILE_H

#include <stdio.h>

/** A file being written. Zeroed: none. */
typedef struct cmd_out {
    FILE *stream; /**< to write to; NULL: no file */
    char *target; /**< where it is to appear; NULL for standard output */
    int unnamed;  /**< it appears when it is finished; 0: written in place (a device, a pipe, standard output) */
    char *lines;  /**< where whole lines go that fitted before a write failed; NULL: nowhere */
} cmd_out;

/** Open; "-" is standard output. A symbolic link is followed, so that its target is replaced and not the link.
 *  @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED (no memory) after one complaint, with nothing left behind */
int cmd_out_open(cmd_out *out, const char *path);

/** Write all out, to the disk, and let it appear under its name.
 *  @return 0; CMD_EXIT_IO after one complaint, with nothing left behind */
int cmd_out_commit(cmd_out *out);

/** The same for what is not whole, which appears beside the name it would have had (cmd_partial_name()), so that it
 *  never takes the place of what is; what is written in place is there already.
 *  @param[out] where  its name, to be freed; NULL: it was written in place */
int cmd_out_commit_partial(cmd_out *out, char **where);

/** 1: the path ends so, and has something before. */
int cmd_ends_in(const char *path, const char *ending);

/** Length of a path without the ending of its name: 1 of "a.csv". */
size_t cmd_stem(const char *path);

/** Bytes of a file, from its beginning, to another one. @return 0; -1: they cannot be read; 1: not written */
int cmd_copy(FILE *from, FILE *to);

/** "a.csv" -> "a.partial.csv", "a" -> "a.partial"; to be freed, NULL without memory. */
char *cmd_partial_name(const char *path);

/** Throw away. A zeroed cmd_out is fine. */
void cmd_out_abort(cmd_out *out);

/** Keep the whole lines of an open file of rows where it cannot be written on, beside it (cmd_partial_name()).
 *  @return 0; CMD_EXIT_FAILED without memory, after one complaint */
int cmd_out_keep_lines(cmd_out *out);

/** Complain about a failed write (by errno) and throw away what is not kept. @return CMD_EXIT_IO */
int cmd_out_fail(cmd_out *out);

#endif
