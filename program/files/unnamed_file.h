/* unnamed_file.h - a file that no folder lists until it is finished. */
#ifndef CMD_UNNAMED_FILE_H
#define CMD_UNNAMED_FILE_H

#include <sys/types.h>

/** A new file in the folder of `path`, to be read and written. It is gone with the process, however that ends.
 *  @return a descriptor; -1 and errno */
int cmd_unnamed_open(const char *path, mode_t mode);

/** Let it appear as `path`, in the same folder, in one step and in the place of what may be there.
 *  @return 0; -1 and errno, with nothing left behind */
int cmd_unnamed_name(int fd, const char *path);

#endif
