/* suggest.h - finds the names that a word stands for, or a name for a misspelled word. */
#ifndef CMD_SUGGEST_H
#define CMD_SUGGEST_H

/** Return the name of names [n] with the smallest edit distance to the word, or NULL. At most a third of the letters
 *  may differ, or one letter in short words. A name may be NULL. */
const char *cmd_nearest(const char *word, const char *const *names, int n);

/** Return 1 if the pattern `word` matches the name: * and ? match any letters, brackets are literal. */
int cmd_word_matches(const char *word, const char *name);

#endif
