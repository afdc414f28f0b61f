/* run_model.h - integrates a built-in model for a test and says how far it is from its reference. */
#ifndef RESIDA_TEST_RUN_MODEL_H
#define RESIDA_TEST_RUN_MODEL_H

#include <resida/resida.h>

/** What to run. Zero fields mean defaults: form "auto", the model's own tolerances and end, 100 outputs. */
typedef struct run_order {
    const char *model, *form, *jacobian;
    const char *parameter; /* one parameter to set, or NULL */
    double value;
    resida_formalism formalism;
    double rtol, atol, t_end, newton_tolerance;
    int outputs;
    int all_orders;         /* 1: stability does not limit the order */
    double gamma, penalty;  /* of the formulation */
    const char *projection; /* NULL: default */
    int step_projection;
} run_order;

/** What came out. Errors are against the reference of the model; NaN without one. */
typedef struct run_result {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE];
    int n_p, n_v, n_l, outputs;
    double *p;      /* [outputs x n_p] positions (y of a general DAE) at the outputs */
    double *lam;    /* [n_l] at the end */
    double error_p; /* largest |p - ref| */
    double scd_p;   /* -log10 of the largest relative error of a component */
    double mescd_p; /* -log10 of the largest |p - ref|/(1 + |ref|) */
    double error_v;
    double drift_g;  /* largest |g| at the outputs */
    double drift_gv; /* largest |G v + gI| there */
    resida_stats stats;
} run_result;

/** Integrate; ends the test if the model or the solver cannot be made. Free with run_free(). */
run_result run_model(run_order order);
void run_free(run_result *r);

#endif
