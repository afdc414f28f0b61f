/* inputs.h - ensures that no result replaces an input or another result. */
#ifndef CMD_INPUTS_H
#define CMD_INPUTS_H

#include "settings.h"

/** A file that a command reads or writes. */
typedef struct cmd_file {
    const char *option; /**< "--out"; for inputs a description, "the plan" */
    const char *path;   /**< NULL if there is none; "-" for a standard stream */
    int is_read;        /**< 1 if read, 0 if written */
} cmd_file;

/** Check that each written file differs from all other files [n], also under other spellings, symbolic links and hard
 *  links, and before it exists. A path that is no regular file (/dev/null, a pipe) may occur several times, but
 *  standard output takes one result only.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_check_files_differ(const cmd_file *files, int n);

/** Check all files in the settings, including files of models, files in parameter values, and partial results. @return
 *  0; CMD_EXIT_USAGE or CMD_EXIT_FAILED (no memory) after one complaint */
int cmd_check_no_overwrite(const cmd_settings *s);

#endif
