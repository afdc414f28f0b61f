/* xml.c - reads XML with expat. Document types, and thus entities, are rejected; depth and size are limited.
 *
 * Numbers are read by strtod() in the C locale, independently of the locale of the program. */
#define _GNU_SOURCE /* strtod_l() */
#include "xml.h"

#include "fail.h"

#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, DECIMAL = 10 };
static const char blanks[] = " \t\r\n";

typedef struct reading {
    XML_Parser parser;
    fmu_element_fn *begin;
    void *self;
    resida_message *why;
    int depth, ended;
} reading;

static const char *strip_prefix(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static void end_reading(reading *r)
{
    r->ended = 1;
    XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_begin(void *user, const XML_Char *name, const XML_Char **attributes)
{
    reading *r = user;
    if (r->ended) return;
    if (++r->depth > DEEPEST) {
        fmu_fail(r->why, "elements are nested more than %d deep", DEEPEST);
        end_reading(r);
    } else {
        const long line = (long)XML_GetCurrentLineNumber(r->parser);
        if (r->begin(r->self, line, r->depth, strip_prefix(name), (const char **)attributes) == 0) return;
        const resida_message reason = *r->why;
        fmu_fail(r->why, "line %ld: %.480s", line, reason.text);
        end_reading(r);
    }
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    (void)name;
    ((reading *)user)->depth--;
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                               int internal)
{
    reading *r = user;
    (void)name, (void)system, (void)public, (void)internal;
    fmu_fail(r->why, "it contains a document type declaration, which FMI does not allow");
    end_reading(r);
}

/* Parse a document, whose size fmu_archive_read() has limited. */
static int parse_document(reading *r, const char *bytes, size_t size)
{
    if (XML_Parse(r->parser, bytes, (int)size, XML_TRUE) == XML_STATUS_OK) return 0;
    if (r->ended) return -1;
    return fmu_fail(r->why, "line %lu: %s", (unsigned long)XML_GetCurrentLineNumber(r->parser),
                    XML_ErrorString(XML_GetErrorCode(r->parser)));
}

int fmu_xml_read(fmu_archive *a, const char *file, fmu_element_fn *begin, void *self, resida_message *why)
{
    size_t size = 0;
    char *bytes = fmu_archive_read(a, file, &size, why);
    if (!bytes) return why->text[0] ? -1 : fmu_fail(why, "missing in the archive");
    reading r = {.parser = XML_ParserCreate(NULL), .begin = begin, .self = self, .why = why};
    if (!r.parser) return free(bytes), fmu_no_memory(why);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_begin, on_end);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    const int done = parse_document(&r, bytes, size);
    XML_ParserFree(r.parser);
    free(bytes);
    return done;
}

int fmu_are_equal(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

const char *fmu_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(strip_prefix(attributes[0]), name) == 0) return attributes[1];
    return NULL;
}

int fmu_attribute_flag(const char **attributes, const char *name)
{
    const char *text = fmu_attribute(attributes, name);
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static double parse_number(const char *text, char **end)
{
    static locale_t plain; /* made once, never freed */
    if (!plain) plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return plain ? strtod_l(text, end, plain) : strtod(text, end);
}

int fmu_next_double(const char **list, double *value)
{
    char *end = NULL;
    *list += strspn(*list, blanks);
    if (!**list) return 0;
    const size_t n = strcspn(*list, blanks);
    if ((n == strlen("true") && strncmp(*list, "true", n) == 0) ||
        (n == strlen("false") && strncmp(*list, "false", n) == 0)) {
        *value = **list == 't';
        *list += n;
        return 1;
    }
    *value = parse_number(*list, &end);
    if (end != *list + n) return -1;
    *list = end;
    return 1;
}

int fmu_next_reference(const char **list, uint32_t *value)
{
    char *end = NULL;
    *list += strspn(*list, blanks);
    if (!**list) return 0;
    if (**list < '0' || **list > '9') return -1;
    errno = 0;
    const unsigned long long got = strtoull(*list, &end, DECIMAL);
    if (errno != 0 || got > UINT32_MAX || (*end && !strchr(blanks, *end))) return -1;
    *value = (uint32_t)got;
    *list = end;
    return 1;
}

int fmu_read_double(const char *text, double *value)
{
    double more;
    return fmu_next_double(&text, value) == 1 && fmu_next_double(&text, &more) == 0 ? 1 : -1;
}

int fmu_attribute_double(const char **attributes, const char *name, double *value)
{
    const char *text = fmu_attribute(attributes, name);
    return text ? fmu_read_double(text, value) : 0;
}

int fmu_attribute_reference(const char **attributes, const char *name, uint32_t *value)
{
    const char *text = fmu_attribute(attributes, name);
    if (!text) return 0;
    uint32_t more;
    return fmu_next_reference(&text, value) == 1 && fmu_next_reference(&text, &more) == 0 ? 1 : -1;
}
