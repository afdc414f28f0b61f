/* number.h - conversion between numbers and text, independent of the locale. */
#ifndef CMD_NUMBER_H
#define CMD_NUMBER_H

/** Size of any text of cmd_format_shortest(). */
#define CMD_NUMBER_SIZE 32

/** Use a decimal point in the calling thread, regardless of environment and plugins. @return 0; -1 if memory is
 *  exhausted */
int cmd_number_use_point(void);

/** Parse a word as a finite number: digits, sign, point, exponent; no blanks, "inf", "nan" or hexadecimal digits.
 *  @return 0; -1 if it is not such a number, and *value is unchanged */
int cmd_parse_number(const char *word, double *value);

/** Compare two doubles for qsort() in ascending order. */
int cmd_by_value(const void *a, const void *b);

/** Format a number, with less than CMD_NUMBER_SIZE characters. @return a text that is valid until the thread has made
 *  CMD_NUMBERS further texts, so that one call can print several of them */
enum { CMD_NUMBERS = 31 };
const char *cmd_number(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Format one number; a NaN gives "-". @return as cmd_number(), or a constant */
const char *cmd_format_or_dash(const char *format, double value);

/** Format a ratio with two decimals, or two digits below 0.1; a NaN gives "-". @return as cmd_format_or_dash() */
const char *cmd_format_ratio(double value);

/** Format a number with the fewest of 6 to 17 digits that determine it. @return as cmd_number() */
const char *cmd_format_shortest(double value);

#endif
