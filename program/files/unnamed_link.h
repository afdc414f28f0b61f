/* unnamed_link.h - files that are named when complete, on systems that support this. */
#ifndef CMD_UNNAMED_LINK_H
#define CMD_UNNAMED_LINK_H

#include <sys/types.h>

/** Create a file without a name in a folder. @return a descriptor; -1 with errno, also if not supported */
int cmd_unnamed_create(const char *folder, mode_t mode);

/** Give the file an unused name. @return 0; -1 with errno, EEXIST if the name is in use */
int cmd_unnamed_link(int fd, const char *path);

#endif
