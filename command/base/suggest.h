/* suggest.h - the name that was probably meant. */
#ifndef BENCH_SUGGEST_H
#define BENCH_SUGGEST_H

/** The nearest of the names [n] by edit distance; NULL when none is close (at most a third of the letters, at least
 *  one, may differ). A name may be NULL. */
const char *bench_nearest(const char *word, const char *const *names, int n);

#endif
