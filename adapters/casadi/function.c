/* function.c - finds the symbols of a function, allocates its memory, and converts outputs by columns to rows. */
#define _POSIX_C_SOURCE 200809L
#include "function.h"

#include "adapters/base/fail.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void symbol_fn(void);

/* Return the symbol NAMEend of the object, or NULL. */
static symbol_fn *find_symbol(void *library, const char *name, const char *end)
{
    char text[128];
    symbol_fn *found = NULL;
    snprintf(text, sizeof text, "%.64s%s", name, end);
    *(void **)&found = dlsym(library, text);
    return found;
}

typedef csd_int count_fn(void);
typedef const csd_int *sparsity_fn(csd_int i);
typedef int work_fn(csd_int *sz_arg, csd_int *sz_res, csd_int *sz_iw, csd_int *sz_w);

static int report_error(resida_message *why, const char *name, const char *what)
{
    return adapter_fail(why, "function %.60s: %s", name, what);
}

/* Read the size of a matrix. CasADi's sparsity is {rows, columns, colind [columns + 1], row [entries]}, or {rows,
 * columns, 1} for a full matrix. */
static int read_sizes(const csd_int *s, int *rows, int *columns)
{
    if (!s || s[0] < 0 || s[1] < 0 || s[0] > INT_MAX || s[1] > INT_MAX) return -1;
    *rows = (int)s[0];
    *columns = (int)s[1];
    return 0;
}

static int is_full_matrix(const csd_int *s)
{
    return s[2] != 0; /* colind[0] of a sparse matrix is 0 */
}

/* Allocate an output with the given number of entries. */
static int reserve_output(csd_output *o, csd_int entries)
{
    if (entries < 0 || entries > INT_MAX - 1) return -1;
    o->entries = (int)entries;
    o->row = calloc((size_t)o->rows + 2, sizeof *o->row);
    o->column = calloc((size_t)entries + 1, sizeof *o->column);
    o->from = calloc((size_t)entries + 1, sizeof *o->from);
    o->res = calloc((size_t)entries + 1, sizeof *o->res);
    return o->row && o->column && o->from && o->res ? 0 : -1;
}

/* Read the size and the pattern of an output. Columns are read in order, so that they increase in each row. */
static int read_output(csd_output *o, const csd_int *s)
{
    if (read_sizes(s, &o->rows, &o->columns) < 0) return -1;
    const int full = is_full_matrix(s);
    const csd_int *start = s + 2, *row = s + 3 + o->columns;
    if (reserve_output(o, full ? (csd_int)o->rows * o->columns : start[o->columns]) < 0) return -1;
    for (int k = 0; k < o->entries; k++) {
        const csd_int i = full ? k % o->rows : row[k];
        if (i < 0 || i >= o->rows) return -1;
        o->row[i + 1]++;
    }
    for (int i = 0; i < o->rows; i++) o->row[i + 1] += o->row[i];
    for (int j = 0; j < o->columns; j++) {
        const csd_int begin = full ? (csd_int)j * o->rows : start[j], end = full ? begin + o->rows : start[j + 1];
        if (begin < 0 || end < begin || end > o->entries) return -1;
        for (csd_int k = begin; k < end; k++) {
            const int place = o->row[full ? k - begin : row[k]]++;
            o->column[place] = j;
            o->from[place] = (int)k;
        }
    }
    for (int i = o->rows; i > 0; i--) o->row[i] = o->row[i - 1];
    o->row[0] = 0;
    return 0;
}

static int read_shapes(csd_function *f, void *library, const char *name, resida_message *why)
{
    sparsity_fn *in = (sparsity_fn *)find_symbol(library, name, "_sparsity_in");
    sparsity_fn *out = (sparsity_fn *)find_symbol(library, name, "_sparsity_out");
    count_fn *n_in = (count_fn *)find_symbol(library, name, "_n_in"),
             *n_out = (count_fn *)find_symbol(library, name, "_n_out");
    if (!in || !out || !n_in || !n_out)
        return report_error(why, name, "_n_in, _n_out, _sparsity_in or _sparsity_out is missing");
    const csd_int inputs = n_in(), outputs = n_out();
    if (inputs < 0 || inputs > CSD_MAX_INPUTS || outputs < 1 || outputs > CSD_MAX_OUTPUTS)
        return report_error(why, name, "has no results, or too many arguments");
    f->n_in = (int)inputs;
    f->n_out = (int)outputs;
    f->out = calloc((size_t)outputs, sizeof *f->out);
    if (!f->out) return report_error(why, name, "no memory");
    for (int i = 0; i < f->n_in; i++) {
        const csd_int *s = in(i);
        if (read_sizes(s, &f->rows_in[i], &f->columns_in[i]) < 0)
            return report_error(
                why, name,
                s && s[0] > INT_MAX /* rows and columns in one number */ ? "its casadi_int is int, not long long int"
                                                                         : "its sizes are inconsistent");
        const csd_int entries = is_full_matrix(s) ? s[0] * s[1] : s[2 + s[1]];
        f->entries_in[i] = entries >= 0 && entries <= INT_MAX ? (int)entries : -1;
    }
    for (int i = 0; i < f->n_out; i++)
        if (read_output(&f->out[i], out(i)) < 0)
            return report_error(why, name, "the sparsity of a result is inconsistent");
    return 0;
}

static int reserve_work(csd_function *f, void *library, const char *name, resida_message *why)
{
    work_fn *work = (work_fn *)find_symbol(library, name, "_work");
    csd_int arg = f->n_in, res = f->n_out, iw = 0, w = 0;
    if (work && work(&arg, &res, &iw, &w) != 0) return report_error(why, name, "_work failed");
    if (arg < f->n_in) arg = f->n_in;
    if (res < f->n_out) res = f->n_out;
    if (iw < 0 || w < 0 || arg > INT_MAX || res > INT_MAX || iw > INT_MAX || w > INT_MAX)
        return report_error(why, name, "_work returns an invalid size");
    f->arg = calloc((size_t)arg + 1, sizeof *f->arg);
    f->res = calloc((size_t)res + 1, sizeof *f->res);
    f->iw = calloc((size_t)iw + 1, sizeof *f->iw);
    f->w = calloc((size_t)w + 1, sizeof *f->w);
    return f->arg && f->res && f->iw && f->w ? 0 : report_error(why, name, "no memory");
}

int csd_function_find(csd_function *f, void *library, const char *name, resida_message *why)
{
    *f = (csd_function){.mem = 0};
    symbol_fn *call = find_symbol(library, name, "");
    if (!call) return 0;
    snprintf(f->name, sizeof f->name, "%s", name);
    if (read_shapes(f, library, name, why) < 0 || reserve_work(f, library, name, why) < 0) {
        csd_function_free(f);
        return -1;
    }
    f->call = (int (*)(const double **, double **, csd_int *, double *, int))call;
    f->name_in = (const char *(*)(csd_int))find_symbol(library, name, "_name_in");
    f->default_in = (double (*)(csd_int))find_symbol(library, name, "_default_in");
    f->release = (void (*)(int))find_symbol(library, name, "_release");
    f->decref = find_symbol(library, name, "_decref");
    symbol_fn *incref = find_symbol(library, name, "_incref");
    int (*checkout)(void) = (int (*)(void))find_symbol(library, name, "_checkout");
    if (incref) incref();
    if (checkout) f->mem = checkout();
    return 1;
}

void csd_function_free(csd_function *f)
{
    if (f->call && f->release) f->release(f->mem);
    if (f->call && f->decref) f->decref();
    for (int i = 0; f->out && i < f->n_out; i++) {
        free(f->out[i].row);
        free(f->out[i].column);
        free(f->out[i].from);
        free(f->out[i].res);
    }
    free(f->out);
    free(f->arg);
    free(f->res);
    free(f->iw);
    free(f->w);
    *f = (csd_function){.mem = 0};
}

const char *csd_function_input_name(const csd_function *f, int i)
{
    char counted[32];
    const char *name = f->name_in ? f->name_in(i) : NULL;
    snprintf(counted, sizeof counted, "i%d", i);
    return name && strcmp(name, counted) != 0 ? name : NULL;
}

int csd_function_call(csd_function *f, const double *const *inputs, unsigned long long wanted)
{
    const int known = (int)(sizeof wanted * CHAR_BIT);
    for (int i = 0; i < f->n_in; i++) f->arg[i] = inputs[i];
    for (int i = 0; i < f->n_out; i++) f->res[i] = i < known && (wanted >> i & 1) ? f->out[i].res : NULL;
    return f->call(f->arg, f->res, f->iw, f->w, f->mem);
}

void csd_output_copy_dense(const csd_output *o, double *values)
{
    memset(values, 0, (size_t)o->rows * (size_t)o->columns * sizeof *values);
    for (int i = 0; i < o->rows; i++)
        for (int e = o->row[i]; e < o->row[i + 1]; e++)
            values[(size_t)i * (size_t)o->columns + (size_t)o->column[e]] = o->res[o->from[e]];
}

void csd_output_copy_values(const csd_output *o, double *values)
{
    for (int e = 0; e < o->entries; e++) values[e] = o->res[o->from[e]];
}

resida_pattern csd_output_pattern(const csd_output *o)
{
    return (resida_pattern){.row = o->row, .col = o->column};
}
