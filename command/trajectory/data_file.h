/* data_file.h - a trajectory as a MAT-file (level 5, by matio) or an HDF5 file, written as a whole: t [rows], values
 * [rows x n], and the names and units of the n columns. */
#ifndef CMD_DATA_FILE_H
#define CMD_DATA_FILE_H

#include "program/files/out_file.h"
#include "record.h"

/** Does the name end in .mat, in .h5? */
int cmd_is_mat(const char *path);
int cmd_is_hdf5(const char *path);

/** Can this command write such a file? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_data_file_check(const char *path);

/** Write the record into the open file of that name.
 *  @return 0; CMD_EXIT_IO, CMD_EXIT_FAILED after one complaint, and out is thrown away */
int cmd_data_file_write(const cmd_record *record, const char *path, cmd_out *out);

#endif
