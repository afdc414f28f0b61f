/* arguments_rows_impact.c - bad arguments of impact.h, and contacts, of contact.h, that a problem cannot have. */
#include "arguments.h"

#define C(field) kept.contacts.field

/* Each output on each other output. */
static void overlaps(world *w, int way)
{
    if (way == 2)
        w->a.lam = w->a.push;
    else
        *(way ? &w->a.push : &w->a.lam) = w->a.v + way;
}

static void in_place(world *w, int way)
{
    w->a.v = w->a.v0;
}

static void rub(world *w, int way)
{
    w->kept.contacts.friction = w->kept.friction;
    w->kept.contacts.slides = w->kept.slides;
    w->kept.contacts.slide_rates = w->kept.slide_rates;
}

#define FRICTION(argument, says, T, ...) GIVEN("resida_problem_impact", "contacts." argument, says, rub, T, __VA_ARGS__)

const arg_row arg_rows_impact[] = {
    NULLED("resida_contacts_init", "c", a.contacts, OK),
    NULLED("resida_problem_impact", "problem", a.problem, ARGUMENT),
    WAYS_SAYING("resida_problem_impact", "problem", "DAE", 1, arg_other_problem, ARGUMENT),
    REALS("resida_problem_impact", "t", a.t, ARGUMENT, NOT_FINITE),
    START("resida_problem_impact", "p", "v"),
    NULLED("resida_problem_impact", "contacts", a.contacts, ARGUMENT),
    WRONG_SIZES("resida_problem_impact", "contacts.size", C(size), resida_contacts),
    INTS("resida_problem_impact", "contacts.n", C(n), ARGUMENT, 0, -1, INT_MIN),
    NULLED("resida_problem_impact", "contacts.rows", C(rows), ARGUMENT),
    EACH("resida_problem_impact", "contacts.rows", 2, kept.contact_rows[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "contacts.rates", C(rates), OK),
    REALS("resida_problem_impact", "contacts.rates", kept.contact_rates[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "contacts.restitution", C(restitution), ARGUMENT),
    REALS("resida_problem_impact", "contacts.restitution", kept.restitution[0], ARGUMENT, NOT_FINITE, -1e-9, 1.001),
    REALS("resida_problem_impact", "contacts.restitution", kept.restitution[0], OK, 0, 0.5, 1),
    NULLED("resida_problem_impact", "contacts.names", C(names), OK),
    FRICTION("friction", "contacts", ARG_REAL, kept.friction[0], ARGUMENT, NOT_FINITE, -1),
    FRICTION("slides", "contacts", ARG_REAL, kept.slides[0], ARGUMENT, NOT_FINITE),
    FRICTION("slides", NULL, ARG_POINTER, C(slides), ARGUMENT, 0),
    FRICTION("slide_rates", "contacts", ARG_REAL, kept.slide_rates[0], ARGUMENT, NOT_FINITE),
    FRICTION("slide_rates", NULL, ARG_POINTER, C(slide_rates), OK, 0),
    FRICTION("law", NULL, ARG_INT, C(law), OK, RESIDA_IMPACT_NEWTON, RESIDA_IMPACT_POISSON),
    FRICTION("law", NULL, ARG_INT, C(law), ARGUMENT, 2, -1),
    START_OPTIONS("resida_problem_impact"),
    NULLED("resida_problem_impact", "v_after", a.v, ARGUMENT),
    WAYS("resida_problem_impact", "v_after", 1, in_place, OK),
    NULLED("resida_problem_impact", "push", a.push, OK),
    NULLED("resida_problem_impact", "lam_push", a.lam, OK),
    WAYS_SAYING("resida_problem_impact", "push", "overlap", 3, overlaps, ARGUMENT),
    NULLED("resida_problem_impact", "report", a.impact_report, OK),
    NULLED("resida_problem_impact", "why", a.why, OK),
    END_OF_ROWS,
};

static void hand_over(world *w, int way)
{
    w->kept.problem_options.contacts = &w->kept.model_contacts;
}

static void that_do_not_hold(world *w, int way)
{
    hand_over(w, way);
    w->kept.model_contacts.holds = 0;
}

static void friction_without_rows(world *w, int way)
{
    hand_over(w, way);
    w->kept.model_contacts.friction = w->kept.friction;
}

#define W(argument, says, ways, how, S) WAYS_SAYING("resida_problem_create", "o." argument, says, ways, how, S)
#define G(argument, says, T, F, S, ...)                                                                                \
    GIVEN("resida_problem_create", "o." argument, says, hand_over, T, F, S, __VA_ARGS__)
#define MC(field) kept.model_contacts.field

const arg_row arg_rows_contact[] = {
    W("contacts", NULL, 1, hand_over, OK),
    G("contacts.size", "contacts: size", ARG_SIZE, MC(size), ARGUMENT, 0, 8, sizeof(resida_model_contacts) + 8.0, 1e18),
    W("contacts.holds", NULL, 1, that_do_not_hold, OK),
    G("contacts.n", "contacts.n", ARG_INT, MC(n), MODEL, 0, -1),
    G("contacts.first", "root functions", ARG_INT, MC(first), MODEL, 1, -1),
    G("contacts.first_g", "constraints for their gaps", ARG_INT, MC(first_g), MODEL, 1, -1),
    G("contacts.restitution", "contacts.restitution", ARG_POINTER, MC(restitution), MODEL, 0),
    G("contacts.restitution", "contacts.restitution", ARG_REAL, kept.restitution[0], MODEL, 1.5, -0.1, NAN),
    G("contacts.matrix", NULL, ARG_POINTER, MC(matrix), OK, 0),
    G("contacts.rate", NULL, ARG_POINTER, MC(rate), OK, 0),
    W("contacts.friction", "speeds of sliding", 1, friction_without_rows, MODEL),
    W("contacts.first_h", "speeds of sliding", 1, friction_without_rows, MODEL),
    G("contacts.law", NULL, ARG_INT, MC(law), OK, RESIDA_IMPACT_NEWTON),
    G("contacts.names", NULL, ARG_POINTER, MC(names), OK, 0),
    WAYS("resida_problem_create_dae", "o.contacts", 1, hand_over, OPTION),
    END_OF_ROWS,
};
