/* unnamed_link.h - what only some systems can do: files that get their name when they are finished. */
#ifndef CMD_UNNAMED_LINK_H
#define CMD_UNNAMED_LINK_H

#include <sys/types.h>

/** A file without a name in a folder. @return a descriptor; -1 and errno, where there is no such thing too */
int cmd_unnamed_create(const char *folder, mode_t mode);

/** Give it a name that is free. @return 0; -1 and errno, EEXIST when the name is taken */
int cmd_unnamed_link(int fd, const char *path);

#endif
