/* completion.h - scripts by which shells complete command lines. */
#ifndef BENCH_COMPLETION_H
#define BENCH_COMPLETION_H

#include <stdio.h>

/** A function for bash, and one for zsh. @return 0; -1 without memory */
int bench_completion_bash(FILE *stream);
int bench_completion_zsh(FILE *stream);

#endif
