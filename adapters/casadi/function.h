/* function.h - a function of CasADi's generated C: of what sizes it is, where its outputs have entries, and its
 * values. The interface is that of the generated code (CasADi's user guide): f(arg, res, iw, w, mem), f_work, f_n_in,
 * f_n_out, f_sparsity_in, f_sparsity_out, f_name_in, f_default_in, f_incref, f_decref, f_checkout, f_release. Only f,
 * sizes and sparsities have to be there. */
#ifndef CSD_FUNCTION_H
#define CSD_FUNCTION_H

#include <resida/mechanism.h>

typedef long long csd_int; /* casadi_int as it is generated */

enum { CSD_MAX_INPUTS = 64, CSD_MAX_OUTPUTS = 512 };

/** An output as a matrix by rows. */
typedef struct csd_output {
    int rows, columns, entries;
    int *row;    /**< [rows + 1] start of each row in column */
    int *column; /**< [entries] */
    int *from;   /**< [entries] place of each entry in CasADi's order, by columns */
    double *res; /**< [entries] in that order */
} csd_output;

/** One function. Zeroed: not there. */
typedef struct csd_function {
    char name[64];
    int n_in, n_out;
    int rows_in[CSD_MAX_INPUTS], columns_in[CSD_MAX_INPUTS], entries_in[CSD_MAX_INPUTS];
    csd_output *out; /**< [n_out] */
    int (*call)(const double **arg, double **res, csd_int *iw, double *w, int mem);
    const char *(*name_in)(csd_int i);
    double (*default_in)(csd_int i);
    void (*release)(int mem);
    void (*decref)(void);
    int mem;
    const double **arg;
    double **res;
    csd_int *iw;
    double *w;
} csd_function;

/** Find a function in a loaded object.
 *  @return 1: it is there; 0: it is not; < 0: it is not one of CasADi's, or too large, said in `why` */
int csd_function_find(csd_function *f, void *library, const char *name, resida_message *why);

void csd_function_free(csd_function *f);

/** The name of an input. NULL: it has none, or the one that CasADi counts, "i4". */
const char *csd_function_name_in(const csd_function *f, int i);

/** Evaluate: inputs [n_in], dense vectors (NULL: zeros); outputs of `wanted` (bit i: output i) are in out[i].res.
 *  @return 0; else what the function returned */
int csd_function_call(csd_function *f, const double *const *inputs, unsigned long long wanted);

/** Output i as a dense vector or matrix, row by row. */
void csd_output_dense(const csd_output *o, double *values);

/** The values in the order of its pattern. */
void csd_output_values(const csd_output *o, double *values);

/** Its pattern; full matrices have none. */
resida_pattern csd_output_pattern(const csd_output *o);

#endif
