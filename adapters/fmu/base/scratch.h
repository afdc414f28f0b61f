/* scratch.h - a private folder for what has to be a file: the binary of an FMU and its resources.
 *
 * It is removed by fmu_scratch_remove(), and by a process of its own when this one ends in any other way. */
#ifndef FMU_SCRATCH_H
#define FMU_SCRATCH_H

#include <stddef.h>

#include <resida/status.h>

/** A folder. Zeroed: none. */
typedef struct fmu_scratch {
    char *path; /**< NULL: none */
} fmu_scratch;

/** @return 0; -1, the reason in `why`, nothing is left behind */
int fmu_scratch_make(fmu_scratch *s, resida_message *why);

/** "path/name", to be freed; NULL without memory. */
char *fmu_scratch_path(const fmu_scratch *s, const char *name);

/** A new file, and the folders above it that are not there yet. `name` is relative, without "..".
 *  @return its descriptor; -1, the reason in `why` */
int fmu_scratch_file(const fmu_scratch *s, const char *name, resida_message *why);

/** A folder in it. @return 0; -1 */
int fmu_scratch_folder(const fmu_scratch *s, const char *name, resida_message *why);

void fmu_scratch_remove(fmu_scratch *s);

#endif
