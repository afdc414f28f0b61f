/* xacro.h - expands the macros of a description by the command xacro. */
#ifndef URD_XACRO_H
#define URD_XACRO_H

#include <string>

/** Return the expanded text of a file.
 *  @throws std::runtime_error, one line: xacro is not installed, or its error */
std::string urd_expand_macros(const std::string &path);

#endif
