/* plugin_thrower.h - the callbacks of plugin_thrower.cpp, by their number. For C and C++. */
#ifndef RESIDA_TEST_PLUGIN_THROWER_H
#define RESIDA_TEST_PLUGIN_THROWER_H

enum {
    CREATE,
    RESIDUAL,
    CONSTRAINT,
    MATRIX,
    BIAS,
    ACCELERATION_BIAS,
    MASS,
    EXCITATION,
    REFERENCE,
    DESTROY,
    N_CALLBACKS
};

#endif
