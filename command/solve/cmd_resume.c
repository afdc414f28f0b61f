/* cmd_resume.c - continues a run of `solve --checkpoint FILE`: with the words of its command line, in its working
 * directory, from the state in the file. The file continues to be written. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "program/cli/inputs.h"
#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int continue_run(const cmd_saved *saved, char *file)
{
    cmd_settings s;
    int code = cmd_settings_parse(&s, saved->argv[0], CMD_SOLVE, saved->argc, saved->argv);
    if (code == 0 && !s.checkpoint)
        code = cmd_complain(CMD_EXIT_USAGE, "%s: the run was started without --checkpoint", file);
    if (code == 0) {
        s.checkpoint = file; /* the current path of the file */
        s.saved = saved;
        code = cmd_check_no_overwrite(&s);
    }
    if (code == 0) code = cmd_cmd_solve(&s);
    cmd_settings_free(&s);
    return code;
}

int cmd_cmd_resume(const cmd_settings *s)
{
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, "resume: give one FILE, which 'resida solve --checkpoint FILE' has "
                                            "written; it contains all other settings");
    cmd_saved saved;
    char *file = NULL;
    int code = cmd_saved_read(&saved, s->words[0]);
    if (code == 0 && !(file = realpath(s->words[0], NULL))) code = cmd_complain_unread(s->words[0]);
    if (code == 0 && (saved.argc < 1 || strcmp(saved.argv[0], "solve") != 0))
        code = cmd_complain(CMD_EXIT_USAGE, "%s: not a checkpoint of 'resida solve'", s->words[0]);
    if (code == 0 && chdir(saved.folder) != 0) code = cmd_complain_unread(saved.folder);
    if (code == 0) code = continue_run(&saved, file);
    free(file);
    cmd_saved_free(&saved);
    return code;
}
