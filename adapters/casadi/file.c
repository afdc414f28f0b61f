/* file.c - the adapter for "casadi:FILE.c" and "casadi:FILE.so": reads the kind of the model in a file, and its
 * parameters. */
#include <resida/adapter.h>

#include "base/message.h"
#include "model.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_MECHANISM = 4, OF_DAE = 3 }; /* number of inputs of residual */

/* Determine whether residual is that of a mechanism or of a general DAE. A mechanism has a fourth input named a of the
 * same length n as the third. A fourth input of this length without a name, or with another name if n > 1, is an error.
 * All further inputs are parameters and must be scalars. */
static int find_kind(csd_file *file, const csd_function *f, resida_message *why)
{
    if (f->n_in < OF_DAE || f->rows_in[0] * f->columns_in[0] != 1)
        return rsd_fail(why, RESIDA_ERR_MODEL, "residual: its arguments must be (t, p, v, a) or (t, y, yp)");
    const int n = f->out[0].rows * f->out[0].columns;
    for (int i = 1; i < OF_DAE; i++)
        if (f->rows_in[i] * f->columns_in[i] != n || n < 1)
            return rsd_fail(why, RESIDA_ERR_MODEL,
                            "residual: its result must have the size of its second and third arguments");
    const int has_a = f->n_in > OF_DAE && f->rows_in[OF_DAE] * f->columns_in[OF_DAE] == n;
    const char *fourth = has_a ? csd_function_input_name(f, OF_DAE) : NULL;
    if (has_a && !fourth)
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "residual: its fourth argument has no name: a, or a parameter? Function(\"residual\", [..], "
                        "[r], [\"t\", \"p\", \"v\", \"a\"], [\"r\"]) of CasADi gives names");
    file->is_dae = !has_a || strcmp(fourth, "a") != 0;
    if (has_a && file->is_dae && n > 1)
        return rsd_fail(
            why, RESIDA_ERR_MODEL,
            "residual: its fourth argument, %.60s, is as long as the third: an acceleration is called a, and a "
            "parameter is a scalar",
            fourth);
    file->n_own = file->is_dae ? OF_DAE : OF_MECHANISM;
    for (int i = file->n_own; i < f->n_in; i++)
        if (f->rows_in[i] * f->columns_in[i] != 1)
            return rsd_fail(why, RESIDA_ERR_MODEL, "residual: a parameter is not a scalar");
    return 0;
}

/* Return 1 if numbers have double precision. The function is evaluated at zero; a result in single precision fills only
 * half of its memory. */
static int uses_double_precision(csd_function *f)
{
    enum { MARK = 0xA5 };
    const double *inputs[CSD_MAX_INPUTS] = {NULL};
    const size_t n = (size_t)f->out[0].entries * sizeof(double);
    unsigned char *bytes = (unsigned char *)f->out[0].res;
    size_t end = n;
    double *zeros = calloc((size_t)f->out[0].rows * (size_t)f->out[0].columns + 1, sizeof *zeros);
    for (int i = 0; zeros && i < f->n_in; i++) inputs[i] = zeros;
    memset(bytes, MARK, n);
    const int failed = !zeros || csd_function_call(f, inputs, 1) != 0;
    while (end > 0 && bytes[end - 1] == MARK) end--;
    free(zeros);
    return failed || end == 0 || end > n / 2;
}

static int read_parameters(csd_file *file, const csd_function *f, resida_message *why)
{
    const int n = file->n_parameters = f->n_in - file->n_own;
    file->parameters = calloc((size_t)n + 1, sizeof *file->parameters);
    file->names = calloc((size_t)n + 1, sizeof *file->names);
    if (!file->parameters || !file->names) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory");
    for (int k = 0; k < n; k++) {
        const int i = file->n_own + k;
        const char *name = f->name_in ? f->name_in(i) : NULL;
        if (name)
            snprintf(file->names[k], sizeof file->names[k], "%s", name);
        else
            snprintf(file->names[k], sizeof file->names[k], "i%d", i);
        file->parameters[k] = (resida_parameter){.name = file->names[k],
                                                 .value = f->default_in ? f->default_in(i) : 0,
                                                 .min = -INFINITY,
                                                 .max = INFINITY,
                                                 .unit = "-",
                                                 .text = "an argument of residual"};
    }
    return 0;
}

static int read_file(csd_file *file, const char *path, resida_message *why)
{
    csd_function f;
    const int found = csd_function_find(&f, file->library, "residual", why);
    if (found < 0) return -1;
    if (!found) return rsd_fail(why, RESIDA_ERR_MODEL, "has no function `residual`");
    int failed = find_kind(file, &f, why) != 0 || read_parameters(file, &f, why) != 0;
    if (!failed && !uses_double_precision(&f))
        failed = rsd_fail(why, RESIDA_ERR_MODEL, "residual: its casadi_real is float, not double") != 0;
    csd_function_free(&f);
    if (failed) return -1;
    const char *slash = strrchr(path, '/');
    snprintf(file->name, sizeof file->name, "%s", slash ? slash + 1 : path);
    snprintf(file->text, sizeof file->text, "a %s, generated by CasADi%s%s", file->is_dae ? "general DAE" : "mechanism",
             file->identity[0] ? ", compiled as " : "", file->identity);
    file->cls = (resida_model_class){RESIDA_MODEL_HEAD,
                                     .name = file->name,
                                     .text = file->text,
                                     .n_parameters = file->n_parameters,
                                     .parameters = file->parameters,
                                     .create = csd_model_create,
                                     .destroy = csd_model_destroy};
    return 0;
}

static void close_file(const resida_model_class *cls)
{
    csd_file *file = (csd_file *)(uintptr_t)cls;
    dlclose(file->library);
    free(file->parameters);
    free(file->names);
    free(file);
}

static int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    csd_file *file = calloc(1, sizeof *file);
    if (!file) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory");
    file->library = csd_object_open(path, file->identity, why);
    if (!file->library) {
        free(file);
        return 1;
    }
    if (read_file(file, path, why) != 0) {
        close_file(&file->cls);
        return 1;
    }
    *cls = &file->cls;
    return 0;
}

extern const resida_adapter resida_adapter_object;
RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD, .name = "casadi", .text = "C that CasADi generated", .open = open_file, .close = close_file};
