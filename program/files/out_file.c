/* out_file.c - writes a file without a name in the target's folder, calls fsync, and then gives it its name in one
 * step, which requires the same file system. A path that is no regular file (/dev/null, a named pipe) is written
 * directly, because a rename would replace the device by a file. An existing file keeps its permissions. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "out_file.h"

#include "program/base/complain.h"
#include "unnamed_file.h"
#include "program/process/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIED = 65536, LOOKED_AT = 512 }; /* block sizes in bytes */

void cmd_out_abort(cmd_out *out)
{
    if (out->stream && out->stream != stdout) fclose(out->stream);
    free(out->target);
    free(out->lines);
    *out = (cmd_out){0};
}

/** Return the length of the complete lines of a file. */
static off_t find_end_of_lines(int fd)
{
    char bytes[LOOKED_AT];
    for (off_t end = lseek(fd, 0, SEEK_END); end > 0;) {
        const size_t n = end < LOOKED_AT ? (size_t)end : LOOKED_AT;
        if (pread(fd, bytes, n, end - (off_t)n) != (ssize_t)n) return 0;
        for (size_t i = n; i > 0; i--)
            if (bytes[i - 1] == '\n') return end - (off_t)(n - i);
        end -= (off_t)n;
    }
    return 0;
}

/** Truncate the file to its complete lines. The stream is closed first, because it would write after the last line. */
static void keep_lines(cmd_out *out)
{
    const int fd = dup(fileno(out->stream));
    fclose(out->stream);
    out->stream = NULL;
    const off_t length = fd >= 0 ? find_end_of_lines(fd) : 0;
    if (length > 0 && ftruncate(fd, length) == 0 && cmd_unnamed_name(fd, out->lines) == 0)
        cmd_complain(0, "the rows that could be written are in %s", out->lines);
    if (fd >= 0) close(fd);
}

int cmd_out_keep_lines(cmd_out *out)
{
    if (!out->unnamed) return 0;
    out->lines = cmd_partial_name(out->target);
    return out->lines ? 0 : cmd_no_memory();
}

int cmd_out_fail(cmd_out *out)
{
    const char *what = out->target ? out->target : "standard output";
    int code = out->stream ? cmd_complain_unwritten(out->stream, what) : cmd_complain_io("write", what);
    if (out->lines && out->stream) keep_lines(out);
    cmd_out_abort(out);
    return code;
}

/** Return a descriptor for the target; -1 with errno. */
static int open_target(cmd_out *out)
{
    struct stat there;
    int exists = stat(out->target, &there) == 0;
    if (!exists && errno != ENOENT) return -1; /* name too long, or folder not searchable */
    if (exists && !S_ISREG(there.st_mode)) return open(out->target, O_WRONLY | O_CLOEXEC);
    if (exists && access(out->target, W_OK) != 0) return -1;
    int fd = cmd_unnamed_open(out->target, 0666);
    out->unnamed = fd >= 0;
    if (fd >= 0 && exists) (void)fchmod(fd, there.st_mode & 07777); /* may be not allowed, which is harmless */
    return fd;
}

int cmd_out_open(cmd_out *out, const char *path)
{
    *out = (cmd_out){0};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return CMD_EXIT_OK;
    }
    out->target = realpath(path, NULL);
    if (!out->target) out->target = strdup(path); /* it does not exist yet */
    if (!out->target) return cmd_no_memory();
    int fd = open_target(out);
    if (fd >= 0) out->stream = fdopen(fd, "w");
    if (out->stream) return CMD_EXIT_OK;
    int code = cmd_complain_io("write", path);
    if (fd >= 0) close(fd);
    cmd_out_abort(out);
    return code;
}

int cmd_ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

size_t cmd_stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - path) : strlen(path);
}

int cmd_copy(FILE *from, FILE *to)
{
    char bytes[COPIED];
    size_t n;
    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, n, to) != n) return 1;
    return ferror(from) ? -1 : 0;
}

char *cmd_partial_name(const char *path)
{
    static const char part[] = ".partial";
    const size_t size = strlen(path) + sizeof part, stem = cmd_stem(path);
    char *made = malloc(size);
    if (made) snprintf(made, size, "%.*s%s%s", (int)stem, path, part, path + stem);
    return made;
}

int cmd_out_commit(cmd_out *out)
{
    cmd_watchdog_suspend();
    if (fflush(out->stream) != 0) return cmd_out_fail(out);
    int fd = fileno(out->stream);
    if (out->unnamed && (fsync(fd) != 0 || cmd_unnamed_name(fd, out->target) != 0)) return cmd_out_fail(out);
    FILE *stream = out->stream;
    out->stream = NULL;
    if (stream != stdout && fclose(stream) != 0) return cmd_out_fail(out);
    cmd_out_abort(out);
    return CMD_EXIT_OK;
}

int cmd_out_commit_partial(cmd_out *out, char **where)
{
    *where = NULL;
    if (!out->unnamed) return cmd_out_commit(out);
    char *partial = cmd_partial_name(out->target), *name = partial ? strdup(partial) : NULL;
    if (!name) {
        free(partial);
        cmd_out_abort(out);
        return cmd_no_memory();
    }
    free(out->target);
    out->target = partial;
    int code = cmd_out_commit(out);
    if (code == 0)
        *where = name;
    else
        free(name);
    return code;
}
