/* unnamed_file.h - a file that has no name until it is complete. */
#ifndef CMD_UNNAMED_FILE_H
#define CMD_UNNAMED_FILE_H

#include <sys/types.h>

/** Create a file in the folder of `path` for reading and writing. It disappears when the process ends for any reason.
 *  @return a descriptor; -1 with errno */
int cmd_unnamed_open(const char *path, mode_t mode);

/** Name the file `path`, in the same folder, in one step. An existing file is replaced.
 *  @return 0; -1 with errno, and no file remains */
int cmd_unnamed_name(int fd, const char *path);

#endif
