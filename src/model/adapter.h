/* adapter.h - which adapter reads a file, and where it is. */
#ifndef RSD_ADAPTER_H
#define RSD_ADAPTER_H

#include <resida/adapter.h>

#include "src/base/memory.h"

/** What a word that may name a file means. */
typedef struct rsd_file_kind {
    const char *file;    /**< path within the word; NULL: the word is the name of a model */
    const char *adapter; /**< name of the adapter; NULL: a plugin */
} rsd_file_kind;

rsd_file_kind rsd_file_kind_of(const char *word);

/** Path of the shared object of an adapter, which need not be there. @return to be freed; NULL without memory */
char *rsd_adapter_path(const resida_allocator *a, const char *adapter);

/** Magic, ABI number, struct sizes and callbacks.
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why` */
resida_status rsd_adapter_check(const resida_adapter *adapter, resida_message *why);

#endif
