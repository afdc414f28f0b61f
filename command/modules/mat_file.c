/* mat_file.c - a module that writes the variables t, values, columns, units with matio. */
#include "format.h"

#include <matio.h>
#include <resida/resida.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE = 2, HEADER = 100, PATH = 64 }; /* dimensions of a matrix; bytes of the header text and of a path */

/** Write and free a variable. */
static int put(mat_t *mat, matvar_t *variable)
{
    const int failed = !variable || Mat_VarWrite(mat, variable, MAT_COMPRESSION_NONE) != 0;
    Mat_VarFree(variable);
    return failed;
}

/** Write columns first .. first + n - 1 of all rows as a matrix in column-major order. */
static int put_numbers(mat_t *mat, const cmd_format_data *r, const char *name, int first, int n)
{
    size_t sizes[PLANE] = {(size_t)r->rows, (size_t)n};
    double *x = calloc(sizes[0] * sizes[1] + 1, sizeof *x);
    if (!x) return 1;
    for (int k = 0; k < n; k++)
        for (long i = 0; i < r->rows; i++) x[(size_t)k * sizes[0] + (size_t)i] = r->x[i * (1 + r->n) + first + k];
    const int failed = put(mat, Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, PLANE, sizes, x, MAT_F_DONT_COPY_DATA));
    free(x);
    return failed;
}

static matvar_t *make_text(const char *words)
{
    size_t sizes[PLANE] = {1, strlen(words)};
    char *copy = strdup(words); /* Mat_VarCreate() only reads it and makes its own copy */
    matvar_t *variable = copy ? Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, PLANE, sizes, copy, 0) : NULL;
    free(copy);
    return variable;
}

/** Write a cell array of n texts; NULL is written as an empty text. */
static int put_texts(mat_t *mat, const char *name, const char *const *words, int n)
{
    size_t sizes[PLANE] = {1, (size_t)n};
    matvar_t **cells = calloc((size_t)n + 1, sizeof(matvar_t *));
    if (!cells) return 1;
    for (int i = 0; i < n; i++) cells[i] = make_text(words[i] ? words[i] : "");
    const int failed = put(mat, Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, PLANE, sizes, cells, 0));
    free(cells);
    return failed;
}

static int write_all(const cmd_format_data *data, FILE *file)
{
    char header[HEADER], path[PATH];
    snprintf(header, sizeof header, "MATLAB 5.0 MAT-file, made by resida %s", resida_version());
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    mat_t *mat = Mat_CreateVer(path, header, MAT_FT_MAT5);
    if (!mat) return -1;
    int failed = put_numbers(mat, data, "t", 0, 1) || put_numbers(mat, data, "values", 1, data->n) ||
                 put_texts(mat, "columns", data->names, data->n) || put_texts(mat, "units", data->units, data->n);
    if (Mat_Close(mat) != 0) failed = 1;
    return failed ? -1 : 0;
}

extern RESIDA_API const cmd_format resida_format;
const cmd_format resida_format = {sizeof resida_format, write_all};
