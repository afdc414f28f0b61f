/* zip_file.c - a module that writes archives with libzip, in memory because libzip cannot write to an unnamed file. */
#include "zip.h"

#include <errno.h>
#include <resida/status.h>
#include <string.h>
#include <zip.h>

enum {
    CHUNK = 65536,
    UNIX_BITS = 16,
    FIRST_DAY = 0x21,
    FAST = 1
}; /* FIRST_DAY: 1 January 1980, the first that zip knows */
#define REGULAR 0100000u

static int add(zip_t *zip, const cmd_zip_entry *e)
{
    zip_source_t *source =
        e->path ? zip_source_file(zip, e->path, 0, -1) : zip_source_buffer(zip, e->bytes, e->size, 0);
    const zip_int64_t i = source ? zip_file_add(zip, e->name, source, ZIP_FL_ENC_UTF_8) : -1;
    const zip_uint64_t at = (zip_uint64_t)i;
    if (i < 0) zip_source_free(source);
    return i < 0 || zip_file_set_dostime(zip, at, 0, FIRST_DAY, 0) != 0 ||
           zip_set_file_compression(zip, at, ZIP_CM_DEFLATE, FAST) != 0 ||
           zip_file_set_external_attributes(zip, at, 0, ZIP_OPSYS_UNIX, (REGULAR | e->mode) << UNIX_BITS) != 0;
}

/* Make the archive in `image`. */
static int make(zip_source_t *image, const cmd_zip_entry *entries, int n, char *why, size_t room)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_t *zip = zip_open_from_source(image, ZIP_TRUNCATE, &error);
    if (!zip) {
        snprintf(why, room, "%s", zip_error_strerror(&error));
        zip_error_fini(&error);
        return -1;
    }
    zip_source_keep(image);
    int failed = 0;
    for (int i = 0; i < n && !failed; i++) failed = add(zip, &entries[i]);
    if (!failed && zip_close(zip) == 0) return 0;
    snprintf(why, room, "%s", zip_strerror(zip));
    zip_discard(zip);
    return -1;
}

static int copy(zip_source_t *image, FILE *to)
{
    char chunk[CHUNK];
    zip_int64_t n = 0;
    if (zip_source_open(image) != 0) return -1;
    while ((n = zip_source_read(image, chunk, CHUNK)) > 0)
        if (fwrite(chunk, 1, (size_t)n, to) != (size_t)n) break;
    zip_source_close(image);
    return n == 0 && fflush(to) == 0 ? 0 : -1;
}

static int write_all(const cmd_zip_entry *entries, int n, FILE *to, char *why, size_t room)
{
    zip_error_t error;
    why[0] = 0;
    zip_source_t *image = zip_source_buffer_create(NULL, 0, 0, &error);
    if (!image) return -1;
    int failed = make(image, entries, n, why, room) < 0;
    if (!failed) failed = copy(image, to) < 0;
    zip_source_free(image);
    return failed ? -1 : 0;
}

extern RESIDA_API const cmd_zip resida_zip;
const cmd_zip resida_zip = {sizeof resida_zip, write_all};
