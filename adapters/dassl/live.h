/* live.h - a table of the integrations in progress. DASSL keeps its state in RWORK and IWORK. Here RWORK contains a
 * handle to the table, which a program may copy with the array. Programs do not report the end of an integration. If
 * there are too many integrations, or their memory exceeds the limit, those with the oldest calls are discarded. A
 * discarded integration restarts from T, Y and YPRIME of its next call. */
#ifndef DAS_LIVE_H
#define DAS_LIVE_H

#include "integration.h"

/** Maximum number of integrations in the table, including those in a call. */
enum { DAS_MAX = 8192 };

/** Result of the search for a handle. DAS_NOT_THERE: RWORK contains no handle. DAS_GIVEN_UP: the integration was
 *  discarded. DAS_COPY: RWORK is a copy with another T than its integration. DAS_IN_A_CALL: the integration is in a
 *  call. DAS_DIFFERS: the integration has another NEQ, NG or routine. */
typedef enum das_found { DAS_FOUND, DAS_NOT_THERE, DAS_GIVEN_UP, DAS_COPY, DAS_IN_A_CALL, DAS_DIFFERS } das_found;

/** Find the integration whose handle RWORK contains, and mark it as in a call. frame: address of the caller's frame. */
das_found das_live_find(const das_call *c, const void *frame, das_integration **x);

/** Add a new integration, marked as in a call, and write its handle to RWORK. An earlier integration of the same RWORK
 *  is discarded. @return 0, or -1 if the table is full */
int das_live_add(das_integration *x, const das_call *c, const void *frame);

/** Mark the call of an integration as ended. */
void das_live_release(das_integration *x);

/** Discard the integration of this call, and remove the handle from RWORK. */
void das_live_discard(das_integration *x, const das_call *c);

#endif
