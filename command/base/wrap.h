/* wrap.h - words in lines. */
#ifndef BENCH_WRAP_H
#define BENCH_WRAP_H

#include <stdio.h>

/** Words, with blanks between them, in lines of at most `width` characters unless a word has more. */
void bench_wrap(const char *words, int width, FILE *stream);

#endif
