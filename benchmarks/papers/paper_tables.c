/* paper_tables.c - Tables 1, 2 and 3 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics, as printed, with the corresponding runs. A fourth table of the same form measures
 * the extended update (26) for models whose excitations do not occur in the paper. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

#define EXPLICIT RESIDA_FORMALISM_EXPLICIT
#define RESIDUAL RESIDA_FORMALISM_RESIDUAL

/** The original DASSL, the six strategies of the paper, and the library's default. */
#define METHODS                                                                                                        \
    "dassl", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "auto"

#define TRAIN(words, which)                                                                                            \
    .label = words, .model = "train", .formalism = which, .rtol = 1e-4, .atol = 1e-4, .t_end = 15
#define CAR(words, which) .label = words, .model = "car", .formalism = which, .rtol = 1e-4, .atol = 1e-5, .t_end = 5
#define CHAIN(count, reading, omega)                                                                                   \
    .label = "N = " #count ", omega = " reading, .model = "chain", .formalism = RESIDUAL, .rtol = 1e-4, .atol = 1e-6,  \
    .t_end = 200, .parameter_names = {"n", "omega"}, .values = {count, omega}
#define AS_IT_IS(name) .label = name, .model = name, .formalism = RESIDUAL, .rtol = NAN, .atol = NAN, .t_end = NAN

/* A row of a data file; NONE: a number that is not printed. */
#define ROW(in_case, strategy, ...) {in_case, strategy, {__VA_ARGS__}},
#define NONE                        -1

static const cmd_paper_table tables[] = {
    {.name = "table1",
     .source = CMD_PAPER ", Table 1",
     .about = "train carriage on an S-shaped line change, RTOL = ATOL = 1e-4, 15 s. The train of the paper is a model "
              "of an\nindustrial package. This train is an open model of the same size and structure: 41 coordinates, "
              "8 constraints,\n98 unknowns",
     .repeats = 3,
     .methods = {METHODS},
     .cases = {{TRAIN("train", EXPLICIT)}, {TRAIN("train", RESIDUAL)}},
     .printed =
         {
#include "table1.csv.inc"
         }},
    {.name = "table2",
     .source = CMD_PAPER ", Table 2",
     .about = "chain of N pendulums, RTOL = 1e-4, ATOL = 1e-6, 200 s. The \"omega = 0.05 Hz\" of the support is either "
              "2 pi 0.05\nor 0.05 rad/s. Both are measured and compared with the same published values",
     .repeats = 9,
     .methods = {METHODS},
     .cases = {{CHAIN(12, "2 pi 0.05", 0.3141592653589793)},
               {CHAIN(14, "2 pi 0.05", 0.3141592653589793)},
               {CHAIN(12, "0.05", 0.05)},
               {CHAIN(14, "0.05", 0.05)}},
     .printed =
         {
#include "table2.csv.inc"
         }},
    {.name = "table3",
     .source = CMD_PAPER ", Table 3",
     .about = "passenger car on periodic lane changes, RTOL = 1e-4, ATOL = 1e-5, 5 s. The car of the paper is a model "
              "of an\nindustrial package; its size is not published. This car is an open model with 40 coordinates. "
              "The updates (24) and\n(26) of the paper are those of the explicit formalism",
     .percent_of = "evaluations of J",
     .repeats = 9,
     .methods = {METHODS},
     .cases = {{CAR("car", EXPLICIT)}, {CAR("car", RESIDUAL)}},
     .printed =
         {
#include "table3.csv.inc"
         }},
    {.name = "extended",
     .source = "Further models with excitations",
     .about =
         "residual formalism, tolerances of the models. The excitations are a stamp below a wheel, a support, a road",
     .repeats = 5,
     .methods = {METHODS},
     .cases = {{AS_IT_IS("rear-axle")}, {AS_IT_IS("chain-cartesian")}, {AS_IT_IS("car-axis")}}},
};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

const char *cmd_percent_of(const cmd_paper_table *table)
{
    return table->percent_of ? table->percent_of : "processor time";
}

const cmd_paper_table *cmd_paper_table_find(const char *name)
{
    for (int i = 0; i < N_TABLES; i++)
        if (strcmp(tables[i].name, name) == 0) return &tables[i];
    return NULL;
}
