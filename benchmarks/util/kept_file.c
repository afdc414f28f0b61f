/* kept_file.c - a kept file is a line "resida-bench N HASH" followed by N bytes, whose digest is HASH. A file that does
 * not match its line is damaged. */
#define _GNU_SOURCE /* mkdir() */
#include "kept_file.h"

#include "program/base/complain.h"
#include "program/base/digest.h"
#include "program/files/out_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t digest_of(const void *bytes, size_t n)
{
    uint64_t digest = CMD_DIGEST_OF_NOTHING;
    cmd_digest_add(&digest, bytes, n);
    return digest;
}

int bench_kept_folder(const char *folder)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : cmd_complain_io("make the folder", folder);
}

char *bench_kept_path(const char *folder, const char *name, const char *ending)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+";
    const size_t before = strlen(folder) + 1, size = before + strlen(name) + strlen(ending) + 1;
    char *path = malloc(size);
    if (!path) return NULL;
    snprintf(path, size, "%s/%s%s", folder, name, ending);
    for (char *c = path + before; *c; c++)
        if (!strchr(safe, *c)) *c = '-';
    return path;
}

int bench_kept_write(const char *path, const void *bytes, size_t n)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    fprintf(out.stream, "resida-bench %zu %016" PRIx64 "\n", n, digest_of(bytes, n));
    fwrite(bytes, 1, n, out.stream);
    return ferror(out.stream) ? cmd_out_fail(&out) : cmd_out_commit(&out);
}

/** Read the bytes [*n], followed by a 0. @return NULL if the file is damaged */
static char *read_whole(FILE *f, size_t *n)
{
    uint64_t hash;
    struct stat about;
    if (fscanf(f, "resida-bench %zu %" SCNx64, n, &hash) != 2 || fgetc(f) != '\n') return NULL;
    if (fstat(fileno(f), &about) != 0 || *n > (size_t)about.st_size) return NULL;
    char *bytes = calloc(*n + 1, 1);
    if (bytes && fread(bytes, 1, *n, f) == *n && fgetc(f) == EOF && digest_of(bytes, *n) == hash) return bytes;
    free(bytes);
    return NULL;
}

void bench_kept_read(const char *path, char **bytes, size_t *n)
{
    FILE *f = fopen(path, "rb");
    *bytes = NULL;
    *n = 0;
    if (!f) return;
    *bytes = read_whole(f, n);
    fclose(f);
    if (!*bytes) cmd_complain(0, "%s: file is damaged; its measurement is repeated", path);
}
