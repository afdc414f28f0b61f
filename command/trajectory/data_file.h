/* data_file.h - a trajectory as a MAT-file (level 5, with matio) or an HDF5 file, written after the run: t [rows],
 * values [rows x n], and the names and units of the n columns. */
#ifndef CMD_DATA_FILE_H
#define CMD_DATA_FILE_H

#include "program/files/out_file.h"
#include "record.h"

/** Return 1 if the path ends in .mat, or in .h5. */
int cmd_is_mat(const char *path);
int cmd_is_hdf5(const char *path);

/** Check that this command can write such a file. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_data_file_check(const char *path);

/** Write the record to the open file `out`, in the format of its path. @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED after
 *  one complaint; then out is discarded */
int cmd_data_file_write(const cmd_record *record, const char *path, cmd_out *out);

#endif
