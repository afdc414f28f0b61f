/* manual.h - the manual page. */
#ifndef BENCH_MANUAL_H
#define BENCH_MANUAL_H

#include <stdio.h>

/** resida(1) as macros of man(7). @return 0; -1 without memory */
int bench_manual_write(FILE *stream);

#endif
