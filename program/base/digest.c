/* digest.c - see digest.h. */
#include "digest.h"

#include "complain.h"

#include <stdio.h>

#define PRIME UINT64_C(0x100000001b3)
enum { BLOCK = 65536 };

void cmd_digest_add(uint64_t *digest, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) *digest = (*digest ^ b[i]) * PRIME;
}

int cmd_digest_add_file(uint64_t *digest, const char *path)
{
    unsigned char block[BLOCK];
    FILE *f = fopen(path, "rb");
    if (!f) return cmd_complain_unread(path);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) cmd_digest_add(digest, block, n);
    const int failed = ferror(f);
    fclose(f);
    return failed ? cmd_complain_unread(path) : 0;
}
