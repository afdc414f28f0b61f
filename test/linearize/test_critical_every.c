/* test_critical_every.c - `resida critical` of the mechanisms of the fixtures (plugin_units.c), in units from
 * micrometres to megametres: the value beyond which negative damping makes them grow is that in SI units, within the
 * ranges in which growth is not told from its errors. Left out is what has no equilibrium, what does not become
 * unstable, and what a start moves along its constraints, by a norm that has units. */
#include "test/command/command_fixture.h"
#include "test/fixtures/claims.h"
#include "test/fixtures/units/every.h"

#define TOLERANCE 1e-6 /* of the value */

enum { LINE = 800 };

/** One in which growth begins. */
typedef struct subject {
    const char *name, *options;
    double refused; /* [m] in units of length below it is refused, by name */
    int needs_G;    /* growth of a neutral direction: curvature of g times forces that are zero within rounding */
} subject;

static const subject subjects[] = {
    {"anchor", "--drop-redundant", 0, 0},
    {"complex", "", 0, 0},
    {"states", "", 0, 0},
    {"scaled body", "--drop-redundant", 0, 0},
    {"scaled rod", "--drop-redundant", 0, 0},
    {"scaled driven", "--drop-redundant", 0, 0},
    {"scaled curve", "--drop-redundant", 0, 1},
    {"scaled screw", "--drop-redundant", 0, 1},
    {"jumping", "--drop-redundant", 0, 0},
    {"scripted", "--drop-redundant", 0, 0},
    {"small inert", "", 0, 1},
    {"hanging", "--drop-redundant", 1e-5, 1},
    {"truss", "", 0, 0},
};

/** What is found, and from where on growth is within its errors. */
typedef struct critical {
    double value, from;
} critical;

static int number_of(const char *name)
{
    for (int i = 0; i < every_count(); i++)
        if (strcmp(every_make(i).name, name) == 0) return i;
    fail_msg("no mechanism is called %s", name);
    return -1;
}

static critical find(const subject *s, const every_way *way, units of)
{
    const char *line =
        claims_text("critical %.400s/plugin_units.so -p mechanism=%d -p hide=%d -p length=%g -p mass=%g -p time=%g "
                    "--vary mu=0:3 --points 6 --from-equilibrium %s --format json",
                    test_environment("RESIDA_TEST_MODULES"), number_of(s->name), way->hide, of.length, of.mass, of.time,
                    s->options);
    command_result r = command_run(line);
    if (of.length < s->refused) {
        assert_int_equal(r.code, 1);
        command_expect_words(r.err.bytes, "no equilibrium found near the start");
        return (critical){NAN, NAN};
    }
    if (r.code != 0) fail_msg("%s: %s", line, r.err.bytes);
    json_t *row = command_row(&r);
    const json_t *from = json_object_get(row, "from");
    const critical out = {json_number_value(json_object_get(row, "critical")), json_number_value(from)};
    if (!json_is_number(json_object_get(row, "critical"))) fail_msg("%s: none is found", line);
    return (critical){out.value, out.from > 0 ? out.from : out.value};
}

COMMAND_CLAIM(critical_values_are_those_in_SI_units)
{
    int wrong = 0;
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        const subject *s = &subjects[k];
        const every x = every_make(number_of(s->name));
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        const critical si = find(s, &ways[0], (units){1, 1, 1});
        double worst = 0;
        for (int w = 0; w < n; w++) {
            if (ways[w].formalism == RESIDA_FORMALISM_EXPLICIT) continue; /* it has no negative damping */
            if (s->needs_G && (ways[w].hide & UNITS_HIDE_G)) continue;
            for (int u = 1 + w % 3; u < every_units_count(0); u += 3) { /* other units in each way */
                const units of = every_units(u, 0);
                if (of.length < 1e-7 || of.length > 1e7) continue;
                const critical c = find(s, &ways[w], of);
                const double room = (si.value - si.from + c.value - c.from) / si.value;
                const double off = fabs(c.value / si.value - 1), beyond = fmax(0, off - room);
                if (beyond > TOLERANCE)
                    print_message("%s, %s, %g m, %g kg, %g s: %.12g, in SI %.12g\n", s->name, ways[w].name, of.length,
                                  of.mass, of.time, c.value, si.value);
                wrong += beyond > TOLERANCE;
                worst = fmax(worst, beyond);
            }
        }
        print_message("%-16s mu = %.9g, %.1e apart\n", s->name, si.value, worst);
    }
    assert_int_equal(wrong, 0);
}
