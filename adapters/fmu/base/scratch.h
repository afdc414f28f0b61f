/* scratch.h - a private folder for data that must be in files: the binary of an FMU and its resources.
 *
 * The folder is removed by fmu_scratch_remove(), or by a separate process if this process ends without removing it. */
#ifndef FMU_SCRATCH_H
#define FMU_SCRATCH_H

#include <stdio.h>

#include <resida/status.h>

/** A folder. All members are zero if there is none. */
typedef struct fmu_scratch {
    char *path; /**< NULL: none */
} fmu_scratch;

/** Make a folder. @return 0, or -1 with the reason in `why`; after a failure nothing remains to be removed */
int fmu_scratch_make(fmu_scratch *s, resida_message *why);

/** Return "path/name", to be freed, or NULL if there is no memory. */
char *fmu_scratch_path(const fmu_scratch *s, const char *name);

/** Make a new file, and missing folders above it. `name` is relative and must not contain "..".
 *  @return the file, or NULL with the reason in `why` */
FILE *fmu_scratch_file(const fmu_scratch *s, const char *name, resida_message *why);

/** Make a folder in the scratch folder. @return 0, or -1 on an error */
int fmu_scratch_folder(const fmu_scratch *s, const char *name, resida_message *why);

void fmu_scratch_remove(fmu_scratch *s);

#endif
