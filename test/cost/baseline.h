/* baseline.h - a committed table of figures that may not grow unseen: a text file with a line for each case, read,
 * judged against what is measured now, and written anew. */
#ifndef RESIDA_TEST_BASELINE_H
#define RESIDA_TEST_BASELINE_H

#include <stddef.h>

enum { BASELINE_MAX_ROWS = 64, BASELINE_MAX_FIGURES = 8, BASELINE_KEY = 80, BASELINE_TEXT = 8192 };

/** What counts as slower, and as faster [percent]. */
#define BASELINE_PERCENT 3.0

/** A line: what was run, and its figures. A loose figure stands in parentheses in the file. */
typedef struct baseline_row {
    char key[BASELINE_KEY];
    double figure[BASELINE_MAX_FIGURES];
    int loose[BASELINE_MAX_FIGURES]; /**< 1: not judged by itself */
} baseline_row;

/** A table. The first three are set by its user before anything else. */
typedef struct baseline {
    const char *heading;        /**< comments of the file, each line with a '#' */
    const char *const *columns; /**< n_words + n_figures names */
    int n_words, n_figures;     /**< words of a key, figures */
    int n_rows;
    baseline_row row[BASELINE_MAX_ROWS];
} baseline;

/** Read a file into the rows. @param[out] why [BASELINE_TEXT] @return 0; -1: it is not there or not such a table */
int baseline_read(baseline *b, const char *path, char *why);

/** Write it, columns aligned. @return 0, -1 with errno */
int baseline_write(const baseline *b, const char *path);

/** The row of a key; NULL when there is none. */
const baseline_row *baseline_find(const baseline *b, const char *key);

/** The figures that have grown (sign 1) or fallen (sign -1) by more than BASELINE_PERCENT, each by name, old and new
 *  value. A case that the table does not have, or whose figure was 0, counts as grown.
 *  @param[out] text [BASELINE_TEXT] @return their number */
int baseline_judge(const baseline *then, const baseline *now, int sign, char *text);

/** The test ends, all figures listed, where baseline_judge() finds any.
 *  @param table, advice  named in the message: the file, and how to renew it */
void baseline_expect_none(const baseline *then, const baseline *now, int sign, const char *table, const char *advice);

/** The increase of the rows from `first` on over `then`, in the geometric mean [percent], by figure k. Both tables have
 *  the same rows, and figures above 0. */
double baseline_mean_percent(const baseline *then, const baseline *now, int first, int k);

#endif
