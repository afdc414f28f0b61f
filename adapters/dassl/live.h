/* live.h - the integrations under way. DASSL keeps its state in RWORK and IWORK; here it is kept in a table, and RWORK
 * has a handle, which a program may copy with the array. A program that is done does not say so: of those that wait the
 * ones that were called longest ago are given up when they are very many, or fill the memory. One that is called again
 * is begun anew from its T, Y and YPRIME. */
#ifndef DAS_LIVE_H
#define DAS_LIVE_H

#include "integration.h"

/** Integrations that are kept, those in a call too. */
enum { DAS_MAX = 8192 };

/** What a handle finds. DAS_NOT_THERE: RWORK has none. DAS_COPY: RWORK is a copy that was made at another T, where what
 *  it was copied from goes on. DAS_DIFFERS: an integration of another NEQ, NG or routine. */
typedef enum das_found { DAS_FOUND, DAS_NOT_THERE, DAS_GIVEN_UP, DAS_COPY, DAS_IN_A_CALL, DAS_DIFFERS } das_found;

/** The integration whose handle RWORK has, in a call from now on. frame: the address of the caller's frame. */
das_found das_live_take(const das_call *c, const void *frame, das_integration **x);

/** Take a new one up, in a call; RWORK gets its handle. What the same array held is given up. @return 0; -1: no room */
int das_live_add(das_integration *x, const das_call *c, const void *frame);

/** Its call is over. */
void das_live_release(das_integration *x);

/** Give up the one of this call; RWORK has no handle any more. */
void das_live_drop(das_integration *x, const das_call *c);

#endif
