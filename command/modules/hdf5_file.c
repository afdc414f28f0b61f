/* hdf5_file.c - a module that writes the data sets /t, /values, /columns, /units with HDF5, in memory because HDF5
 * cannot write to an unnamed file. There are no time stamps, so that the same run gives the same file. */
#include "format.h"

#include <hdf5.h>
#include <resida/status.h>
#include <stdlib.h>

enum { PLANE = 2, GROWTH = 1 << 20 }; /* dimensions of a matrix; increment in bytes by which a file in memory grows */

/** Write a data set of the given space and type from data with the memory layout `memory`. */
static int put(hid_t file, const char *name, hid_t type, hid_t space, hid_t memory, const void *data)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, 0);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const int failed = set < 0 || H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) < 0;
    const int is_open = set >= 0 && H5Dclose(set) < 0;
    H5Pclose(how);
    return failed || is_open;
}

/** Write columns first .. first + n - 1 of all rows. A single column is written as a vector. */
static int put_numbers(hid_t file, const cmd_format_data *r, const char *name, int first, int n, int rank)
{
    const hsize_t sizes[PLANE] = {(hsize_t)r->rows, (hsize_t)n};
    const hsize_t all[PLANE] = {(hsize_t)r->rows, (hsize_t)(1 + r->n)}, from[PLANE] = {0, (hsize_t)first};
    const hid_t space = H5Screate_simple(rank, sizes, NULL), memory = H5Screate_simple(PLANE, all, NULL);
    const int is_empty = r->rows == 0 || n == 0;
    int failed = space < 0 || memory < 0;
    if (!failed && is_empty)
        failed = H5Sselect_none(memory) < 0 || H5Sselect_none(space) < 0;
    else if (!failed)
        failed = H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, sizes, NULL) < 0;
    failed = failed || put(file, name, H5T_NATIVE_DOUBLE, space, memory, r->x);
    H5Sclose(memory);
    H5Sclose(space);
    return failed;
}

/** Write a vector of texts; NULL is written as an empty text. */
static int put_texts(hid_t file, const char *name, const char *const *words, int n)
{
    const hsize_t size = (hsize_t)n;
    const char **filled = calloc((size_t)n + 1, sizeof *filled);
    if (!filled) return 1;
    for (int i = 0; i < n; i++) filled[i] = words[i] ? words[i] : "";
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const int failed = put(file, name, type, space, space, filled);
    H5Sclose(space);
    H5Tclose(type);
    free(filled);
    return failed;
}

static int put_all(hid_t file, const cmd_format_data *data)
{
    return put_numbers(file, data, "t", 0, 1, 1) || put_numbers(file, data, "values", 1, data->n, PLANE) ||
           put_texts(file, "columns", data->names, data->n) || put_texts(file, "units", data->units, data->n) ||
           H5Fflush(file, H5F_SCOPE_GLOBAL) < 0;
}

/** Write the bytes of a file in memory to `file`. */
static int put_image(hid_t image, FILE *file)
{
    const ssize_t size = H5Fget_file_image(image, NULL, 0);
    char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes) return 1;
    const int failed = H5Fget_file_image(image, bytes, (size_t)size) != size ||
                       fwrite(bytes, 1, (size_t)size, file) != (size_t)size || fflush(file) != 0;
    free(bytes);
    return failed;
}

static int write_all(const cmd_format_data *data, FILE *file)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the caller reports errors */
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(how, GROWTH, 0);
    const hid_t image = H5Fcreate("trajectory", H5F_ACC_TRUNC, H5P_DEFAULT, how);
    H5Pclose(how);
    if (image < 0) return -1;
    int failed = put_all(image, data) || put_image(image, file);
    if (H5Fclose(image) < 0) failed = 1;
    return failed ? -1 : 0;
}

extern RESIDA_API const cmd_format resida_format;
const cmd_format resida_format = {sizeof resida_format, write_all};
