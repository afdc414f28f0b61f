/* test_linking.c - what the linker made of resida: one SUNDIALS, names that meet those of another library in the same
 * process, tables that nobody can write to, and a static program by what pkg-config says. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/wait.h>

#include "test/fixtures/file_util.h"

#include <resida/resida.h>

enum { REFUSED = 10, MAX_TEXT = 30000 };

/* What a program prints, and its exit code. */
static int run(const char *program, char text[MAX_TEXT])
{
    FILE *pipe = popen(program, "r");
    assert_non_null(pipe);
    text[fread(text, 1, MAX_TEXT - 1, pipe)] = 0;
    int how = pclose(pipe);
    if (!WIFEXITED(how)) fail_msg("%s: ended by signal %d", program, WTERMSIG(how));
    return WEXITSTATUS(how);
}

static void a_host_with_names_of_sundials_gets_words_or_right_results(void **state)
{
    char text[MAX_TEXT];
    int code = run(test_environment("RESIDA_FOREIGN_HOST"), text);
    if (RESIDA_TEST_ISOLATED) {
        if (code != 0) fail_msg("exit code %d: %s", code, text);
        return;
    }
    if (code != REFUSED) fail_msg("exit code %d: %s", code, text);
    if (!strstr(text, "libforeign_sundials") || !strstr(text, "-Disolated=true")) fail_msg("it says %s", text);
}

#ifdef RESIDA_TEST_ISOLATED_LIBRARY
static void an_isolated_library_is_right_beside_a_host_with_the_same_names(void **state)
{
    char text[MAX_TEXT];
    int code = run(test_environment("RESIDA_FOREIGN_HOST_ISOLATED"), text);
    if (code != 0) fail_msg("exit code %d: %s", code, text);
}

static void an_isolated_library_shows_nobody_its_sundials(void **state)
{
    static const char *const hidden[] = {
        "IDAInit",    "IDASolve",  "SUNContext_Create", "SUNDIALSGetVersionNumber", "dgetrf_", "xerbla_",
        "klu_factor", "amd_order", "N_VClone",          "SuiteSparse_malloc"};
    void *library = dlopen(test_environment("RESIDA_ISOLATED"), RTLD_NOW | RTLD_LOCAL);
    if (!library) fail_msg("%s", dlerror());
    assert_non_null(dlsym(library, "resida_solver_create"));
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (dlsym(library, hidden[i])) fail_msg("%s is seen", hidden[i]);
    dlclose(library);
}
#endif

/* A file's dynamic section. */
typedef struct dynamic {
    test_file file;
    const ElfW(Dyn) * entry;
    const char *strings;
    int has_relro;
} dynamic;

static const void *at_address(const dynamic *d, ElfW(Addr) address)
{
    const ElfW(Ehdr) *header = (const void *)d->file.bytes;
    const ElfW(Phdr) *part = (const void *)(d->file.bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && address >= part[i].p_vaddr && address < part[i].p_vaddr + part[i].p_filesz)
            return d->file.bytes + part[i].p_offset + (address - part[i].p_vaddr);
    fail_msg("no such address");
    return NULL;
}

static dynamic read_dynamic(const char *path)
{
    dynamic d = {.file = test_file_read(path)};
    const ElfW(Ehdr) *header = (const void *)d.file.bytes;
    const ElfW(Phdr) *part = (const void *)(d.file.bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        if (part[i].p_type == PT_DYNAMIC) d.entry = (const void *)(d.file.bytes + part[i].p_offset);
        d.has_relro |= part[i].p_type == PT_GNU_RELRO;
    }
    assert_non_null(d.entry);
    for (const ElfW(Dyn) *e = d.entry; e->d_tag != DT_NULL; e++)
        if (e->d_tag == DT_STRTAB) d.strings = at_address(&d, e->d_un.d_ptr);
    assert_non_null(d.strings);
    return d;
}

static int needs(const dynamic *d, const char *name)
{
    int found = 0;
    for (const ElfW(Dyn) *e = d->entry; e->d_tag != DT_NULL; e++)
        found += e->d_tag == DT_NEEDED && strncmp(d->strings + e->d_un.d_val, name, strlen(name)) == 0;
    return found;
}

static void one_sundials_is_linked(void **state)
{
    dynamic d = read_dynamic(test_environment("RESIDA_LIBRARY"));
    int ida = needs(&d, "libsundials_ida."), core = needs(&d, "libsundials_core."),
        generic = needs(&d, "libsundials_generic.");
    test_file_free(&d.file);
    char version[32];
    assert_int_equal(resida_sundials_version(version, sizeof version), RESIDA_OK);
    int is_new = atoi(version) >= 7, is_inside = RESIDA_TEST_ISOLATED;
    assert_int_equal(ida, !is_inside);
    assert_true(core <= (!is_inside && is_new)); /* before version 7 IDA has what it needs of it inside */
    assert_true(generic <= (!is_inside && !is_new));
}

#ifdef RESIDA_TEST_HARDENED
static void expect_hardened(const char *path)
{
    dynamic d = read_dynamic(path);
    int now = 0;
    for (const ElfW(Dyn) *e = d.entry; e->d_tag != DT_NULL; e++)
        now |= e->d_tag == DT_BIND_NOW || (e->d_tag == DT_FLAGS && e->d_un.d_val & DF_BIND_NOW) ||
               (e->d_tag == DT_FLAGS_1 && e->d_un.d_val & DF_1_NOW);
    int guarded = 0;
    for (size_t i = 0; i + sizeof "__stack_chk_fail" <= d.file.size && !guarded; i++)
        guarded = memcmp(d.file.bytes + i, "__stack_chk_fail", sizeof "__stack_chk_fail") == 0;
    if (!now || !d.has_relro) fail_msg("%s: tables of the linker can be written to", path);
    if (!guarded) fail_msg("%s: no stack protector", path);
    test_file_free(&d.file);
}

static void release_builds_are_hardened(void **state)
{
    expect_hardened(test_environment("RESIDA_LIBRARY"));
    expect_hardened(test_environment("RESIDA_BIN"));
}
#endif

#ifdef RESIDA_TEST_STATIC
static void a_static_program_links_by_what_pkg_config_says_and_ends(void **state)
{
    const char *source = test_environment("RESIDA_SOURCE"), *build = test_environment("RESIDA_BUILD");
    char folder[64], text[MAX_TEXT];
    test_folder_make(folder);
    const char *line = claims_text(
        "{ cc -static -w '%s/examples/slider_crank.c' -o %s/crank "
        "$(PKG_CONFIG_PATH='%s/meson-private' pkg-config "
        "--define-variable=includedir='%s/include' --define-variable=libdir='%s' --static --cflags --libs resida) "
        "&& %s/crank; } 2>&1",
        source, folder, build, source, build, folder);
    if (run(line, text) != 0) fail_msg("%s", text);
    test_folder_remove(folder);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_with_names_of_sundials_gets_words_or_right_results),
#ifdef RESIDA_TEST_ISOLATED_LIBRARY
        cmocka_unit_test(an_isolated_library_is_right_beside_a_host_with_the_same_names),
        cmocka_unit_test(an_isolated_library_shows_nobody_its_sundials),
#endif
        cmocka_unit_test(one_sundials_is_linked),
#ifdef RESIDA_TEST_HARDENED
        cmocka_unit_test(release_builds_are_hardened),
#endif
#ifdef RESIDA_TEST_STATIC
        cmocka_unit_test(a_static_program_links_by_what_pkg_config_says_and_ends),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
