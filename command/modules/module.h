/* module.h - parts of the command that are loaded where they are needed: shared objects in the folder "resida"
 * beside the library, or beside the library itself, so that the command stands without what they need. */
#ifndef CMD_MODULE_H
#define CMD_MODULE_H

enum { CMD_MODULE_WHY = 4096 };

/** The object that a module exports, loaded for good.
 *  @param[in]  feature  that the module is for, in resida_features.h
 *  @param[in]  file     its name
 *  @param[in]  how      RTLD_LOCAL; RTLD_GLOBAL: its symbols are seen by what it loads itself
 *  @param[out] why      words, with NULL: with what to install, or the option that disabled it
 *  @return NULL: it is not there */
const void *cmd_module(const char *feature, const char *file, const char *symbol, int how, char why[CMD_MODULE_WHY]);

#endif
