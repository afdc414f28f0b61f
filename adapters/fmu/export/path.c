/* path.c - the path in a file URI (RFC 8089): "file:///a%20b" or "file:/a%20b". FMI 2.0 has URIs, FMI 3.0 paths. */
#include "component.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

static void unescape(char *to, const char *from)
{
    enum { BASE = 16 };
    for (; *from; from++) {
        const int is_escaped = from[0] == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2]);
        *to++ = is_escaped ? (char)(BASE * digit(from[1]) + digit(from[2])) : *from;
        if (is_escaped) from += 2;
    }
    *to = 0;
}

char *component_path(const char *uri)
{
    static const char scheme[] = "file:", local[] = "//localhost/";
    const size_t n = strlen(scheme);
    if (!uri || !*uri) return NULL;
    if (strncmp(uri, scheme, n) != 0) return strdup(uri);
    const char *from = uri + n;
    if (strncmp(from, local, strlen(local)) == 0) from += strlen(local) - 1;
    if (strncmp(from, "//", 2) == 0) from += 2;
    char *path = calloc(strlen(from) + 1, 1);
    if (path) unescape(path, from);
    return path;
}
