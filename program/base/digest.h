/* digest.h - FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), of bytes and of files. */
#ifndef CMD_DIGEST_H
#define CMD_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/** The initial digest. */
#define CMD_DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

void cmd_digest_add(uint64_t *digest, const void *bytes, size_t n);

/** Add the bytes of a file. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_digest_add_file(uint64_t *digest, const char *path);

#endif
