/* list.h - lists of words separated by commas, as values of options: "andrews,train". Commas in brackets belong to
 * words: "A[1,2],x". */
#ifndef CMD_LIST_H
#define CMD_LIST_H

/** Return 1 if the word is in the list. */
int cmd_list_has(const char *list, const char *word);

/** Copy the next word of a list to text [size], truncated if necessary, and advance *rest. @return 1; 0 at the end of
 *  the list */
int cmd_list_next(const char **rest, char *text, int size);

/** Complain that --option does not accept a word. Suggest a similar name of [n], or list the first `shown` names.
 *  @return CMD_EXIT_USAGE */
int cmd_list_refuse(const char *word, const char *option, const char *const *names, int n, int shown);

/** Check that each word of the list is one of the names [n].
 *  @return 0; CMD_EXIT_USAGE after one complaint about --option */
int cmd_list_check(const char *list, const char *option, const char *const *names, int n);

#endif
