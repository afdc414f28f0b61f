/* counted_process.c - see counted_process.h. */
#include "counted_process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int counted_find(char *path, size_t size)
{
    static const char program[] = "/peers/measure_overhead";
    const ssize_t n = size > sizeof program ? readlink("/proc/self/exe", path, size - sizeof program) : -1;
    if (n <= 0) return -1;
    path[n] = 0;
    strcpy(strrchr(path, '/'), program);
    return access(path, X_OK);
}

counted_process counted_begin(const char *self, const char *what, const char *kind)
{
    char command[1000];
    const int length =
        snprintf(command, sizeof command,
                 "valgrind --tool=callgrind --callgrind-out-file=/dev/null '--toggle-collect=integrate_*' "
                 "'--toggle-collect=model_*' '%s' %s %s 2>&1",
                 self, what, kind);
    fflush(NULL);
    return (counted_process){length < (int)sizeof command ? popen(command, "r") : NULL};
}

double counted_end(counted_process *p, long *steps)
{
    char line[300];
    double counted = 0, all;
    *steps = 0;
    while (p->out && fgets(line, sizeof line, p->out)) {
        const char *at = strstr(line, "Collected :");
        if (at && sscanf(at, "Collected : %lf", &all) == 1) counted = all;
        if (line[0] != '=') *steps = strtol(line, NULL, 10);
    }
    return p->out && pclose(p->out) == 0 && *steps > 0 ? counted / (double)*steps : 0;
}
