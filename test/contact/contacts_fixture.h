/* contacts_fixture.h - for tests of models with contacts: a model to be filled, and runs of it. */
#ifndef RESIDA_TEST_CONTACTS_FIXTURE_H
#define RESIDA_TEST_CONTACTS_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/file_util.h"

#define G 9.81

enum { MOST = 64 };

/** What the callbacks of a test read. */
typedef struct thing {
    double e[2], climb; /* the floor rises with this speed */
    double p0[MOST], v0[MOST];
    int asked, answers, matrix_fails, wrong;
} thing;

/** Contacts with the coefficients and the start of a thing; sizes and callbacks of the mechanism are left to fill. */
resida_model model_of(thing *b, resida_model_contacts *c);

/** What integrates a model; it is freed with the claim. */
typedef struct flight {
    resida_problem *problem;
    resida_solver *solver;
    resida_run *run;
} flight;

/** Not yet started; started; started with the default form and formalism. */
flight open_flight(const resida_model *m, const char *form, resida_formalism formalism);
flight fly(const resida_model *m, const char *form, resida_formalism formalism);
flight fly_as_ever(const resida_model *m);

resida_state state_of(const flight *f);

/** To t, over all events. */
resida_status go(flight *f, double t);

void nearly(double x, double y, double tolerance, int line);

#define NEARLY(x, y, tolerance) nearly(x, y, tolerance, __LINE__)

#endif
