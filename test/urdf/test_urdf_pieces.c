/* test_urdf_pieces.c - trees that are cut into pieces: the same motion, a sparse J, and calls that do not grow. */
#include "urdf_fixture.h"

/* Rods of 1 m and 1 kg, each on the one before by a hinge about y or x in turn, and a mass on a fixed link of the
 * second one. */
static char *chain(int rods)
{
    enum { EACH = 640, REST = 600 };
    char *text = claims_zeros((size_t)rods * EACH + REST, 1), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot name='chain'>" LINK("l0", "1", "0", "0.1"));
    for (int k = 1; k <= rods; k++) {
        at += sprintf(at, LINK("l%d", "1", "-0.5", "0.08333333333333333"), k);
        at += sprintf(at,
                      JOINT("j%d", "revolute", "l%d", "l%d", "%s",
                            "<origin xyz='0 0 %d' rpy='0 0 0.1'/><dynamics damping='0.2' friction='%s'/>"
                            "<limit lower='-1.5' upper='1.5' effort='1' velocity='1'/>"),
                      k, k - 1, k, k % 2 ? "0 1 0" : "1 0 0", k > 1 ? -1 : 0, k == 3 ? "0.1" : "0");
    }
    strcpy(at, LINK("weight", "2", "0.1", "0.01") JOINT("f", "fixed", "l2", "weight", "1 0 0", "") "</robot>");
    return text;
}

/* Joints have their places in front of the coordinates of halves. */
static void expect_same_motion(const char *text, const char *options, int joints, double tolerance)
{
    const urdf_last whole = urdf_run(text, options);
    const urdf_last cut = urdf_run(text, claims_text("%s -p cut=2", options));
    for (int i = 0; i < joints; i++) {
        urdf_expect(cut.p[i], whole.p[i], tolerance);
        urdf_expect(cut.v[i], whole.v[i], 10 * tolerance);
    }
    urdf_expect(cut.events, whole.events, 0);
}

COMMAND_CLAIM(a_chain_in_pieces_moves_as_one)
{
    char *text = chain(7);
    expect_same_motion(text, "-p j1=0.5 -p j2=0.3 -p j4.v=1 --t-end 0.7", 7, 1e-6);
    expect_same_motion(text, "-p j1=0.5 -p l4.mass=2 -p l4.inertia=3 -p gravity_y=2 --t-end 0.4", 7, 1e-6);
}

COMMAND_CLAIM(pieces_keep_limits_a_free_base_motors_and_loops)
{
    char *text = chain(7);
    expect_same_motion(text, "-p j1=0.5 -p j6=1.4 -p j6.v=2 -p limits=2 --t-end 0.3", 7, 1e-6);
    expect_same_motion(text, "-p base=free -p j1=0.5 -p j2.v=0.3 --t-end 0.5", 8, 1e-6);
    urdf_write("motion.csv", "t,j5\n0,0\n0.3,0.1\n0.5,0.4\n");
    expect_same_motion(text, "--motion motion.csv -p j1=0.5", 7, 1e-6);
    urdf_write("loops.csv", "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nbar,1,0,0,other,0,0,-1,xz\n");
    expect_same_motion(urdf_bars, "--loops loops.csv -p hinge=0.4 -p second=0.4 -p knee=-0.4 --t-end 1", 3, 1e-6);
}

/* The forces at joints are those of the tree, whatever is cut. */
COMMAND_CLAIM(outputs_of_pieces_are_those_of_the_tree)
{
    double x[2][4];
    char *text = chain(7);
    urdf_write_arm(text);
    for (int cut = 0; cut < 2; cut++) {
        const char *line = claims_text(
            "solve arm.urdf -p j1=0.5 -p j2=0.3 -p cut=%d --t-end 0.3 --points 1 --out a.csv --rtol 1e-9 --atol 1e-9 "
            "--columns out.energy,out.l7.x,out.j2.force",
            2 * cut);
        command_run_well(line);
        test_file csv = test_file_read("a.csv");
        assert_int_equal(command_csv_row(csv.bytes, 1, x[cut], 4), 4);
    }
    for (int k = 1; k < 4; k++) urdf_expect(x[1][k], x[0][k], 1e-5);
}

/* M, dg/dp, T, K and their patterns against differences. */
COMMAND_CLAIM(matrices_of_pieces_are_those_of_their_equations)
{
    char *text = chain(9);
    urdf_write_arm(text);
    command_result r = command_run_well("check arm.urdf -p cut=2 -p j1=0.5 -p j2=0.3 -p j3=-0.4 -p j5=0.2");
    command_expect_words(r.out.bytes, "constraint matrix");
}

static json_t *run_row(const char *options)
{
    const char *line = claims_text("solve arm.urdf --format json --quiet -p j1=0.3 -p j2=0.2 %s", options);
    command_result r = command_run_well(line);
    return command_row(&r);
}

/* Pieces of 16 joints, which move by 6 more: two times 22 columns at most touch the rows of one. A full J took 2 n
 * calls, and as many again to find that out. */
COMMAND_CLAIM(calls_do_not_grow_with_a_chain)
{
    enum { LONG = 1000 };
    char *text = chain(LONG);
    urdf_write_arm(text);
    json_t *row = run_row("--t-end 0.02");
    assert_true(command_number(row, "groups") < 48);
    assert_true(json_integer_value(json_object_get(json_object_get(row, "residual_calls"), "jacobian")) < 200);
    assert_true(command_number(row, "nnz") < 250.0 * LONG);
    assert_string_equal(json_string_value(json_object_get(row, "linear_solver")), "klu");
}

COMMAND_CLAIM(short_chains_are_not_cut)
{
    char *text = chain(90);
    urdf_write_arm(text);
    json_t *row = run_row("--t-end 0.01");
    urdf_expect(command_number(row, "n"), 180, 0);
    row = run_row("--t-end 0.01 -p cut=30"); /* two halves, of each 7 places, 7 speeds, 14 multipliers */
    urdf_expect(command_number(row, "n"), 180 + 2 * (7 + 7 + 14), 0);
}
