/* elf_check.h - looks at a shared object as data, before the loader does. */
#ifndef RSD_ELF_CHECK_H
#define RSD_ELF_CHECK_H

#include <stddef.h>

#include <resida/status.h>

/** A path as it stands in messages: its end, when it is long. */
typedef struct rsd_shown_path {
    char text[112];
} rsd_shown_path;

rsd_shown_path rsd_path_shown(const char *path);

/** Is the file a whole shared object for this machine that exports a data object called `symbol`? Nothing of it is
 *  run or mapped.
 *  @param[out] head   [head_size] the first bytes of the object, as they stand in the file (before relocation)
 *  @param[out] bytes  size of the object, >= head_size
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why`, head and bytes undefined
 *  Cost: a few hundred reads of a few bytes, no memory. */
resida_status rsd_elf_check(const char *path, const char *symbol, void *head, size_t head_size, size_t *bytes,
                            resida_message *why);

#endif
