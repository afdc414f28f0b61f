/* digest.h - FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), of bytes and of files. */
#ifndef BENCH_DIGEST_H
#define BENCH_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/** The digest of nothing, to be added to. */
#define BENCH_DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

void bench_digest_add(uint64_t *digest, const void *bytes, size_t n);

/** Add the bytes of a file. @return 0; BENCH_EXIT_IO after one complaint */
int bench_digest_add_file(uint64_t *digest, const char *path);

#endif
