/* distribution.h - named distributions, given by their quantiles: x = F^-1(u), 0 < u < 1. */
#ifndef CMD_DISTRIBUTION_H
#define CMD_DISTRIBUTION_H

enum { CMD_DISTRIBUTION_MEMBERS = 3 };

/** A kind of distribution. */
typedef struct cmd_distribution {
    const char *name;
    const char *members[CMD_DISTRIBUTION_MEMBERS]; /**< names of its parameters, NULL after the last */
    const char *rule;                              /**< condition on the parameters x [3], as text */
    int (*is_good)(const double *x);
    double (*quantile)(const double *x, double u);
} cmd_distribution;

/** Return kind i, or NULL after the last. */
const cmd_distribution *cmd_distribution_at(int i);

/** Return the kind with this name, or NULL. */
const cmd_distribution *cmd_distribution_find(const char *name);

/** Return the quantile of the standard normal distribution, 0 < u < 1. */
double cmd_normal_quantile(double u);

#endif
