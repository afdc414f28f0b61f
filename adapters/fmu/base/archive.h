/* archive.h - an FMU is a zip file, made by a stranger. */
#ifndef FMU_ARCHIVE_H
#define FMU_ARCHIVE_H

#include <stddef.h>

#include <resida/status.h>

#include "scratch.h"

/** An open archive whose list of files is in order. */
typedef struct fmu_archive fmu_archive;

/** Open it, and look at its list: no path that leaves a folder, no link, no size beyond reason, nothing encrypted.
 *  @return NULL: the reason is in `why` */
fmu_archive *fmu_archive_open(const char *path, resida_message *why);
void fmu_archive_close(fmu_archive *a);

/** A file of it in memory, to be freed, closed by a 0 that does not count.
 *  @param[out] size  its bytes
 *  @return NULL: the reason is in `why`; "" there: the archive has no such file */
char *fmu_archive_read(fmu_archive *a, const char *name, size_t *size, resida_message *why);

/** Name of the first file below a folder ("extra/") whose path has these words, and ends so; NULL: none. */
const char *fmu_archive_find(const fmu_archive *a, const char *folder, const char *words, const char *end);

/** Unpack all files below a folder ("resources/"). @return how many; -1, the reason in `why` */
int fmu_archive_unpack(fmu_archive *a, const char *folder, const fmu_scratch *to, resida_message *why);

#endif
