/* data_file.c - loads a module for each of the two formats. Its library writes to an unnamed file, which is then copied
 * to the result. The result may be a device or a pipe, and errno describes its write errors. */
#include "data_file.h"

#include "program/base/complain.h"
#include "command/modules/format.h"
#include "command/modules/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <resida_features.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 65536 };

/* The library and module for a format. */
typedef struct writer {
    const char *library, *module;
} writer;
static const writer mat = {"matio", "resida-matio.so"}, hdf5 = {"HDF5", "resida-hdf5.so"};

int cmd_is_mat(const char *path)
{
    return cmd_ends_in(path, ".mat");
}

int cmd_is_hdf5(const char *path)
{
    return cmd_ends_in(path, ".h5");
}

static const writer *find_writer(const char *path)
{
    return cmd_is_mat(path) ? &mat : &hdf5;
}

static const cmd_format *load_writer(const writer *w, char why[CMD_MODULE_WHY])
{
    const cmd_format *format = cmd_load_module(w->library, w->module, CMD_FORMAT_SYMBOL, RTLD_LOCAL, why);
    if (!format || format->size == sizeof *format) return format;
    snprintf(why, CMD_MODULE_WHY, "%s has another version", w->module);
    return NULL;
}

int cmd_data_file_check(const char *path)
{
    const writer *w = find_writer(path);
    char why[CMD_MODULE_WHY];
    if (load_writer(w, why)) return 0;
    if (!rsd_feature_of(w->library)->is_built) return cmd_complain_missing(CMD_EXIT_USAGE, path, w->library);
    return cmd_complain(CMD_EXIT_USAGE, "--out %s: %s", path, why);
}

/** Return 1 if a variable is too large for level 5, whose sizes have 32 bits including the sign of some readers. */
static int is_too_large(const cmd_record *r)
{
    return (double)r->rows * r->columns->n * (double)sizeof(double) > INT_MAX - BLOCK;
}

static int discard_output(cmd_out *out, int code)
{
    cmd_out_abort(out);
    return code;
}

int cmd_data_file_write(const cmd_record *record, const char *path, cmd_out *out)
{
    const cmd_columns *c = record->columns;
    const cmd_format_data data = {record->rows, c->n, record->x, (const char *const *)c->names, c->units};
    const writer *w = find_writer(path);
    char why[CMD_MODULE_WHY];
    const cmd_format *format = load_writer(w, why);
    if (!format) return discard_output(out, cmd_complain(CMD_EXIT_FAILED, "%s: %s", path, why));
    if (w == &mat && is_too_large(record))
        return discard_output(
            out,
            cmd_complain(CMD_EXIT_FAILED,
                         "%s: %ld rows of %d columns exceed the 2 GB of a MAT-file; use fewer --columns, or FILE.h5",
                         path, record->rows, c->n));
    FILE *file = tmpfile();
    if (!file) return discard_output(out, cmd_complain_io("write", "a temporary file"));
    errno = 0;
    const int failed = format->write(&data, file);
    int code = 0;
    if (failed)
        code = discard_output(out, errno ? cmd_complain_io("write", "a temporary file")
                                         : cmd_complain(CMD_EXIT_FAILED, "%s: %s failed", path, w->library));
    else if ((code = cmd_copy(file, out->stream)) > 0)
        code = cmd_out_fail(out);
    else if (code < 0)
        code = discard_output(out, cmd_complain_io("read", "a temporary file"));
    fclose(file);
    return code;
}
