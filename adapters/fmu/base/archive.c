/* archive.c - reads zip files with libzip. The sizes and names in the archive are checked against limits before
 * anything is unpacked. The unpacked data is then compared with them: a file with another length or a wrong checksum
 * is rejected. */
#define _POSIX_C_SOURCE 200809L /* open_memstream() */
#include "archive.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#define MAX_FILES    100000
#define MAX_BYTES    (UINT64_C(4) << 30)   /* of all files together */
#define MAX_IN_RAM   (UINT64_C(256) << 20) /* of a file that is read into memory */
#define FREE_OF_RATE (UINT64_C(1) << 20)   /* smaller files, .. */
#define FREE_IN_ALL  (UINT64_C(16) << 20)  /* .. and smaller archives, may have any compression rate */
#define MAX_RATE     500                   /* higher than in real files */
#define CHUNK        65536
#define UNIX_KIND    16 /* position of the Unix mode in the attributes of a file */

struct fmu_archive {
    zip_t *zip;
    zip_int64_t n;
};

/* Return 1 if an unpacked file stays inside the target folder on any system. */
static int is_path_inside(const char *name)
{
    if (!*name || *name == '/' || strchr(name, '\\') || strchr(name, ':')) return 0;
    for (const char *part = name; part;) {
        const char *slash = strchr(part, '/');
        const size_t n = slash ? (size_t)(slash - part) : strlen(part);
        if ((n == 0 && slash) || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.')) return 0;
        part = slash ? slash + 1 : NULL;
    }
    return 1;
}

static int is_symbolic_link(const fmu_archive *a, zip_uint64_t i)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(a->zip, i, 0, &system, &attributes) != 0) return 0;
    const mode_t kind = (mode_t)(attributes >> UNIX_KIND) & S_IFMT;
    return system == ZIP_OPSYS_UNIX && kind != 0 && kind != S_IFREG && kind != S_IFDIR;
}

/* Bytes of all files, unpacked and compressed. */
typedef struct sums {
    zip_uint64_t unpacked, packed;
} sums;

static int check_entry(const fmu_archive *a, zip_uint64_t i, sums *total, resida_message *why)
{
    zip_stat_t about;
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if (zip_stat_index(a->zip, i, 0, &about) != 0 || (about.valid & needed) != needed)
        return fmu_fail(why, "the archive is damaged: file %llu has no entry", (unsigned long long)i);
    if (!is_path_inside(about.name))
        return fmu_fail(why, "a path is invalid, or leads out of the archive: \"%.200s\"", about.name);
    if (is_symbolic_link(a, i)) return fmu_fail(why, "\"%.200s\" is a link, not a file", about.name);
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE)
        return fmu_fail(why, "\"%.200s\" is encrypted", about.name);
    if (about.size > MAX_BYTES || about.size > MAX_BYTES - total->unpacked)
        return fmu_fail(why, "the unpacked size exceeds %llu bytes", (unsigned long long)MAX_BYTES);
    if (about.size > FREE_OF_RATE && about.size / MAX_RATE > about.comp_size)
        return fmu_fail(why, "\"%.200s\" expands from %llu to %llu bytes: the archive is not plausible", about.name,
                        (unsigned long long)about.comp_size, (unsigned long long)about.size);
    total->unpacked += about.size;
    total->packed += about.comp_size;
    return 0;
}

static int check_entries(const fmu_archive *a, resida_message *why)
{
    sums total = {0, 0};
    if (a->n < 1) return fmu_fail(why, "an empty archive");
    if (a->n > MAX_FILES) return fmu_fail(why, "the archive contains more than %d files", MAX_FILES);
    for (zip_int64_t i = 0; i < a->n; i++)
        if (check_entry(a, (zip_uint64_t)i, &total, why) < 0) return -1;
    if (total.unpacked > FREE_IN_ALL && total.unpacked / MAX_RATE > total.packed)
        return fmu_fail(why, "%lld files expand from %llu to %llu bytes: the archive is not plausible", (long long)a->n,
                        (unsigned long long)total.packed, (unsigned long long)total.unpacked);
    return 0;
}

fmu_archive *fmu_archive_open(const char *path, resida_message *why)
{
    int code = 0;
    struct stat about;
    if (stat(path, &about) != 0) return fmu_fail(why, "cannot be opened: %s", strerror(errno)), NULL;
    if (!S_ISREG(about.st_mode)) return fmu_fail(why, "not a file"), NULL; /* libzip would wait for data of a pipe */
    fmu_archive *a = calloc(1, sizeof *a);
    if (!a) return fmu_no_memory(why), NULL;
    a->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!a->zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        fmu_fail(why, "not an FMU: it is not a zip file: %s", zip_error_strerror(&error));
        zip_error_fini(&error);
    } else {
        a->n = zip_get_num_entries(a->zip, 0);
        if (check_entries(a, why) == 0) return a;
    }
    fmu_archive_close(a);
    return NULL;
}

void fmu_archive_close(fmu_archive *a)
{
    if (a && a->zip) zip_discard(a->zip);
    free(a);
}

/* Copy an open file to its end, so that libzip compares the checksum. */
static int copy_entry(zip_file_t *file, const zip_stat_t *about, FILE *to, resida_message *why)
{
    char chunk[CHUNK];
    zip_uint64_t got = 0;
    zip_int64_t n;
    while ((n = zip_fread(file, chunk, CHUNK)) > 0) {
        if ((zip_uint64_t)n > about->size - got)
            return fmu_fail(why, "\"%.200s\" is longer than its entry in the archive states", about->name);
        if (fwrite(chunk, 1, (size_t)n, to) != (size_t)n)
            return fmu_fail(why, "\"%.200s\" cannot be unpacked: %s", about->name, strerror(errno));
        got += (zip_uint64_t)n;
    }
    if (n < 0) return fmu_fail(why, "\"%.200s\": %s", about->name, zip_file_strerror(file));
    if (got == about->size) return 0;
    return fmu_fail(why, "\"%.200s\" is shorter than its entry in the archive states", about->name);
}

/* Write an entry to a stream, which is closed. */
static int extract_entry(fmu_archive *a, zip_uint64_t i, const zip_stat_t *about, FILE *to, resida_message *why)
{
    zip_file_t *file = zip_fopen_index(a->zip, i, 0);
    int taken =
        file ? copy_entry(file, about, to, why) : fmu_fail(why, "\"%.200s\": %s", about->name, zip_strerror(a->zip));
    if (file) zip_fclose(file);
    if (fclose(to) != 0 && taken == 0)
        taken = fmu_fail(why, "\"%.200s\" cannot be unpacked: %s", about->name, strerror(errno));
    return taken;
}

char *fmu_archive_read(fmu_archive *a, const char *name, size_t *size, resida_message *why)
{
    zip_stat_t about;
    const zip_int64_t i = zip_name_locate(a->zip, name, 0);
    why->text[0] = 0;
    if (i < 0 || zip_stat_index(a->zip, (zip_uint64_t)i, 0, &about) != 0) return NULL;
    if (about.size > MAX_IN_RAM) return fmu_fail(why, "\"%.200s\" is too long", name), NULL;
    char *bytes = NULL;
    FILE *to = open_memstream(&bytes, size);
    if (!to) return fmu_fail(why, "no memory for \"%.200s\"", name), NULL;
    if (extract_entry(a, (zip_uint64_t)i, &about, to, why) == 0) return bytes;
    free(bytes);
    return NULL;
}

const char *fmu_archive_find(const fmu_archive *a, const char *folder, const char *words, const char *end)
{
    for (zip_int64_t i = 0; i < a->n; i++) {
        const char *name = zip_get_name(a->zip, (zip_uint64_t)i, 0);
        if (!name || strncmp(name, folder, strlen(folder)) != 0 || !strstr(name, words)) continue;
        const size_t n = strlen(name), m = strlen(end);
        if (n >= m && strcmp(name + n - m, end) == 0) return name;
    }
    return NULL;
}

static int unpack_entry(fmu_archive *a, zip_uint64_t i, const fmu_scratch *to, resida_message *why)
{
    zip_stat_t about;
    if (zip_stat_index(a->zip, i, 0, &about) != 0) return fmu_fail(why, "a damaged archive");
    if (about.name[strlen(about.name) - 1] == '/') return 0; /* folders are made together with their files */
    FILE *file = fmu_scratch_file(to, about.name, why);
    return file && extract_entry(a, i, &about, file, why) == 0 ? 1 : -1;
}

int fmu_archive_unpack(fmu_archive *a, const char *folder, const fmu_scratch *to, resida_message *why)
{
    int n = 0;
    for (zip_int64_t i = 0; i < a->n; i++) {
        const char *name = zip_get_name(a->zip, (zip_uint64_t)i, 0);
        if (!name || strncmp(name, folder, strlen(folder)) != 0) continue;
        const int unpacked = unpack_entry(a, (zip_uint64_t)i, to, why);
        if (unpacked < 0) return -1;
        n += unpacked;
    }
    return n;
}
