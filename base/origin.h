/* origin.h - which file code or data comes from. */
#ifndef RSD_ORIGIN_H
#define RSD_ORIGIN_H

#include <stdint.h>

/** The file that has what is at an address; "" when that is not known, as in a static program.
 *  @param[out] base  where the file is mapped; NULL: not wanted */
const char *rsd_file_at(uintptr_t address, void **base);

/** Where the name leads that code outside of all files would use; 0: nowhere. */
uintptr_t rsd_first_of_name(const char *name);

#endif
