/* foreign_sundials.h - see foreign_sundials.c. */
#ifndef RESIDA_TEST_FOREIGN_SUNDIALS_H
#define RESIDA_TEST_FOREIGN_SUNDIALS_H

/** 1. Called, so that the library is linked. */
int foreign_is_here(void);

#endif
