/* number.h - numbers from words and back, the same in every country. */
#ifndef CMD_NUMBER_H
#define CMD_NUMBER_H

/** Room for every text of cmd_shortest(). */
#define CMD_NUMBER_SIZE 32

/** The calling thread reads and writes numbers with a decimal point from now on, whatever the environment or a plugin
 *  sets. @return 0; -1 without memory */
int cmd_number_use_point(void);

/** A finite number that fills the whole word: digits, sign, point, exponent; no blanks, "inf", "nan" or hexadecimal.
 *  @return 0; -1 and *value untouched if the word is none */
int cmd_parse_number(const char *word, double *value);

/** qsort() of doubles: rising. */
int cmd_by_value(const void *a, const void *b);

/** A number as the format has it, shorter than CMD_NUMBER_SIZE. @return a text that lasts until the thread has made
 *  CMD_NUMBERS others, so that a call can print many of them */
enum { CMD_NUMBERS = 31 };
const char *cmd_number(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A number by a format for one; "-": it is a NaN. @return likewise, or a constant */
const char *cmd_figure(const char *format, double value);

/** A ratio: two decimals, below 0.1 two digits; "-": it is a NaN. @return likewise */
const char *cmd_ratio(double value);

/** The fewest of 6 to 17 digits that read back to the same number. @return as cmd_number() */
const char *cmd_shortest(double value);

#endif
