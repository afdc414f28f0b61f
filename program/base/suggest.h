/* suggest.h - the name that was probably meant. */
#ifndef CMD_SUGGEST_H
#define CMD_SUGGEST_H

/** The nearest of the names [n] by edit distance; NULL when none is close (at most a third of the letters, at least
 *  one, may differ). A name may be NULL. */
const char *cmd_nearest(const char *word, const char *const *names, int n);

#endif
