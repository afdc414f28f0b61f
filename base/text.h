/* text.h - texts of models, which end up in messages, tables and files. */
#ifndef RSD_TEXT_H
#define RSD_TEXT_H

/** What a text must not have: "a control character", "bytes that are not UTF-8"; NULL when it is fine. */
const char *rsd_text_defect(const char *text);

/** 1: NULL, or "". */
int rsd_text_is_empty(const char *text);

/** Sort names, so that the same ones are neighbours: files of other tools have ten thousands of them.
 *  @return one that is there twice; NULL: none is */
const char *rsd_text_find_twice(const char **names, int n);

#endif
