/* list.h - words with commas between them, as options have them: "andrews,train". */
#ifndef BENCH_LIST_H
#define BENCH_LIST_H

/** Is the word one of the list? */
int bench_list_has(const char *list, const char *word);

/** The next word of a list into text [size], cut to fit; *rest goes on behind it.
 *  @return 1; 0 when there is none left */
int bench_list_next(const char **rest, char *text, int size);

/** Complain that --option has no such word: with the name of [n] that is near, or with the first `shown` of them.
 *  @return BENCH_EXIT_USAGE */
int bench_list_refuse(const char *word, const char *option, const char *const *names, int n, int shown);

/** Is each word of the list one of the names [n]?
 *  @return 0; BENCH_EXIT_USAGE after one complaint about --option */
int bench_list_check(const char *list, const char *option, const char *const *names, int n);

#endif
