/* test_command_energy.c - the energies that built-in models state, along runs: they stay where nothing takes them, fall
 * where something damps, and change by the work of a drive; and every mechanism is drawn, with a trajectory of numbers.
 *
 * Runs are at RTOL: energies are kept to KEPT of their size, a factor of three over what is seen. */
#include "test/command/command_fixture.h"

#define RTOL 1e-9
#define KEPT 1e-5

enum { ROWS = 200 };

/* One column of a run, [ROWS + 1]; of two, times and values of both. */
static void run(const char *what, double rtol, const char *columns, int n, double x[][3])
{
    const char *line =
        claims_text("solve %s --rtol %g --points %d --quiet --out a.csv --columns %s", what, rtol, ROWS, columns);
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    for (int k = 0; k <= ROWS; k++) assert_int_equal(command_csv_row(csv.bytes, k, x[k], 3), n + 1);
}

/* Where a model is, and the size of the energies that its energy is a sum of [J]. */
typedef struct motion {
    const char *what;
    double size;
} motion;

COMMAND_CLAIM(energy_stays_where_nothing_takes_it)
{
    static const motion motions[] = {
        {"pendulum --t-end 4", 14},
        {"pendulum-spring", 1.25},
        {"bushing-pendulum -p k=1e4 -p c=0", 20},
        {"chain -p n=5 -p ax=0 -p ay=0 -p alpha0=1 --t-end 5", 100},
        {"chain-cartesian -p n=5 -p ax=0 -p ay=0 -p alpha0=1 --t-end 5", 100},
        {"andrews --atol 1e-9", 1.5},
        {"car-axis -p r=0 --atol 1e-10", 1e-3},
        {"slider-crank -p c=0", 2},
        {"flyball -p c=0 -p k=1e3 --t-end 2", 250},
        {"bricard --drop-redundant --t-end 4", 30},
    };
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        double x[ROWS + 1][3], most = 0;
        run(motions[i].what, RTOL, "out.energy", 1, x);
        for (int k = 0; k <= ROWS; k++) most = fmax(most, fabs(x[k][1] - x[0][1]));
        if (!(most <= KEPT * motions[i].size)) fail_msg("%s: %g of %g J", motions[i].what, most, motions[i].size);
    }
}

/* By a hundredth of its size at least in all, and it never rises by more than it is kept. */
COMMAND_CLAIM(energy_falls_where_something_damps)
{
    static const motion motions[] = {
        {"bushing-pendulum -p k=1e3 -p c=10", 20},
        {"chain -p n=5 -p ax=0 -p ay=0 -p alpha0=1 -p d=1 --t-end 5", 100},
        {"chain-cartesian -p n=5 -p ax=0 -p ay=0 -p alpha0=1 -p d=1 --t-end 5", 100},
        {"slider-crank -p c=3", 2},
    };
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        double x[ROWS + 1][3];
        run(motions[i].what, RTOL, "out.energy", 1, x);
        for (int k = 1; k <= ROWS; k++)
            if (!(x[k][1] <= x[k - 1][1] + KEPT * motions[i].size)) fail_msg("%s: row %d", motions[i].what, k);
        assert_true(x[ROWS][1] < x[0][1] - 0.01 * motions[i].size);
    }
}

/* The crank turns at 150 rad/s: by the trapezoidal rule to the square of the distance of rows. */
COMMAND_CLAIM(a_drive_does_the_work_that_energy_takes)
{
    double x[ROWS + 1][3], work = 0, most = 0, size = 0;
    run("slider-crank-flexible -p grav=9.81 --t-end 0.02 --atol 1e-12", RTOL, "out.energy,out.torque", 2, x);
    for (int k = 1; k <= ROWS; k++) {
        work += 150 * (x[k][0] - x[k - 1][0]) * (x[k][2] + x[k - 1][2]) / 2;
        most = fmax(most, fabs(x[k][1] - x[0][1] - work));
        size = fmax(size, fabs(x[k][1] - x[0][1]));
    }
    assert_true(size > 10 && most < 1e-3 * size);
}

/* 600 at the tip, upwards, which is all there from 0.5 s on: what the beam has more or less its damping takes alone. */
COMMAND_CLAIM(a_beam_takes_what_its_load_gives)
{
    double x[ROWS + 1][3], before = INFINITY, first = NAN;
    run("beam-bend -p elements=2 -p order=2 -p rise=0.5 -p T=1", 1e-6, "out.energy,p.z5", 2, x);
    for (int k = ROWS / 2; k <= ROWS; k++) {
        const double E = x[k][1] - 600 * x[k][2];
        if (isnan(first)) first = E;
        assert_true(E <= before + KEPT * x[ROWS][1]);
        before = E;
    }
    assert_true(x[ROWS][1] > 1000 && before < first - 1 && before > first - x[ROWS][1]);
}

COMMAND_CLAIM(every_mechanism_is_drawn_and_states_an_energy)
{
    command_result r = command_run_well("models --format json");
    int mechanisms = 0;
    for (char *line = r.out.bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        json_t *model = command_json_at(line), *outputs = json_object_get(model, "outputs");
        const char *name = json_string_value(json_object_get(model, "name"));
        int energies = 0;
        for (size_t i = 0; i < json_array_size(outputs); i++) {
            const char *output = command_word(json_array_get(outputs, i), "name");
            energies += strcmp(output, "energy") == 0 || strcmp(output, "kinetic") == 0;
        }
        const int is_abstract = strcmp(name, "ascher-petzold") == 0; /* an equation with no parts */
        if (strcmp(command_word(model, "kind"), "mechanism") == 0 && !is_abstract) {
            if (energies != 1) fail_msg("%s: %d energies", name, energies);
            const char *solve = claims_text("solve %s%s --t-end 1e-3 --points 2 --quiet --animate a.html", name,
                                            strcmp(name, "bricard") == 0 ? " --drop-redundant" : "");
            command_run_well(solve);
            mechanisms++;
        }
    }
    assert_int_equal(mechanisms, 21);
}
