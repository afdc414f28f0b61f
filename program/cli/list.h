/* list.h - words with commas between them, as options have them: "andrews,train". Commas in brackets are of the
 * words: "A[1,2],x". */
#ifndef CMD_LIST_H
#define CMD_LIST_H

/** Is the word one of the list? */
int cmd_list_has(const char *list, const char *word);

/** The next word of a list into text [size], cut to fit; *rest goes on behind it.
 *  @return 1; 0 when there is none left */
int cmd_list_next(const char **rest, char *text, int size);

/** Complain that --option has no such word: with the name of [n] that is near, or with the first `shown` of them.
 *  @return CMD_EXIT_USAGE */
int cmd_list_refuse(const char *word, const char *option, const char *const *names, int n, int shown);

/** Is each word of the list one of the names [n]?
 *  @return 0; CMD_EXIT_USAGE after one complaint about --option */
int cmd_list_check(const char *list, const char *option, const char *const *names, int n);

#endif
