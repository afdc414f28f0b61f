/* number.c - strict reading and exact writing of numbers, independent of the locale.
 *
 * strtod() and printf() follow LC_NUMERIC. A locale "C" of the thread overrides setlocale() of the process. 17
 * significant digits determine a double, but most numbers that users type have fewer. */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cmd_number_use_point(void)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) return -1;
    uselocale(c_locale); /* never freed */
    return 0;
}

int cmd_parse_number(const char *word, double *value)
{
    if (word[0] == 0 || strspn(word, "0123456789+-.eE") != strlen(word)) return -1;
    char *end;
    double x = strtod(word, &end);
    if (*end != 0 || !isfinite(x)) return -1;
    *value = x;
    return 0;
}

int cmd_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

const char *cmd_number(const char *format, ...)
{
    static _Thread_local char texts[CMD_NUMBERS + 1][CMD_NUMBER_SIZE];
    static _Thread_local int last;
    va_list arguments;
    last = last < CMD_NUMBERS ? last + 1 : 0;
    va_start(arguments, format);
    vsnprintf(texts[last], CMD_NUMBER_SIZE, format, arguments);
    va_end(arguments);
    return texts[last];
}

const char *cmd_format_or_dash(const char *format, double value)
{
    return isnan(value) ? "-" : cmd_number(format, value);
}

const char *cmd_format_ratio(double value)
{
    return cmd_format_or_dash(fabs(value) < 0.1 ? "%.2g" : "%.2f", value);
}

const char *cmd_format_shortest(double value)
{
    char text[CMD_NUMBER_SIZE];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, CMD_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return cmd_number("%s", text);
}
