/* zip.h - the interface of the module that writes archives: its input, and its object `resida_zip`. */
#ifndef CMD_ZIP_H
#define CMD_ZIP_H

#include <stddef.h>
#include <stdio.h>

/** A file of an archive: bytes in memory, or a file. */
typedef struct cmd_zip_entry {
    const char *name;  /**< path in the archive */
    const char *path;  /**< file to copy; NULL: `bytes` */
    const void *bytes; /**< [size] */
    size_t size;
    unsigned mode; /**< permissions */
} cmd_zip_entry;

typedef struct cmd_zip {
    size_t size; /**< sizeof(cmd_zip) */
    /** Write an archive to an empty file. Entries have no time, so that the same content gives the same bytes.
     *  @param[out] why  [room] reason, "" if errno has it. @return 0; -1 */
    int (*write)(const cmd_zip_entry *entries, int n, FILE *to, char *why, size_t room);
} cmd_zip;

#define CMD_ZIP_SYMBOL "resida_zip"

#endif
