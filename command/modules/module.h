/* module.h - parts of the command that are loaded where they are needed: shared objects in the folder "resida"
 * beside the library, or beside the library itself, so that the command stands without what they need. */
#ifndef CMD_MODULE_H
#define CMD_MODULE_H

/** The object that a module exports, loaded for good.
 *  @param[in]  file  its name
 *  @param[in]  how   RTLD_LOCAL; RTLD_GLOBAL: its symbols are seen by what it loads itself
 *  @param[out] why   words, with NULL, valid until the next call of a dl function
 *  @return NULL: it is not there */
const void *cmd_module(const char *file, const char *symbol, int how, const char **why);

#endif
