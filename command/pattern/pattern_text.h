/* pattern_text.h - a pattern as text. */
#ifndef CMD_PATTERN_TEXT_H
#define CMD_PATTERN_TEXT_H

#include "program/pattern/pattern.h"

/** Write the sizes and, if n <= CMD_PATTERN_TEXT_MAX, the entries as letters. */
void cmd_pattern_text(const cmd_pattern_work *pattern, FILE *stream);

#endif
