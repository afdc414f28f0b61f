/* origin.h - finds the file from which code or data was loaded. */
#ifndef RSD_ORIGIN_H
#define RSD_ORIGIN_H

#include <stdint.h>

/** Return the file that contains the code or data at an address, or "" if it is not known, as in a static program.
 *  @param[out] base  address at which the file is mapped; may be NULL */
const char *rsd_find_file(uintptr_t address, void **base);

/** Return the address that the global symbol `name` resolves to in the default search order, or 0 if there is none. */
uintptr_t rsd_find_symbol_address(const char *name);

#endif
