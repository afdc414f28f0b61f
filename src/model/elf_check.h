/* elf_check.h - looks at a shared object as data, before the loader does. */
#ifndef RSD_ELF_CHECK_H
#define RSD_ELF_CHECK_H

#include <resida/status.h>

/** A path as it stands in messages: its end, when it is long. */
typedef struct rsd_shown_path {
    char text[112];
} rsd_shown_path;

rsd_shown_path rsd_path_shown(const char *path);

/** Is the file a whole shared object for this machine? Nothing of it is run or mapped.
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why`
 *  Cost: a hundred reads of a few bytes, no memory. */
resida_status rsd_elf_check(const char *path, resida_message *why);

#endif
