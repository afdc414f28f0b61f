/* ida_library.h - memory that SUNDIALS will need, checked before. */
#ifndef RSD_IDA_LIBRARY_H
#define RSD_IDA_LIBRARY_H

#include <resida/status.h>

/** RESIDA_OK; RESIDA_ERR_VERSION: functions of SUNDIALS are those of another library in the process, which is named. */
resida_status rsd_check_sundials_origin(resida_message *why);

/** Is there memory for a context and IDA? Not every small block that SUNContext_Create asks for is checked, and
 *  IDACreate prints when it gets none: where memory is nearly spent they are better not called. */
int rsd_is_memory_to_spare(void);

#endif
