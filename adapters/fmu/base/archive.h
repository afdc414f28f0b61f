/* archive.h - reads the zip file of an FMU, whose content is not trusted. */
#ifndef FMU_ARCHIVE_H
#define FMU_ARCHIVE_H

#include <stddef.h>

#include <resida/status.h>

#include "scratch.h"

/** An open archive whose list of files has been checked. */
typedef struct fmu_archive fmu_archive;

/** Open an archive, and check its list of files: paths must be inside the archive, links and encrypted files are
 *  rejected, sizes are limited. @return NULL on an error, with the reason in `why` */
fmu_archive *fmu_archive_open(const char *path, resida_message *why);
void fmu_archive_close(fmu_archive *a);

/** Read a file into memory, to be freed, with a 0 appended.
 *  @param[out] size  number of bytes without the 0
 *  @return NULL with the reason in `why`, which is "" if the archive has no such file */
char *fmu_archive_read(fmu_archive *a, const char *name, size_t *size, resida_message *why);

/** Return the first file in a folder ("extra/") whose path contains `words` and ends with `end`, or NULL. */
const char *fmu_archive_find(const fmu_archive *a, const char *folder, const char *words, const char *end);

/** Unpack all files in a folder ("resources/"). @return number of files, or -1 with the reason in `why` */
int fmu_archive_unpack(fmu_archive *a, const char *folder, const fmu_scratch *to, resida_message *why);

#endif
