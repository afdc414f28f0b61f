/* data_file.c - for each of the two a module is loaded. Its library writes into a file without a name, which is then
 * copied into the result: so it may be a device or a pipe, and what goes wrong there is told by errno. */
#include "data_file.h"

#include "command/base/complain.h"
#include "command/modules/format.h"
#include "command/modules/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <resida_features.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 65536 };

/* Who writes a file of that name. */
typedef struct writer {
    const char *library, *module;
} writer;
static const writer mat = {"matio", "resida-matio.so"}, hdf5 = {"HDF5", "resida-hdf5.so"};

int bench_is_mat(const char *path)
{
    return bench_ends_in(path, ".mat");
}

int bench_is_hdf5(const char *path)
{
    return bench_ends_in(path, ".h5");
}

static const writer *writer_of(const char *path)
{
    return bench_is_mat(path) ? &mat : &hdf5;
}

static const bench_format *load(const writer *w, const char **why)
{
    const bench_format *format = bench_module(w->module, BENCH_FORMAT_SYMBOL, RTLD_LOCAL, why);
    return format && format->size == sizeof *format ? format : NULL;
}

int bench_data_file_check(const char *path)
{
    const writer *w = writer_of(path);
    const char *why = w->module;
    if (load(w, &why)) return 0;
    if (!rsd_feature_of(w->library)->is_built) return bench_complain_lack(BENCH_EXIT_USAGE, path, w->library);
    return bench_complain(BENCH_EXIT_USAGE, "--out %s: %s", path, why);
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
    const bench_columns *c = record->columns;
    const bench_format_data data = {record->rows, c->n, record->x, (const char *const *)c->names, c->units};
    const writer *w = writer_of(path);
    const char *why = w->module;
    const bench_format *format = load(w, &why);
    if (!format) return refuse(out, bench_complain(BENCH_EXIT_FAILED, "%s: %s", path, why));
    if (w == &mat && is_too_large(record))
        return refuse(out, bench_complain(BENCH_EXIT_FAILED,
                                          "%s: %ld rows of %d columns are more than 2 GB, which a MAT-file does not "
                                          "hold; take fewer --columns, or FILE.h5",
                                          path, record->rows, c->n));
    FILE *file = tmpfile();
    if (!file) return refuse(out, bench_complain_io("write", "a temporary file"));
    errno = 0;
    const int failed = format->write(&data, file);
    int code = 0;
    if (failed)
        code = refuse(out, errno ? bench_complain_io("write", "a temporary file")
                                 : bench_complain(BENCH_EXIT_FAILED, "%s: %s failed", path, w->library));
    else if ((code = bench_copy(file, out->stream)) > 0)
        code = bench_out_fail(out);
    else if (code < 0)
        code = refuse(out, bench_complain_io("read", "a temporary file"));
    fclose(file);
    return code;
}
