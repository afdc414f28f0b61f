/* wrap.h - words in lines. */
#ifndef CMD_WRAP_H
#define CMD_WRAP_H

#include <stdio.h>

/** Words, with blanks between them, in lines of at most `width` characters unless a word has more. */
void cmd_wrap(const char *words, int width, FILE *stream);

#endif
