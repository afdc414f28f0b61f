/* distribution.h - named distributions by their quantiles: x = F^-1(u), 0 < u < 1. */
#ifndef CMD_DISTRIBUTION_H
#define CMD_DISTRIBUTION_H

enum { CMD_DISTRIBUTION_MEMBERS = 3 };

/** A kind of distribution. */
typedef struct cmd_distribution {
    const char *name;
    const char *members[CMD_DISTRIBUTION_MEMBERS]; /**< names of its numbers; NULL: no more */
    const char *rule;                              /**< what the numbers x [3] have to obey, in words */
    int (*is_good)(const double *x);
    double (*quantile)(const double *x, double u);
} cmd_distribution;

/** Kind i, NULL: there are no more. */
const cmd_distribution *cmd_distribution_at(int i);

/** By its name, NULL: there is none. */
const cmd_distribution *cmd_distribution_find(const char *name);

/** The quantile of the standard normal distribution, 0 < u < 1. */
double cmd_normal_quantile(double u);

#endif
