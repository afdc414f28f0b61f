/* arguments_rows_contact.c - contacts, of contact.h, that a problem cannot have. */
#include "arguments.h"

#include <math.h>

static const double half[] = {0.5, 0.5};

/* A contact that holds and is right. Static: the world is made anew for each row. */
static resida_model_contacts *hand_over(world *w)
{
    static resida_model_contacts c;
    c = (resida_model_contacts){.size = sizeof c, .n = 1, .restitution = half, .holds = 1};
    w->kept.problem_options.contacts = &c;
    return &c;
}

static void right(world *w, int way)
{
    hand_over(w)->names = NULL;
}

static void number(world *w, int way)
{
    hand_over(w)->n = (const int[]){0, -1}[way];
}

static void roots(world *w, int way)
{
    hand_over(w)->first = (const int[]){1, -1}[way];
}

static void constraints(world *w, int way)
{
    hand_over(w)->first_g = (const int[]){1, -1}[way];
}

static void no_restitution(world *w, int way)
{
    hand_over(w)->restitution = NULL;
}

static void restitution(world *w, int way)
{
    static const double e[] = {1.5, -0.1, NAN};
    hand_over(w)->restitution = e + way;
}

static void friction_without_rows(world *w, int way)
{
    hand_over(w)->friction = half;
}

static void that_do_not_hold(world *w, int way)
{
    resida_model_contacts *c = hand_over(w);
    c->holds = 0;
    if (way) c->size = 8; /* compiled before there was `holds` */
}

#define M(argument, named, n_ways, spoil, S) WAYS_SAYING("resida_problem_create", argument, named, n_ways, spoil, S)

const arg_row arg_rows_contact[] = {
    M("o.contacts", "contacts", 1, right, RESIDA_OK),
    M("o.contacts.size", "contacts", 2, that_do_not_hold, RESIDA_OK),
    M("o.contacts.holds", "contacts", 2, that_do_not_hold, RESIDA_OK),
    M("o.contacts.n", "contacts.n", 2, number, RESIDA_ERR_MODEL),
    M("o.contacts.first", "root functions", 2, roots, RESIDA_ERR_MODEL),
    M("o.contacts.first_g", "constraints for their gaps", 2, constraints, RESIDA_ERR_MODEL),
    M("o.contacts.restitution", "contacts.restitution", 1, no_restitution, RESIDA_ERR_MODEL),
    M("o.contacts.restitution", "contacts.restitution", 3, restitution, RESIDA_ERR_MODEL),
    M("o.contacts.matrix", "contacts", 1, right, RESIDA_OK),
    M("o.contacts.rate", "contacts", 1, right, RESIDA_OK),
    M("o.contacts.friction", "speeds of sliding", 1, friction_without_rows, RESIDA_ERR_MODEL),
    M("o.contacts.first_h", "speeds of sliding", 1, friction_without_rows, RESIDA_ERR_MODEL),
    M("o.contacts.law", "contacts", 1, right, RESIDA_OK),
    M("o.contacts.names", "contacts", 1, right, RESIDA_OK),
    WAYS_SAYING("resida_problem_create_dae", "o.contacts", "contacts", 1, right, RESIDA_ERR_OPTION),
    END_OF_ROWS,
};
