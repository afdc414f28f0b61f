/* ida_library.h - memory that SUNDIALS is going to need, asked for before. */
#ifndef RSD_IDA_LIBRARY_H
#define RSD_IDA_LIBRARY_H

/** Is there memory for a context and IDA? Not every small block that SUNContext_Create asks for is checked, and
 *  IDACreate prints when it gets none: where memory is nearly spent they are better not called. */
int rsd_is_memory_to_spare(void);

#endif
