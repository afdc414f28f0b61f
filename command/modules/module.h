/* module.h - parts of the command that are loaded on demand: shared objects in the folder of the library or in its
 * subfolder "resida". The command runs without the libraries that these parts need. */
#ifndef CMD_MODULE_H
#define CMD_MODULE_H

enum { CMD_MODULE_WHY = 4096, CMD_MODULE_PATH = 4096 };

/** Get the path of a shared object in the folder of the library or its subfolder. It may not exist. */
void cmd_module_path(const char *file, char path[CMD_MODULE_PATH]);

/** Load a module permanently and return the object that it exports.
 *  @param[in]  feature  name of the feature in resida_features.h
 *  @param[in]  file     file name of the module
 *  @param[in]  how      RTLD_LOCAL, or RTLD_GLOBAL if libraries that the module loads need its symbols
 *  @param[out] why      reason if NULL is returned: the package to install, or the option that disabled the feature
 *  @return the object; NULL if it is not available */
const void *cmd_load_module(const char *feature, const char *file, const char *symbol, int how,
                            char why[CMD_MODULE_WHY]);

#endif
