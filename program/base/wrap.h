/* wrap.h - line wrapping of text. */
#ifndef CMD_WRAP_H
#define CMD_WRAP_H

#include <stdio.h>

/** Write words, separated by blanks, in lines of at most `width` characters. A longer word has its own line. */
void cmd_wrap(const char *words, int width, FILE *stream);

#endif
