/* data_file.h - a trajectory as a MAT-file (level 5, by matio) or an HDF5 file, written as a whole: t [rows], values
 * [rows x n], and the names and units of the n columns. */
#ifndef BENCH_DATA_FILE_H
#define BENCH_DATA_FILE_H

#include "command/base/out_file.h"
#include "record.h"

/** Does the name end in .mat, in .h5? */
int bench_is_mat(const char *path);
int bench_is_hdf5(const char *path);

/** Can this command write such a file? @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_data_file_check(const char *path);

/** Write the record into the open file of that name.
 *  @return 0; BENCH_EXIT_IO, BENCH_EXIT_FAILED after one complaint, and out is thrown away */
int bench_data_file_write(const bench_record *record, const char *path, bench_out *out);

#endif
