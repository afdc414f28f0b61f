/* page.c - the page: head, contents, options and outcomes, sections, machine. */
#include "report.h"

#include "program/output/html.h"

#include <resida/solver.h>

enum { HEADING = 200 };

/** Write the head. The page is named after its models, if they are named. */
static void put_head(FILE *f, const cmd_report_work *r)
{
    char heading[HEADING];
    const char *models = r->settings->model_names;
    snprintf(heading, sizeof heading, models ? "Report on %.150s" : "resida report", models);
    cmd_html_head(f, cmd_page_style, heading, r->before.date);
    cmd_html_paragraph(f, "Measured on %s, resida %s, %s, %ld cores.", r->before.date, resida_version(),
                       r->before.cpu[0] ? r->before.cpu : "unknown processor", r->before.cores);
    fputs("</header>\n", f);
}

static const char outcome_title[] = "Measurements and results";

static void put_entry(FILE *f, const char *id, const char *words, const char *behind)
{
    fprintf(f, "<li><a href=\"#%s\">", id);
    cmd_html_text(f, words);
    fprintf(f, "</a>%s</li>\n", behind);
}

/** Return a note about missing results after a signal (code), or NULL. */
static const char *missing(FILE *body, int is_last, int code)
{
    if (!body) return "Not measured, because the report was interrupted before.";
    return is_last && code != 0 ? "The report was interrupted here. The remainder of this section was not measured."
                                : NULL;
}

static void put_contents(FILE *f, const cmd_section *const *sections, FILE *const *bodies, int n, int code)
{
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", f);
    put_entry(f, "outcome", outcome_title, "");
    for (int i = 0; i < n; i++) {
        int is_last = i + 1 == n || !bodies[i + 1];
        put_entry(f, sections[i]->name, sections[i]->title, missing(bodies[i], is_last, code) ? " (incomplete)" : "");
    }
    put_entry(f, "machine", "Machine and versions", "");
    fputs("</ul>\n</nav>\n<main>\n", f);
}

static void put_outcome(FILE *f, const cmd_report_work *r)
{
    const char *line = r->settings->command_line;
    fputs("<section>\n", f);
    cmd_html_heading(f, 2, "outcome", outcome_title);
    cmd_html_paragraph(f, "resida-bench report%s%s", line[0] ? " " : "", line);
    if (r->failed > 0) cmd_html_paragraph(f, "%d runs or parts failed. The sections contain the reasons.", r->failed);
    if (r->kept.n_kept > 0)
        cmd_html_paragraph(f, "%ld of %ld runs are results of an earlier report with the same options, read from %s.",
                           r->kept.n_kept, r->kept.n_kept + r->kept.n_measured, r->kept.folder);
    if (r->outcomes.n_cells > 0)
        cmd_html_table(f, &r->outcomes, 1, "Summary");
    else
        cmd_html_paragraph(f, "No measurement was completed.");
    cmd_html_paragraph(f, "Times depend on the machine and its load. Counts repeat exactly.");
    fputs("</section>\n", f);
}

static void put_section(FILE *f, const cmd_section *section, FILE *body, const char *note)
{
    fputs("<section>\n", f);
    cmd_html_heading(f, 2, section->name, section->title);
    if (note) {
        fputs("<p class=\"note\"><strong>", f);
        cmd_html_text(f, note);
        fputs("</strong></p>\n", f);
    }
    if (body) (void)cmd_copy(body, f); /* the error flag of the stream is checked later */
    fputs("</section>\n", f);
}

static void put_machine(FILE *f, const cmd_report_work *r)
{
    cmd_machine after;
    cmd_table table;
    cmd_machine_ask(&after);
    cmd_machine_fill(&table, &r->before, &after);
    cmd_table_cells(&table, "options\t%s", r->settings->command_line[0] ? r->settings->command_line : "none");
    fputs("<section>\n", f);
    cmd_html_heading(f, 2, "machine", "Machine and versions");
    cmd_html_table(f, &table, 0, "Machine and versions of the measurements");
    fputs("</section>\n", f);
    cmd_table_free(&table);
}

void cmd_page_write(FILE *f, const cmd_report_work *r, const cmd_section *const *sections, FILE *const *bodies, int n,
                    int code)
{
    put_head(f, r);
    put_contents(f, sections, bodies, n, code);
    put_outcome(f, r);
    for (int i = 0; i < n; i++)
        put_section(f, sections[i], bodies[i], missing(bodies[i], i + 1 == n || !bodies[i + 1], code));
    put_machine(f, r);
    fputs("</main>\n</body>\n</html>\n", f);
}
