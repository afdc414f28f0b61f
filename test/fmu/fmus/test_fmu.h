/* test_fmu.h - an FMU of the tests: a table of numbers by value reference, number 0 is the time, and functions that
 * compute some of them from others. fmi2.c and fmi3.c make the two C interfaces of it. */
#ifndef TEST_FMU_H
#define TEST_FMU_H

#include <stddef.h>
#include <stdint.h>

/** Values; two are the tolerance and the end of the run as they were told, 0: they were not. */
enum { TEST_FMU_VALUES = 600, TEST_FMU_TOLERANCE = 597, TEST_FMU_END, TEST_FMU_ECHO = 302, TEST_FMU_WHOLE = 400 };

/** What happens at an event. */
typedef struct test_fmu_event {
    int has_new_states;
    int ends;
    double t_next; /**< INFINITY: none */
} test_fmu_event;

typedef struct test_fmu {
    const char *token;
    int n_states, n_indicators;
    const int *states, *derivatives, *indicators; /**< references; NULL: from first_* on, one after another */
    int first_state, first_derivative;
    void (*start)(double *v);
    void (*experiment)(double *v);               /**< FMI 2.0: what fmi2SetupExperiment does to values; NULL: nothing */
    void (*evaluate)(double *v);                 /**< derivatives, residuals, indicators */
    void (*event)(double *v, test_fmu_event *e); /**< NULL: nothing happens */
    double (*partial)(const double *v, uint32_t unknown, uint32_t known); /**< NULL: no directional derivatives */
    int (*fails)(const double *v);                                        /**< 1: no derivatives here; NULL: never */
    int (*breaks)(const double *v);                           /**< 1: an error, which is said in words; NULL: never */
    const char *(*text)(const double *v, uint32_t reference); /**< NULL: no texts */
    /** FMI 2.0: before a value is set, before values are read, and a step of Co-Simulation; NULL: none */
    void (*set)(double *v, unsigned reference, double value);
    void (*read)(double *v);
    void (*step)(double *v, double h);
} test_fmu;

/** The one FMU that is compiled with an interface. */
extern const test_fmu the_fmu;

/** An instance. */
typedef struct test_fmu_instance {
    double v[TEST_FMU_VALUES];
    char text[64];                   /**< the last text that was set, which TEST_FMU_ECHO has */
    uint64_t whole[TEST_FMU_VALUES]; /**< bits of whole numbers of 64 bit, exactly; as an output the one before it */
    int is_event_mode;
    double t_step; /**< of the last step that was completed */
    double t_next; /**< of its next event; INFINITY: none */
    int by_steps;  /**< Co-Simulation; 2: with event mode */
    void *environment;
    void (*log)(void *environment, int status, const char *category, const char *message);
} test_fmu_instance;

/** Reference of state k, of its derivative. */
static inline int test_fmu_state(int k)
{
    return the_fmu.states ? the_fmu.states[k] : the_fmu.first_state + k;
}

static inline int test_fmu_derivative(int k)
{
    return the_fmu.derivatives ? the_fmu.derivatives[k] : the_fmu.first_derivative + k;
}

/** Begin an experiment. */
static inline void test_fmu_tell(test_fmu_instance *c, double tolerance, double t0, double end)
{
    c->v[0] = t0;
    c->v[TEST_FMU_TOLERANCE] = tolerance;
    c->v[TEST_FMU_END] = end;
}

/** Is a time behind the end that was told? */
static inline int test_fmu_is_over(const test_fmu_instance *c, double t)
{
    return c->v[TEST_FMU_END] != 0 && t > c->v[TEST_FMU_END];
}

enum { TEST_FMU_SUBSTEPS = 200 }; /* of a communication step */

/** x' by the FMU's own equations. */
static inline void test_fmu_rates(test_fmu_instance *c, double *rate)
{
    the_fmu.evaluate(c->v);
    for (int k = 0; k < the_fmu.n_states; k++) rate[k] = c->v[test_fmu_derivative(k)];
}

/** States to the time `to`, by the explicit midpoint rule. */
static inline void test_fmu_integrate(test_fmu_instance *c, double to)
{
    double x[TEST_FMU_VALUES], rate[TEST_FMU_VALUES];
    const double from = c->v[0], h = (to - from) / TEST_FMU_SUBSTEPS;
    for (int i = 0; i < TEST_FMU_SUBSTEPS; i++) {
        test_fmu_rates(c, rate);
        for (int k = 0; k < the_fmu.n_states; k++) {
            x[k] = c->v[test_fmu_state(k)];
            c->v[test_fmu_state(k)] = x[k] + h / 2 * rate[k];
        }
        c->v[0] = from + h * (i + 0.5);
        test_fmu_rates(c, rate);
        for (int k = 0; k < the_fmu.n_states; k++) c->v[test_fmu_state(k)] = x[k] + h * rate[k];
        c->v[0] = from + h * (i + 1);
    }
    c->v[0] = to;
}

#if defined(__GNUC__)
#define TEST_FMU_EXPORT __attribute__((visibility("default")))
#else
#define TEST_FMU_EXPORT
#endif

#endif
