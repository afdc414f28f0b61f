/* cmd_pattern.c - which entries the Jacobian of a model has, and in which groups its columns are differenced. A short
 * integration comes first (1 % of the interval, at most 20 steps), because the pattern is found on the way. */
#include "commands.h"

#include "complain.h"
#include "json_line.h"
#include "pattern.h"
#include "row_json.h"
#include "signals.h"

static const double part = 0.01; /* of the interval */
enum { STEPS_MAX = 20 };

/** @return RESIDA_OK; a failure; RESIDA_INTERRUPTED by a signal */
static resida_status integrate(const bench_handles *h, const bench_job *job)
{
    double t0 = job->model->model.t0, t_end = t0 + part * (job->t_end - t0);
    resida_state state = {.t = t0};
    resida_status status = bench_handles_start(h, job);
    for (int k = 0; k < STEPS_MAX && status >= 0 && state.t < t_end; k++) {
        if (bench_signal_caught()) return RESIDA_INTERRUPTED;
        status = resida_solver_step(h->solver, job->t_end);
        if (status >= 0) status = resida_solver_state(h->solver, &state);
    }
    return status < 0 ? status : RESIDA_OK;
}

static resida_status take(bench_pattern *p, const bench_handles *h, const bench_job *job)
{
    const resida_jacobian *engine = resida_solver_jacobian(h->solver);
    resida_stats stats = {.size = sizeof stats};
    resida_state state;
    *p = (bench_pattern){.job = job, .formalism = resida_problem_formalism(h->problem)};
    p->form = resida_problem_form(h->problem);
    p->strategy = resida_jacobian_strategy(engine);
    p->method = resida_jacobian_grouping(engine);
    resida_status status = resida_solver_state(h->solver, &state);
    if (status >= 0) status = resida_solver_stats(h->solver, &stats);
    if (status >= 0) status = resida_problem_layout(h->problem, &p->layout);
    if (status >= 0) status = resida_jacobian_get_matrix(engine, &p->J);
    if (status >= 0) status = resida_jacobian_get_counts(engine, &p->counts);
    if (status < 0) return status;
    p->t = state.t;
    p->steps = stats.steps;
    status = resida_jacobian_get_groups(engine, &p->group, &p->n_groups);
    if (status == RESIDA_ERR_STATE) p->group = NULL; /* column by column */
    return status == RESIDA_ERR_STATE ? RESIDA_OK : status;
}

static json_t *numbers(const int *x, int n)
{
    json_t *array = x ? json_array() : json_null();
    for (int i = 0; array && x && i < n; i++)
        if (json_array_append_new(array, json_integer(x[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *pattern_json(const bench_pattern *p)
{
    const bench_model *m = p->job->model;
    int grouped = p->group != NULL;
    const struct {
        const char *key;
        json_t *value;
    } members[] = {
        {"problem", bench_json_text(m->cls->name)},
        {"params", bench_parameters_json(m)},
        {"formalism", bench_json_text(p->formalism)},
        {"form", bench_json_text(p->form)},
        {"jacobian", bench_json_text(p->strategy)},
        {"t", bench_json_real(p->t)},
        {"steps", bench_json_count(p->steps)},
        {"n", bench_json_count(p->J.n)},
        {"nnz", bench_json_count(p->J.nnz)},
        {"groups", bench_json_count(grouped ? p->n_groups : -1)},
        {"groups_bound", bench_json_count(grouped ? p->counts.groups_bound : -1)},
        {"method", bench_json_text(grouped ? p->method : NULL)},
        {"group", numbers(p->group, p->J.n)},
        {"column_start", numbers(p->J.start, p->J.n + 1)},
        {"row", numbers(p->J.row, p->J.nnz)},
    };
    json_t *object = json_object();
    int failed = 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        failed |= bench_json_put(object, members[i].key, members[i].value) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

static int show(const bench_pattern *p, bench_picture *picture)
{
    if (picture->script) {
        bench_pattern_draw(p, picture);
        int code = bench_picture_commit(picture);
        if (code != 0) return code;
    }
    if (p->job->settings->format == BENCH_TEXT) bench_pattern_text(p, stdout);
    if (p->job->settings->format == BENCH_JSON && bench_json_line(pattern_json(p), stdout) != 0)
        return bench_complain_io("write", "standard output");
    return 0;
}

static int run(const bench_job *job, bench_picture *picture)
{
    bench_handles h;
    bench_pattern p;
    resida_message why = {""};
    resida_status status = bench_handles_open(&h, job, NULL, NULL, &why);
    const char *reason = why.text;
    if (status >= 0) {
        status = integrate(&h, job);
        reason = resida_solver_message(h.solver);
    }
    if (status == RESIDA_OK) status = take(&p, &h, job);
    int code = 0;
    if (status == RESIDA_INTERRUPTED)
        code = 128 + bench_signal_caught();
    else if (status < 0)
        code = bench_complain_model(BENCH_EXIT_FAILED, job->model->cls->name,
                                    reason[0] ? reason : resida_status_name(status));
    else
        code = show(&p, picture);
    bench_handles_close(&h);
    return code;
}

static int pattern(const bench_model *model, const bench_settings *s)
{
    bench_job job;
    bench_picture picture = {0};
    int code = bench_job_make(&job, model, s, 1);
    if (!s->jacobian) job.jacobian = "sparse";
    if (code == 0) code = bench_job_probe(&job);
    if (code == 0 && s->out) code = bench_pattern_open_picture(&picture, s->out);
    if (code == 0) code = run(&job, &picture);
    bench_picture_abort(&picture);
    return code;
}

int bench_cmd_pattern(const bench_settings *s)
{
    bench_model model;
    if (s->n_words == 0) return bench_complain(BENCH_EXIT_USAGE, "pattern: which model? 'resida models' lists them");
    if (s->n_words > 1)
        return bench_complain(BENCH_EXIT_USAGE, "pattern: one model only, there is '%s' after '%s'", s->words[1],
                              s->words[0]);
    int code = s->out ? bench_picture_check(s->out) : 0;
    if (code == 0) code = bench_models_open(&model, 1, (const char *const *)s->words, s);
    if (code != 0) return code;
    code = pattern(&model, s);
    bench_models_close(&model, 1);
    return code;
}
