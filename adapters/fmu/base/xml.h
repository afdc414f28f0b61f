/* xml.h - reads the elements of an XML file in order. */
#ifndef FMU_XML_H
#define FMU_XML_H

#include <stddef.h>
#include <stdint.h>

#include <resida/status.h>

#include "archive.h"

/** Called at the start of an element. line: line number; depth: 1 for the root. Names have no namespace prefix.
 *  @return 0 to continue, nonzero to stop reading */
typedef int fmu_element_fn(void *self, long line, int depth, const char *name, const char **attributes);

/** Read a file of an archive. Document types, and thus entities, are rejected.
 *  @param[in] begin  called for each element
 *  @return 0, or -1 with the reason and its line in `why`; if `begin` stopped reading, with its reason */
int fmu_xml_read(fmu_archive *a, const char *file, fmu_element_fn *begin, void *self, resida_message *why);

/** Return 1 if two texts are equal; the first may be NULL. */
int fmu_are_equal(const char *a, const char *b);

/** Return the value of an attribute, or NULL if there is none. */
const char *fmu_attribute(const char **attributes, const char *name);

/** Convert an attribute to a number. @return 1 on success, 0 if there is no such attribute, -1 if it is not a number */
int fmu_attribute_double(const char **attributes, const char *name, double *value);
int fmu_attribute_reference(const char **attributes, const char *name, uint32_t *value);

/** Convert a text to a number, independently of the locale. @return 1 on success, -1 if it is not one number */
int fmu_read_double(const char *text, double *value);

/** Return 1 if the attribute exists and is true. */
int fmu_attribute_flag(const char **attributes, const char *name);

/** Read the next number of a list separated by blanks, independently of the locale. @return 1 on success, 0 at the end
 *  of the list, -1 if it is not a number */
int fmu_next_double(const char **list, double *value);
int fmu_next_reference(const char **list, uint32_t *value);

#endif
