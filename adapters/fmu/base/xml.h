/* xml.h - elements of an XML file, one after another. */
#ifndef FMU_XML_H
#define FMU_XML_H

#include <stddef.h>
#include <stdint.h>

#include <resida/status.h>

/** An element begins, in a line of the file; names are without their prefix. depth 1: the root.
 *  @return 0; else the reading ends */
typedef int fmu_element_fn(void *self, long line, int depth, const char *name, const char **attributes);

/** Read a whole file. Document types, and with them entities, are refused.
 *  @param[in] begin  called for each element
 *  @return 0; -1: the reason is in `why` with its line, that of `begin` if it ended the reading */
int fmu_xml_read(const char *bytes, size_t size, fmu_element_fn *begin, void *self, resida_message *why);

/** Value of an attribute; NULL: there is none. */
const char *fmu_attribute(const char **attributes, const char *name);

/** The same as a number; 0: it is not there; -1: it is none. */
int fmu_attribute_double(const char **attributes, const char *name, double *value);
int fmu_attribute_reference(const char **attributes, const char *name, uint32_t *value);

/** 1: there and true. */
int fmu_attribute_flag(const char **attributes, const char *name);

/** The next number of a list separated by blanks; 1: *value, 0: the end, -1: it is none. No number depends on a
 *  locale. */
int fmu_next_double(const char **list, double *value);
int fmu_next_reference(const char **list, uint32_t *value);

#endif
