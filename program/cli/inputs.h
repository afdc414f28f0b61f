/* inputs.h - a result takes the place of nothing that is read, nor of another result. */
#ifndef CMD_INPUTS_H
#define CMD_INPUTS_H

#include "settings.h"

/** A file that a command reads or writes. */
typedef struct cmd_file {
    const char *option; /**< "--out"; of what is read: what it is, "the plan" */
    const char *path;   /**< NULL: none; "-": a standard stream */
    int is_read;        /**< 1: it is read; 0: written */
} cmd_file;

/** Is each file that is written another one than all the others [n]? Other spellings, symbolic and hard links are seen,
 *  also of files that are not there yet; what is no regular file (/dev/null, a pipe) may be named more than once, but
 *  standard output is the place of one result.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_files_are_apart(const cmd_file *files, int n);

/** The same for all files that the settings name, with models that are files, values of parameters that are, and the
 *  place of a partial result. @return 0; CMD_EXIT_USAGE, CMD_EXIT_FAILED (no memory) after one complaint */
int cmd_inputs_are_spared(const cmd_settings *s);

#endif
