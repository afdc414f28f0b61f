/* csr_product.h - C = A B and A' of matrices with patterns by rows; G = (dg/dp) T is one. */
#ifndef RSD_CSR_PRODUCT_H
#define RSD_CSR_PRODUCT_H

#include "csr.h"

/** The pattern of A B: row i has the columns of all rows of B that row i of A has. Time grows with the number of
 *  products. C is zero on failure. @return RESIDA_OK; RESIDA_ERR_MEMORY, without a message */
resida_status rsd_csr_product_create(rsd_csr *C, const rsd_csr *A, const rsd_csr *B, const resida_allocator *alloc);

/** c = values of A B in the pattern of C. work [columns of B], left as it comes. */
void rsd_csr_product(const rsd_csr *C, double *c, const rsd_csr *A, const double *a, const rsd_csr *B, const double *b,
                     double *work);

/** The pattern of A'. @return as rsd_csr_product_create() */
resida_status rsd_csr_transposed(rsd_csr *C, const rsd_csr *A, const resida_allocator *alloc);

#endif
