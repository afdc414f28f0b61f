/* unnamed_link.c - O_TMPFILE and linkat() of Linux: a file without a name that can be named later (open(2)). Other
 * systems, and file systems such as NFS, do not support this; unnamed_file.c then uses another method. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "unnamed_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef O_TMPFILE
int cmd_unnamed_create(const char *folder, mode_t mode)
{
    return open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
}

int cmd_unnamed_link(int fd, const char *path)
{
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}
#else
int cmd_unnamed_create(const char *folder, mode_t mode)
{
    (void)folder, (void)mode;
    errno = EOPNOTSUPP;
    return -1;
}

int cmd_unnamed_link(int fd, const char *path)
{
    (void)fd, (void)path;
    errno = EOPNOTSUPP;
    return -1;
}
#endif
