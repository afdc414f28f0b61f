/* number.c - strict, locale-free reading and exact writing of numbers.
 *
 * strtod() and printf() follow LC_NUMERIC; a locale of the thread's own, "C", wins over setlocale() of the process.
 * A double is determined by 17 significant digits, and most numbers that people type by far fewer. */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_number_use_point(void)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) return -1;
    uselocale(c_locale); /* lives as long as the process */
    return 0;
}

int bench_parse_number(const char *word, double *value)
{
    if (word[0] == 0 || strspn(word, "0123456789+-.eE") != strlen(word)) return -1;
    char *end;
    double x = strtod(word, &end);
    if (*end != 0 || !isfinite(x)) return -1;
    *value = x;
    return 0;
}

int bench_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

const char *bench_number(const char *format, ...)
{
    static _Thread_local char texts[BENCH_NUMBERS + 1][BENCH_NUMBER_SIZE];
    static _Thread_local int last;
    va_list arguments;
    last = last < BENCH_NUMBERS ? last + 1 : 0;
    va_start(arguments, format);
    vsnprintf(texts[last], BENCH_NUMBER_SIZE, format, arguments);
    va_end(arguments);
    return texts[last];
}

const char *bench_figure(const char *format, double value)
{
    return isnan(value) ? "-" : bench_number(format, value);
}

const char *bench_shortest(double value)
{
    char text[BENCH_NUMBER_SIZE];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, BENCH_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return bench_number("%s", text);
}
