/* out_file.c - write to a temporary file in the same folder, fsync, rename: rename() replaces in one step, and only
 * within one file system. What is not a regular file (/dev/null, a named pipe) is written in place, because a rename
 * would put a file where the device was. An existing file keeps its permissions. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "out_file.h"

#include "complain.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(bench_out *out)
{
    bench_signals_remove_file(NULL);
    free(out->target);
    free(out->temporary);
    *out = (bench_out){0};
}

void bench_out_abort(bench_out *out)
{
    if (out->stream && out->stream != stdout) fclose(out->stream);
    if (out->temporary) unlink(out->temporary);
    forget(out);
}

int bench_out_fail(bench_out *out)
{
    int code = bench_complain_io("write", out->target ? out->target : "standard output");
    bench_out_abort(out);
    return code;
}

/** FOLDER/.resida-PID-k.tmp, created here and now; a descriptor, or -1 and errno. */
static int open_temporary(bench_out *out, mode_t mode)
{
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash - out->target) + 1 : 0;
    size_t size = (size_t)folder + 64;
    out->temporary = malloc(size);
    if (!out->temporary) return -1;
    for (int k = 0; k < 100; k++) {
        snprintf(out->temporary, size, "%.*s.resida-%ld-%d.tmp", folder, out->target, (long)getpid(), k);
        int fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/** A descriptor for the target, or -1 and errno. */
static int open_target(bench_out *out)
{
    struct stat there;
    int exists = stat(out->target, &there) == 0;
    if (!exists && errno != ENOENT) return -1; /* a name too long, a folder that may not be searched */
    if (exists && !S_ISREG(there.st_mode)) return open(out->target, O_WRONLY | O_CLOEXEC);
    if (exists && access(out->target, W_OK) != 0) return -1;
    int fd = open_temporary(out, 0666);
    if (fd < 0) { /* there is nothing to remove */
        int why = errno;
        free(out->temporary);
        out->temporary = NULL;
        errno = why;
        return -1;
    }
    bench_signals_remove_file(out->temporary);
    if (exists) (void)fchmod(fd, there.st_mode & 07777); /* not allowed on some file systems, and no harm */
    return fd;
}

int bench_out_open(bench_out *out, const char *path)
{
    *out = (bench_out){0};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return BENCH_EXIT_OK;
    }
    out->target = realpath(path, NULL);
    if (!out->target) out->target = strdup(path); /* it does not exist yet */
    if (!out->target) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
    int fd = open_target(out);
    if (fd >= 0) out->stream = fdopen(fd, "w");
    if (out->stream) return BENCH_EXIT_OK;
    int code = bench_complain_io("write", path);
    if (fd >= 0) close(fd);
    bench_out_abort(out);
    return code;
}

int bench_out_commit(bench_out *out)
{
    if (fflush(out->stream) != 0) return bench_out_fail(out);
    if (out->stream == stdout) {
        forget(out);
        return BENCH_EXIT_OK;
    }
    if (out->temporary && fsync(fileno(out->stream)) != 0) return bench_out_fail(out);
    FILE *stream = out->stream;
    out->stream = NULL;
    if (fclose(stream) != 0) return bench_out_fail(out);
    if (out->temporary && rename(out->temporary, out->target) != 0) return bench_out_fail(out);
    forget(out);
    return BENCH_EXIT_OK;
}
