/* text.h - checks texts of models, which are written to messages, tables and files. */
#ifndef RSD_TEXT_H
#define RSD_TEXT_H

/** Returns the defect of a text, "a control character" or "bytes that are not UTF-8", or NULL if it has none. */
const char *rsd_text_defect(const char *text);

/** Returns 1 if text is NULL or "". */
int rsd_text_is_empty(const char *text);

/** Sort names and find equal ones, which are then adjacent. Files of other tools have ten thousands of names.
 *  @return a name that occurs twice; NULL if there is none */
const char *rsd_text_find_twice(const char **names, int n);

#endif
