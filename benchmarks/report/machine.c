/* machine.c - reads processor and system from /proc/cpuinfo and /etc/os-release of Linux, and versions from the
 * libraries and the build. Unknown items are omitted. */
#include "machine.h"

#include "program/builtin/peer.h"
#include "program/output/row.h"

#include <resida/solver.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/** Read the value after the first "key" followed by one of " \t:=\"" in a file, without quotes. */
static void find_value(const char *path, const char *key, char *value, size_t size)
{
    static const char between[] = " \t:=\"";
    char line[512];
    FILE *f = fopen(path, "r");
    value[0] = 0;
    while (f && !value[0] && fgets(line, sizeof line, f)) {
        size_t n = strlen(key);
        if (strncmp(line, key, n) != 0 || !strchr(between, line[n])) continue;
        const char *from = line + n + strspn(line + n, between);
        snprintf(value, size, "%.*s", (int)strcspn(from, "\"\n"), from);
    }
    if (f) fclose(f);
}

static double load_of_now(void)
{
    double load = -1;
    FILE *f = fopen("/proc/loadavg", "r");
    if (f && fscanf(f, "%lf", &load) != 1) load = -1;
    if (f) fclose(f);
    return load;
}

void cmd_machine_ask(cmd_machine *m)
{
    struct utsname name;
    struct tm utc;
    time_t now = time(NULL);
    *m = (cmd_machine){.cores = sysconf(_SC_NPROCESSORS_ONLN), .load = load_of_now()};
    find_value("/proc/cpuinfo", "model name", m->cpu, sizeof m->cpu);
    find_value("/etc/os-release", "PRETTY_NAME", m->system, sizeof m->system);
    if (uname(&name) == 0)
        snprintf(m->kernel, sizeof m->kernel, "%.30s %.50s %.30s", name.sysname, name.release, name.machine);
    if (gmtime_r(&now, &utc)) strftime(m->date, sizeof m->date, "%Y-%m-%d %H:%M UTC", &utc);
}

static void add(cmd_table *table, const char *what, const char *is)
{
    if (!is || !is[0]) return;
    cmd_table_cells(table, "%s\t%s", what, is);
}

static void add_versions(cmd_table *table)
{
    char sundials[32];
    add(table, "resida", resida_version());
    if (resida_sundials_version(sundials, sizeof sundials) >= 0) add(table, "SUNDIALS", sundials);
    add(table, "KLU", cmd_klu_version());
    add(table, "ColPack", cmd_colpack_version());
    add(table, "compiler", cmd_compiler());
    for (int i = 0; i < rsd_peer_count(); i++)
        add(table, rsd_peer_name(rsd_peer_at(i)), rsd_peer_version(rsd_peer_at(i)));
}

void cmd_machine_fill(cmd_table *table, const cmd_machine *before, const cmd_machine *after)
{
    char text[64];
    cmd_table_begin(table, "<item\t<value");
    add(table, "processor", before->cpu);
    snprintf(text, sizeof text, "%ld", before->cores);
    add(table, "cores", before->cores > 0 ? text : "");
    add(table, "system", before->system);
    add(table, "kernel", before->kernel);
    add(table, "started", before->date);
    add(table, "finished", after->date);
    snprintf(text, sizeof text, "%.2f before, %.2f after", before->load, after->load);
    add(table, "load average", before->load >= 0 ? text : "");
    add_versions(table);
}
