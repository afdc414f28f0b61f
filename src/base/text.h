/* text.h - texts of models, which end up in messages, tables and files. */
#ifndef RSD_TEXT_H
#define RSD_TEXT_H

/** What a text must not have: "a control character", "bytes that are not UTF-8"; NULL when it is fine. */
const char *rsd_text_defect(const char *text);

#endif
