/* text.h - checks texts of models, which are written to messages, tables and files. */
#ifndef RSD_TEXT_H
#define RSD_TEXT_H

/** Check that a text can be displayed. @return NULL if it can; "a control character" or "bytes that are not UTF-8" */
const char *rsd_text_find_defect(const char *text);

/** Return 1 if a text is NULL or "". */
int rsd_text_is_empty(const char *text);

/** Find a name that occurs twice among n names. The names are sorted in place.
 *  @return the repeated name; NULL if all names are different */
const char *rsd_find_duplicate(const char **names, int n);

#endif
