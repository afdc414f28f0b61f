/* interface.h - what the functions of FMI 2.0 and 3.0 share. */
#ifndef FMU_INTERFACE_H
#define FMU_INTERFACE_H

#include "component.h"

/** Declares an exported function. FMI's headers, which are not needed for a build, declare them elsewhere. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define FMI __attribute__((visibility("default")))

#endif
