/* checkpointed.c - see checkpointed.h. */
#include "checkpointed.h"

#include <resida/checkpoint.h>

#include "program/base/complain.h"
#include "command/trajectory/data_file.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const double usual_every_s = 60;
static const long usual_steps = 10000; /* a restart costs some tens of steps */

int cmd_checkpointed_check(const cmd_settings *s)
{
    const struct {
        int is_asked;
        const char *what, *why;
    } misfits[] = {
        {s->repeat > 1, "--repeat", "must be measured without interruption"},
        {s->integrator != NULL, "--solver", "has a state that cannot be saved"},
        {s->animate != NULL, "--animate", "keeps its frames in memory"},
        {s->estimate_error, "--estimate-error", "is a second run"},
        {s->emit_patterns != NULL, "--emit-patterns", "is a second run"},
        {s->plot != NULL, "--plot", "keeps its rows in memory"},
        {s->events != NULL, "--events", "is a second file"},
        {s->out && strcmp(s->out, "-") == 0, "--out -", "cannot be truncated; give a file"},
    };
    if (!s->checkpoint) {
        const char *without = !isnan(s->checkpoint_every) ? "--checkpoint-every"
                              : s->checkpoint_steps > 0   ? "--checkpoint-steps"
                                                          : NULL;
        return without ? cmd_complain(CMD_EXIT_USAGE, "%s: needs --checkpoint FILE", without) : 0;
    }
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++)
        if (misfits[i].is_asked)
            return cmd_complain(CMD_EXIT_USAGE, "--checkpoint: cannot be used with %s, which %s", misfits[i].what,
                                misfits[i].why);
    if (s->out && (cmd_is_mat(s->out) || cmd_is_hdf5(s->out)))
        return cmd_complain(
            CMD_EXIT_USAGE,
            "--checkpoint: cannot be used with --out %s, whose rows are in memory until the end; use CSV", s->out);
    return 0;
}

/** Return 1 if the file exists and is not a checkpoint. Then it is not overwritten. */
static int is_other_file(const char *file)
{
    static const char head[] = "resida state\n";
    char there[sizeof head] = "";
    FILE *f = fopen(file, "rb");
    if (!f) return 0;
    const size_t n = fread(there, 1, sizeof head - 1, f);
    fclose(f);
    return n > 0 && strcmp(there, head) != 0;
}

/** Check that the checkpoint file can be written and is no other file. */
static int check_file(const char *file)
{
    struct stat there;
    cmd_out out;
    if (stat(file, &there) == 0 && !S_ISREG(there.st_mode))
        return cmd_complain(CMD_EXIT_USAGE, "--checkpoint %s: not a regular file", file);
    if (is_other_file(file))
        return cmd_complain(CMD_EXIT_USAGE,
                            "--checkpoint %s: the file exists and is not a checkpoint; it is not replaced", file);
    const int code = cmd_out_open(&out, file);
    if (code == 0) cmd_out_abort(&out);
    return code;
}

/** Check by a start of the job that its run can be saved. */
static int try_to_save(const cmd_job *job)
{
    cmd_handles h;
    resida_message why = {""};
    size_t size = 0;
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    const int is_open = status >= 0;
    if (is_open && cmd_handles_start(&h, job) < 0)
        status = RESIDA_OK; /* the run itself will report the failure */
    else if (is_open)
        status = resida_run_save(h.run, NULL, 0, NULL, 0, &size);
    if (status >= 0 && job->model->model.event && !job->model->model.state_is_all)
        return cmd_handles_close(&h), cmd_complain_model(CMD_EXIT_USAGE, job->model->cls->name,
                                                         "its state cannot be written to a file (state_is_all)");
    if (status < 0)
        cmd_complain_model(CMD_EXIT_USAGE, job->model->cls->name, is_open ? resida_solver_message(h.solver) : why.text);
    cmd_handles_close(&h);
    return status < 0 ? CMD_EXIT_USAGE : 0;
}

int cmd_checkpointed_open(cmd_checkpoint *c, cmd_job *job, cmd_files *files)
{
    const cmd_settings *s = job->settings;
    const cmd_saved *saved = s->saved;
    const cmd_out *trajectory = &files->rows;
    if (!s->checkpoint) return 0;
    *c = (cmd_checkpoint){.moments = cmd_moments_of_checkpoint,
                          .file = s->checkpoint,
                          .every_s = cmd_value_or(s->checkpoint_every, usual_every_s),
                          .argc = s->argc,
                          .argv = s->argv,
                          .trajectory = &files->rows,
                          .rows = &files->csv.rows,
                          .happened = files->events.list,
                          .n_happened = &files->events.rows,
                          .is_there = saved != NULL,
                          .from = saved};
    c->moments.steps = s->checkpoint_steps > 0 ? s->checkpoint_steps : usual_steps;
    c->moments.from = saved ? &saved->way : NULL;
    c->moments.self = c;
    if (trajectory->stream && !trajectory->unnamed)
        return cmd_complain(CMD_EXIT_USAGE, "--checkpoint: --out %s is not a regular file", s->out);
    int code = cmd_checkpoint_fingerprint(job->model, c->fingerprint);
    if (code != 0) return code;
    if (saved && strcmp(saved->fingerprint, c->fingerprint) != 0)
        return cmd_complain(CMD_EXIT_USAGE, "%s: the file of the model has changed since the checkpoint was written",
                            job->model->word);
    code = check_file(c->file);
    if (code == 0 && !saved) code = try_to_save(job);
    if (code == 0) job->moments = &c->moments;
    return code;
}

void cmd_checkpointed_explain(const cmd_job *job, const cmd_row *row)
{
    const cmd_checkpoint *c = job->moments ? job->moments->self : NULL;
    const char *late = resida_status_name(RESIDA_ERR_LIMIT_TIME);
    if (!c || row->outcome == CMD_OK) return;
    if (row->outcome != CMD_INTERRUPTED && !(row->code && strcmp(row->code, late) == 0)) return;
    if (c->is_there)
        cmd_complain(0, "to continue the run: resida resume %s", c->file);
    else
        cmd_complain(0, "%s is not written yet: the run cannot be continued (--checkpoint-every, --checkpoint-steps)",
                     c->file);
}
