/* arguments_rows_impact.c - bad arguments of impact.h, and contacts, of contact.h, that a problem cannot have. */
#include "arguments.h"

#include <limits.h>

#define OK         RESIDA_OK
#define ARGUMENT   RESIDA_ERR_ARGUMENT
#define OPTION     RESIDA_ERR_OPTION
#define NOT_FINITE NAN, INFINITY, -INFINITY
#define SO(field)  kept.start_options.field
#define C(field)   kept.contacts.field

static void the_dae(world *w, int way)
{
    w->a.problem = w->dae_problem;
}

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

static double friction_of[1], slides_of[2], slide_rates_of[1];

/* Friction that is right. */
static resida_contacts *with_friction(world *w)
{
    friction_of[0] = 0.5, slides_of[0] = 0, slides_of[1] = 1, slide_rates_of[0] = 0;
    w->kept.contacts.friction = friction_of;
    w->kept.contacts.slides = slides_of;
    w->kept.contacts.slide_rates = slide_rates_of;
    return &w->kept.contacts;
}

static void right_friction(world *w, int way)
{
    with_friction(w)->law = way ? RESIDA_IMPACT_POISSON : RESIDA_IMPACT_NEWTON;
}

static void no_slide_rates(world *w, int way)
{
    with_friction(w)->slide_rates = NULL;
}

static void no_slides(world *w, int way)
{
    with_friction(w)->slides = NULL;
}

static void odd_law(world *w, int way)
{
    with_friction(w)->law = (resida_impact_law)(way ? -1 : 2);
}

static void odd_number(world *w, int way)
{
    double *const of[] = {friction_of, slides_of, slide_rates_of};
    static const double odd[] = {NAN, INFINITY, -INFINITY, -1};
    with_friction(w);
    *of[way % 3] = odd[way / 3];
}

const arg_row arg_rows_impact[] = {
    NULLED("resida_contacts_init", "c", a.contacts, OK),
    NULLED("resida_problem_impact", "problem", a.problem, ARGUMENT),
    WAYS_SAYING("resida_problem_impact", "problem", "DAE", 1, the_dae, ARGUMENT),
    REALS("resida_problem_impact", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "p", a.p0, ARGUMENT),
    EACH("resida_problem_impact", "p", 2, kept.p0[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "v", a.v0, ARGUMENT),
    EACH("resida_problem_impact", "v", 2, kept.v0[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "contacts", a.contacts, ARGUMENT),
    SIZES("resida_problem_impact", "contacts.size", C(size), ARGUMENT, 0, 8, sizeof(resida_contacts) + 8.0, 1e18),
    INTS("resida_problem_impact", "contacts.n", C(n), ARGUMENT, 0, -1, INT_MIN),
    NULLED("resida_problem_impact", "contacts.rows", C(rows), ARGUMENT),
    EACH("resida_problem_impact", "contacts.rows", 2, kept.contact_rows[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "contacts.rates", C(rates), OK),
    REALS("resida_problem_impact", "contacts.rates", kept.contact_rates[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_impact", "contacts.restitution", C(restitution), ARGUMENT),
    REALS("resida_problem_impact", "contacts.restitution", kept.restitution[0], ARGUMENT, NOT_FINITE, -1e-9, 1.001),
    REALS("resida_problem_impact", "contacts.restitution", kept.restitution[0], OK, 0, 0.5, 1),
    NULLED("resida_problem_impact", "contacts.names", C(names), OK),
    WAYS("resida_problem_impact", "contacts.friction", 2, right_friction, OK),
    WAYS_SAYING("resida_problem_impact", "contacts.friction", "contacts", 10, odd_number, ARGUMENT),
    WAYS_SAYING("resida_problem_impact", "contacts.slides", "slides", 1, no_slides, ARGUMENT),
    WAYS("resida_problem_impact", "contacts.slide_rates", 1, no_slide_rates, OK),
    WAYS_SAYING("resida_problem_impact", "contacts.law", "law", 2, odd_law, ARGUMENT),
    NULLED("resida_problem_impact", "o", a.start_options, OK),
    SIZES("resida_problem_impact", "o.size", SO(size), ARGUMENT, 0, 8, sizeof(resida_start_options) + 8.0, 1e18),
    INTS("resida_problem_impact", "o.redundant", SO(redundant), OPTION, -1, 2, INT_MAX, INT_MIN),
    REALS("resida_problem_impact", "o.rank_tolerance", SO(rank_tolerance), OPTION, NOT_FINITE, 0, -1, 1),
    REALS("resida_problem_impact", "o.max_change", SO(max_change), OPTION, NAN, -INFINITY, 0, -1),
    INTS("resida_problem_impact", "o.wrong_matrix", SO(wrong_matrix), OPTION, -1, 2, INT_MAX, INT_MIN),
    NULLED("resida_problem_impact", "v_after", a.v, ARGUMENT),
    WAYS("resida_problem_impact", "v_after", 1, in_place, OK),
    NULLED("resida_problem_impact", "push", a.push, OK),
    NULLED("resida_problem_impact", "lam_push", a.lam, OK),
    WAYS_SAYING("resida_problem_impact", "push", "overlap", 3, overlaps, ARGUMENT),
    NULLED("resida_problem_impact", "report", a.impact_report, OK),
    NULLED("resida_problem_impact", "why", a.why, OK),
    END_OF_ROWS,
};

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
