/* fail.c - see fail.h. */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

int adapter_fail(resida_message *why, const char *format, ...)
{
    if (!why) return -1;
    va_list rest;
    va_start(rest, format);
    vsnprintf(why->text, sizeof why->text, format, rest);
    va_end(rest);
    for (char *c = why->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = ' ';
    return -1;
}
