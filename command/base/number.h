/* number.h - numbers from words and back, the same in every country. */
#ifndef BENCH_NUMBER_H
#define BENCH_NUMBER_H

/** Room for every text of bench_shortest(). */
#define BENCH_NUMBER_SIZE 32

/** The calling thread reads and writes numbers with a decimal point from now on, whatever the environment or a plugin
 *  sets. @return 0; -1 without memory */
int bench_number_use_point(void);

/** A finite number that fills the whole word: digits, sign, point, exponent; no blanks, "inf", "nan" or hexadecimal.
 *  @return 0; -1 and *value untouched if the word is none */
int bench_parse_number(const char *word, double *value);

/** The fewest of 6 to 17 digits that read back to the same number. @return text */
const char *bench_shortest(double value, char text[BENCH_NUMBER_SIZE]);

#endif
