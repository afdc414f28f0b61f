/* data_file.c - the libraries write into a file without a name, which is then copied into the result: so it may be a
 * device or a pipe, and what goes wrong there is told by errno. */
#include "data_file.h"

#include "command/base/complain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 65536 };

#ifdef BENCH_MATIO
static const int has_mat = 1;
#else
static const int has_mat = 0;
int bench_mat_write(const bench_record *record, FILE *file)
{
    (void)record, (void)file;
    return -1;
}
#endif

#ifdef BENCH_HDF5
static const int has_hdf5 = 1;
#else
static const int has_hdf5 = 0;
int bench_hdf5_write(const bench_record *record, FILE *file)
{
    (void)record, (void)file;
    return -1;
}
#endif

static int ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

int bench_is_mat(const char *path)
{
    return ends_in(path, ".mat");
}

int bench_is_hdf5(const char *path)
{
    return ends_in(path, ".h5");
}

int bench_data_file_check(const char *path)
{
    const int is_mat = bench_is_mat(path);
    if (is_mat ? has_mat : has_hdf5) return 0;
    return bench_complain(BENCH_EXIT_USAGE, "--out %s: this resida was built without %s", path,
                          is_mat ? "matio" : "HDF5");
}

/** Bytes of a file into the result. */
static int copy(FILE *from, bench_out *out)
{
    char bytes[BLOCK];
    size_t n;
    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, n, out->stream) != n) return bench_out_fail(out);
    if (!ferror(from)) return 0;
    bench_out_abort(out);
    return bench_complain_io("read", "a temporary file");
}

/** Bytes of a variable of level 5 are counted by 32 bits, of which readers take one as a sign. */
static int is_too_large(const bench_record *r)
{
    return (double)r->rows * r->columns->n * (double)sizeof(double) > INT_MAX - BLOCK;
}

static int refuse(bench_out *out, int code)
{
    bench_out_abort(out);
    return code;
}

int bench_data_file_write(const bench_record *record, const char *path, bench_out *out)
{
    const int is_mat = bench_is_mat(path);
    if (is_mat && is_too_large(record))
        return refuse(out, bench_complain(BENCH_EXIT_FAILED,
                                          "%s: %ld rows of %d columns are more than 2 GB, which a MAT-file does not "
                                          "hold; take fewer --columns, or FILE.h5",
                                          path, record->rows, record->columns->n));
    FILE *file = tmpfile();
    if (!file) return refuse(out, bench_complain_io("write", "a temporary file"));
    errno = 0;
    const int failed = is_mat ? bench_mat_write(record, file) : bench_hdf5_write(record, file);
    int code = 0;
    if (failed)
        code = refuse(out, errno ? bench_complain_io("write", "a temporary file")
                                 : bench_complain(BENCH_EXIT_FAILED, "%s: %s failed", path, is_mat ? "matio" : "HDF5"));
    else
        code = copy(file, out);
    fclose(file);
    return code;
}
