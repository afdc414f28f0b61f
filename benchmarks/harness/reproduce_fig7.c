/* reproduce_fig7.c - Figure 7 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time
 * integration in multibody dynamics: for the chain of N = 16 pendulums the times of Jacobian evaluations (16), dotted,
 * and of updates (26), dashed, over the sine of the support. Above "dense", below "dense+extended". Both readings of
 * omega are counted; the picture is that of the first one. A time is the end of the step that needed it. */
#include "reproduce.h"

#include "complain.h"
#include "json_line.h"
#include "picture.h"
#include "text_table.h"
#include "timeline.h"

enum { N = 16, WIDTH = 1000, HEIGHT = 640, N_PANELS = 2 };

/** A panel of the figure, and the evaluations that its text tells. */
static const struct {
    const char *strategy;
    int evaluations;
} panels[N_PANELS] = {{"dense", 43}, {"dense+extended", 6}};

static const bench_column columns[] = {
    {"omega", 1}, {"jacobian", 1}, {"steps", 0}, {"#fc", 0}, {"#Je", 0}, {"#up", 0}, {"| paper: #Je", 0},
};

static int measure(bench_timeline *line, const bench_settings *s, double omega, int panel)
{
    bench_chain_case c;
    bench_job job;
    int code = bench_chain_case_open(&c, s, N, omega);
    if (code != 0) return code;
    code = bench_job_make(&job, &c.model, &c.settings, 1);
    job.jacobian = panels[panel].strategy;
    if (code == 0) code = bench_timeline_run(line, &job);
    if (code == BENCH_EXIT_FAILED) bench_complain(code, "fig7, %s: %s", panels[panel].strategy, line->message);
    bench_chain_case_close(&c);
    return code;
}

static void data(FILE *f, const char *name, int panel, const bench_times *times)
{
    fprintf(f, "$%s%d << END\n", name, panel);
    for (long i = 0; i < times->n; i++) fprintf(f, "%.9g\n", times->t[i]);
    fputs("END\n", f);
}

static void draw(const bench_timeline *lines, const bench_picture *picture)
{
    FILE *f = picture->script;
    fprintf(f, "set multiplot layout %d,1\nset xrange [0:200]\nset yrange [-1.2:1.2]\nset samples 1000\n", N_PANELS);
    fputs("set tics out nomirror\nset ytics 1\nset ylabel 'sin(ωt)'\nset key above horizontal right\n", f);
    for (int k = 0; k < N_PANELS; k++) {
        const bench_timeline *line = &lines[k];
        data(f, "evaluations", k, &line->evaluations);
        data(f, "updates", k, &line->updates);
        fprintf(f, "set title '%s: %ld evaluations of the Jacobian (paper: %d), %ld updates'\n", panels[k].strategy,
                line->evaluations.n, panels[k].evaluations, line->updates.n);
        if (k + 1 == N_PANELS) fputs("set xlabel 't [s]'\n", f);
        fprintf(f, "plot sin(%.17g*x) title 'support' with lines lw 1.5 lc rgb '#808080'", bench_omega[0]);
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

static json_t *times_json(const bench_times *times)
{
    json_t *array = json_array();
    for (long i = 0; array && i < times->n; i++)
        if (json_array_append_new(array, bench_json_real(times->t[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *line_json(const bench_timeline *line, double omega, int panel)
{
    json_t *object = json_object(), *paper = json_object();
    int failed =
        bench_json_put(paper, "source", bench_json_text(BENCH_PAPER ", Figure 7")) |
        bench_json_put(paper, "jacobian_evaluations", bench_json_count(panels[panel].evaluations)) |
        bench_json_put(object, "problem", bench_json_text("chain")) | bench_json_put(object, "n", bench_json_count(N)) |
        bench_json_put(object, "omega", bench_json_real(omega)) |
        bench_json_put(object, "jacobian", bench_json_text(panels[panel].strategy)) |
        bench_json_put(object, "steps", bench_json_count(line->stats.steps)) |
        bench_json_put(object, "residual_calls", bench_json_count(line->stats.residual_calls.total)) |
        bench_json_put(object, "evaluations_at", times_json(&line->evaluations)) |
        bench_json_put(object, "updates_at", times_json(&line->updates)) | bench_json_put(object, "published", paper);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

static void add_text(bench_table *table, const bench_timeline *line, int reading, int panel)
{
    bench_table_cell(table, "%s", bench_omega_name[reading]);
    bench_table_cell(table, "%s", panels[panel].strategy);
    bench_table_cell(table, "%ld", line->stats.steps);
    bench_table_cell(table, "%ld", line->stats.residual_calls.total);
    bench_table_cell(table, "%ld", line->evaluations.n);
    bench_table_cell(table, "%ld", line->updates.n);
    bench_table_cell(table, "| %d", panels[panel].evaluations);
}

static void print_text(const bench_table *table, const char *path)
{
    puts("Figure 7 of " BENCH_PAPER ":\n"
         "chain of 16 pendulums, ATOL = 1e-6, RTOL = 1e-4, 200 s; the support's \"0.05 Hz\" as 2 pi 0.05 and as 0.05 "
         "rad/s\n");
    bench_table_print(table, 2, stdout);
    printf(
        "\n#Je: Jacobians evaluated; #up: updated without evaluation; #fc: residual calls, all. The picture, with the "
        "first\nomega, is %s\n",
        path);
}

/** Every reading and panel in their order: [reading * N_PANELS + panel]. */
static int show(const bench_timeline *lines, const bench_settings *s, const char *path)
{
    bench_table table;
    int code = 0;
    bench_table_init(&table, columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < BENCH_READINGS * N_PANELS && code == 0; i++) {
        int reading = i / N_PANELS, panel = i % N_PANELS;
        if (s->format == BENCH_TEXT)
            add_text(&table, &lines[i], reading, panel);
        else if (bench_json_line(line_json(&lines[i], bench_omega[reading], panel), stdout) != 0)
            code = bench_complain_io("write", "standard output");
    }
    if (s->format == BENCH_TEXT) print_text(&table, path);
    bench_table_free(&table);
    return code;
}

int bench_reproduce_fig7(const bench_settings *s)
{
    bench_timeline lines[BENCH_READINGS * N_PANELS] = {{.t_reached = 0}};
    bench_picture picture = {0};
    const char *path = s->out ? s->out : "fig7.svg";
    int code = bench_picture_open(&picture, path, WIDTH, HEIGHT);
    for (int i = 0; i < BENCH_READINGS * N_PANELS && code == 0; i++)
        code = measure(&lines[i], s, bench_omega[i / N_PANELS], i % N_PANELS);
    if (code == 0) {
        draw(lines, &picture);
        code = bench_picture_commit(&picture);
    }
    if (code == 0) code = show(lines, s, path);
    for (int i = 0; i < BENCH_READINGS * N_PANELS; i++) bench_timeline_free(&lines[i]);
    bench_picture_abort(&picture);
    return code;
}
