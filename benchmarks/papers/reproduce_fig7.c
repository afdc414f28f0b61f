/* reproduce_fig7.c - Figure 7 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics: for the chain of N = 16 pendulums, the times of Jacobian evaluations (16), dotted,
 * and of updates (26), dashed, over the sine of the support. The upper panel is "dense", the lower one
 * "dense+extended". Evaluations are counted for both readings of omega; the picture shows the first reading. The time
 * of an evaluation is the end of the step that required it. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"

enum { N = 16, WIDTH = 1000, HEIGHT = 640, N_PANELS = CMD_FIG7_PANELS };

/** A panel of the figure, and the number of evaluations stated in the paper's text. */
static const struct {
    const char *strategy;
    int evaluations;
} panels[N_PANELS] = {
#define ROW(strategy, evaluations) {strategy, evaluations},
#include "fig7.csv.inc"
};

static int measure(cmd_timeline *line, const cmd_settings *s, double omega, int panel)
{
    const cmd_case chain = {.model = "chain",
                            .formalism = (resida_formalism)s->formalism,
                            .rtol = 1e-4,
                            .atol = 1e-6,
                            .t_end = 200,
                            .parameter_names = {"n", "omega"},
                            .values = {N, omega}};
    cmd_settings own = *s;
    cmd_open_case c;
    own.solver.stability_detection = 0; /* the codes of the paper have none */
    own.solver.min_order = 1;
    int code = cmd_case_open(&c, &own, &chain);
    c.job.jacobian = panels[panel].strategy;
    if (code == 0) code = cmd_timeline_run(line, &c.job);
    if (code == CMD_EXIT_FAILED) cmd_complain(code, "fig7, %s: %s", panels[panel].strategy, line->message);
    cmd_case_close(&c);
    return code;
}

int cmd_fig7_measure(cmd_timeline *lines, const cmd_settings *s)
{
    int code = 0;
    for (int i = 0; i < CMD_FIG7_LINES; i++) lines[i] = (cmd_timeline){.t_reached = 0};
    for (int i = 0; i < CMD_FIG7_LINES && code == 0; i++)
        code = measure(&lines[i], s, cmd_omega[i / N_PANELS], i % N_PANELS);
    return code;
}

static void data(FILE *f, const char *name, int panel, const cmd_times *times)
{
    fprintf(f, "$%s%d << END\n", name, panel);
    for (long i = 0; i < times->n; i++) fprintf(f, "%.9g\n", times->t[i]);
    fputs("END\n", f);
}

void cmd_fig7_draw(const cmd_timeline *lines, const cmd_picture *picture)
{
    FILE *f = picture->script;
    fprintf(f, "set multiplot layout %d,1\nset xrange [0:200]\nset yrange [-1.2:1.2]\nset samples 1000\n", N_PANELS);
    fputs("set tics out nomirror\nset ytics 1\nset ylabel 'sin(ωt)'\nset key above horizontal right\n", f);
    for (int k = 0; k < N_PANELS; k++) {
        const cmd_timeline *line = &lines[k];
        data(f, "evaluations", k, &line->evaluations);
        data(f, "updates", k, &line->updates);
        fprintf(f, "set title '%s: %ld evaluations of the Jacobian (paper: %d), %ld updates'\n", panels[k].strategy,
                line->evaluations.n, panels[k].evaluations, line->updates.n);
        if (k + 1 == N_PANELS) fputs("set xlabel 't [s]'\n", f);
        fprintf(f, "plot sin(%.17g*x) title 'support' with lines lw 1.5 lc rgb '#808080'", cmd_omega[0]);
        if (line->updates.n > 0)
            fprintf(f,
                    ", $updates%d using 1:(-1):(0):(2) title 'updates' with vectors nohead dt 2 lw 1 lc rgb '#6090d0'",
                    k);
        fprintf(f,
                ", $evaluations%d using 1:(-1.2):(0):(2.4) title 'evaluations' with vectors nohead dt 3 lw 2.5 lc rgb "
                "'#c03020'\n",
                k);
    }
    fputs("unset multiplot\n", f);
}

static json_t *line_json(const void *lines, int i)
{
    const cmd_timeline *line = (const cmd_timeline *)lines + i;
    const double omega = cmd_omega[i / N_PANELS];
    const int panel = i % N_PANELS;
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(CMD_PAPER ", Figure 7")},
                               {"jacobian_evaluations", cmd_json_count(panels[panel].evaluations)});
    return CMD_OBJECT({"problem", cmd_json_text("chain")}, {"n", cmd_json_count(N)}, {"omega", cmd_json_real(omega)},
                      {"jacobian", cmd_json_text(panels[panel].strategy)}, {"steps", cmd_json_count(line->stats.steps)},
                      {"residual_calls", cmd_json_count(line->stats.residual_calls.total)},
                      {"evaluations_at", cmd_json_reals(line->evaluations.t, line->evaluations.n, 1)},
                      {"updates_at", cmd_json_reals(line->updates.t, line->updates.n, 1)}, {"published", paper});
}

static void add_text(cmd_table *table, const cmd_timeline *line, int reading, int panel)
{
    cmd_table_cells(table, "%s\t%s\t%ld\t%ld\t%ld\t%ld\t%d", cmd_omega_name[reading], panels[panel].strategy,
                    line->stats.steps, line->stats.residual_calls.total, line->evaluations.n, line->updates.n,
                    panels[panel].evaluations);
}

void cmd_fig7_fill(cmd_table *table, const cmd_timeline *lines)
{
    cmd_table_begin(table, "<omega=omega [rad/s]\t<jacobian=Jacobian\tsteps\t#fc=residual calls\t"
                           "#Je=evaluations of J\t#up=updates of J\t#Je=evaluations@paper");
    for (int i = 0; i < CMD_FIG7_LINES; i++) add_text(table, &lines[i], i / N_PANELS, i % N_PANELS);
}

static void print_text(const void *lines, const char *path)
{
    cmd_table table;
    cmd_fig7_fill(&table, lines);
    puts("Figure 7 of " CMD_PAPER ":\nchain of 16 pendulums, ATOL = 1e-6, RTOL = 1e-4, 200 s; the \"0.05 Hz\" of the "
         "support as 2 pi 0.05 and as 0.05 rad/s\n");
    cmd_table_print(&table, 2, stdout);
    printf("\n#Je: Jacobian evaluations; #up: Jacobian updates without evaluation; #fc: all residual calls. Picture, "
           "for the\nfirst omega: %s\n",
           path);
}

static int measure_all(void *lines, const cmd_settings *s)
{
    return cmd_fig7_measure(lines, s);
}

static void draw(const void *lines, const cmd_picture *picture)
{
    cmd_fig7_draw(lines, picture);
}

int cmd_reproduce_fig7(const cmd_settings *s)
{
    const cmd_drawing drawing = {WIDTH, HEIGHT, measure_all, draw, print_text, line_json, CMD_FIG7_LINES};
    cmd_timeline lines[CMD_FIG7_LINES] = {{.t_reached = 0}};
    const int code = cmd_drawing_make(&drawing, lines, s);
    for (int i = 0; i < CMD_FIG7_LINES; i++) cmd_timeline_free(&lines[i]);
    return code;
}
