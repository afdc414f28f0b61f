/* unnamed_file.c - a result has no name while it is being written, so that even SIGKILL leaves no file.
 *
 * If the system cannot name such a file later (unnamed_link.c), a named file is created and unlinked immediately; its
 * contents are copied to name it. An existing file is replaced with rename(), which is atomic: link or copy to
 * FOLDER/.resida-PID-k.tmp, then rename. For a link these two calls run with all signals blocked in this thread. A
 * signal that ends the process in another thread (a crash in the watchdog) or during a copy removes the temporary name
 * (signals.c). Only SIGKILL could leave the temporary file. */
#include "unnamed_file.h"

#include "program/process/signals.h"
#include "unnamed_link.h"

#include "program/process/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_NAMES = 100, ROOM = 64, BLOCK = 65536 };

/** Return the length of "FOLDER/" in a path; 0 for the current folder. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/** Return FOLDER/.resida-PID-k.tmp; NULL without memory. */
static char *temporary_name(const char *path, int k)
{
    int folder = folder_length(path);
    size_t size = (size_t)folder + ROOM;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%.*s.resida-%ld-%d.tmp", folder, path, (long)getpid(), k);
    return name;
}

/** A function that creates or links a file under a temporary name. @return 0; -1 with errno, EEXIST if the name is in
 *  use */
typedef int attempt(const char *name, void *context);

/** Call `make` with a temporary name that is free. @return the name, to be freed; NULL with errno */
static char *create_with_free_name(const char *path, attempt *make, void *context)
{
    for (int k = 0; k < TEMPORARY_NAMES; k++) {
        char *name = temporary_name(path, k);
        if (!name || make(name, context) == 0) return name;
        int why = errno;
        free(name);
        errno = why;
        if (why != EEXIST) return NULL;
    }
    return NULL;
}

typedef struct creation {
    mode_t mode;
    int fd;
} creation;

static int create(const char *name, void *context)
{
    creation *c = context;
    c->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, c->mode);
    return c->fd >= 0 ? 0 : -1;
}

static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, before);
}

static void restore_signals(const sigset_t *before)
{
    int why = errno;
    sigprocmask(SIG_SETMASK, before, NULL);
    errno = why;
}

/** Create a file and unlink its name. */
static int open_nameless(const char *path, mode_t mode)
{
    creation c = {.mode = mode, .fd = -1};
    sigset_t before;
    block_signals(&before);
    char *name = create_with_free_name(path, create, &c);
    if (name) unlink(name);
    restore_signals(&before);
    free(name);
    return c.fd;
}

int cmd_unnamed_open(const char *path, mode_t mode)
{
    int length = folder_length(path);
    char *folder = length > 0 ? strndup(path, (size_t)length) : strdup(".");
    if (!folder) return -1;
    int fd = cmd_unnamed_create(folder, mode);
    free(folder);
    return fd >= 0 ? fd : open_nameless(path, mode);
}

static int link_descriptor(const char *name, void *context)
{
    cmd_signals_remove_file(name);
    return cmd_unnamed_link(*(const int *)context, name);
}

/** Rename `name` to `path`, which is replaced. `name` is freed. */
static int rename_over(char *name, const char *path)
{
    int failed = rename(name, path);
    int why = errno;
    if (failed) unlink(name);
    free(name);
    errno = why;
    return failed ? -1 : 0;
}

static int name_by_link(int fd, const char *path)
{
    if (cmd_unnamed_link(fd, path) == 0) return 0;
    if (errno != EEXIST) return -1;
    sigset_t before;
    block_signals(&before);
    char *name = create_with_free_name(path, link_descriptor, &fd);
    int failed = name ? rename_over(name, path) : -1;
    cmd_signals_remove_file(NULL);
    restore_signals(&before);
    return failed;
}

/** Copy bytes and permissions, and write them to the disk. */
static int copy_bytes(int from, int to)
{
    char block[BLOCK];
    struct stat there;
    ssize_t got = 0;
    off_t at = 0;
    while ((got = pread(from, block, sizeof block, at)) > 0) {
        if (bench_write_all(to, block, (size_t)got) != 0) return -1;
        at += got;
    }
    if (got < 0 || fstat(from, &there) != 0) return -1;
    (void)fchmod(to, there.st_mode & 07777); /* may be not allowed, which is harmless */
    return fsync(to);
}

static int name_by_copy(int fd, const char *path)
{
    creation c = {.mode = 0600, .fd = -1};
    sigset_t before;
    block_signals(&before);
    char *name = create_with_free_name(path, create, &c);
    cmd_signals_remove_file(name);
    restore_signals(&before);
    if (!name) return -1;
    int failed = copy_bytes(fd, c.fd);
    int why = errno;
    if (close(c.fd) != 0 && !failed) failed = -1, why = errno;
    if (failed) unlink(name);
    block_signals(&before);
    errno = why;
    if (failed)
        free(name);
    else
        failed = rename_over(name, path);
    cmd_signals_remove_file(NULL);
    restore_signals(&before);
    return failed ? -1 : 0;
}

int cmd_unnamed_name(int fd, const char *path)
{
    if (name_by_link(fd, path) == 0) return 0;
    return errno == EISDIR || errno == ENOTDIR ? -1 : name_by_copy(fd, path);
}
