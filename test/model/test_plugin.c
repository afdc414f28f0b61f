/* test_plugin.c - plugins from files: a good one works, every bad one is refused in words, and none ends the process.
 *
 * Bad plugins are made here from the good one (RESIDA_PLUGIN): single bytes changed, and cut at every length. */
#include <resida/model.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

static test_file good; /* the bytes of the good plugin */

static int set_up(void **state)
{
    alarm(1800); /* nothing here may wait for ever */
    good = test_file_read(test_environment("RESIDA_PLUGIN"));
    return 0;
}

/* Open a file that is no plugin: refused, with these words after its name, and no handle. */
static void expect_refusal(const char *path, const char *words)
{
    resida_plugin_handle *plugin = (resida_plugin_handle *)(uintptr_t)1;
    const resida_model_class *cls = (const resida_model_class *)(uintptr_t)1;
    resida_message why = {""};
    resida_status status = resida_plugin_open(&plugin, path, &cls, &why);
    if (status != RESIDA_ERR_PLUGIN) fail_msg("%s (%s): status %s", path, words, resida_status_name(status));
    assert_null(plugin);
    assert_null(cls);
    const char *name = strrchr(path, '/');
    if (!strstr(why.text, name ? name + 1 : path)) fail_msg("\"%s\" does not name %s", why.text, path);
    if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
    assert_null(strchr(why.text, '\n'));
    assert_int_equal(resida_plugin_open(&plugin, path, &cls, NULL), RESIDA_ERR_PLUGIN);
}

/* The first place of some bytes in the good plugin, which must be the only one. */
static size_t only_place(const void *bytes, size_t size)
{
    size_t found = 0, count = 0;
    for (size_t i = 0; i + size <= good.size; i++)
        if (memcmp(good.bytes + i, bytes, size) == 0) found = i, count++;
    assert_int_equal(count, 1);
    return found;
}

static size_t class_in_file(void)
{
    static const resida_model_class head = {RESIDA_MODEL_HEAD, .name = NULL};
    return only_place(&head, offsetof(resida_model_class, name));
}

/* The name of a dynamic symbol, found by the section headers; it may be the end of a longer one. */
static size_t symbol_name_in_file(const char *name)
{
    ElfW(Ehdr) header;
    memcpy(&header, good.bytes, sizeof header);
    for (int i = 0; i < header.e_shnum; i++) {
        ElfW(Shdr) table, names;
        memcpy(&table, good.bytes + header.e_shoff + (size_t)i * sizeof table, sizeof table);
        if (table.sh_type != SHT_DYNSYM) continue;
        memcpy(&names, good.bytes + header.e_shoff + table.sh_link * sizeof names, sizeof names);
        for (size_t at = table.sh_offset; at < table.sh_offset + table.sh_size; at += sizeof(ElfW(Sym))) {
            ElfW(Sym) symbol;
            memcpy(&symbol, good.bytes + at, sizeof symbol);
            const size_t name_at = names.sh_offset + symbol.st_name;
            if (strcmp(good.bytes + name_at, name) == 0) return name_at;
        }
    }
    fail_msg("the good plugin has no symbol %s", name);
    return 0;
}

/* A program header of the good plugin. */
static size_t segment_in_file(unsigned type)
{
    ElfW(Ehdr) header;
    memcpy(&header, good.bytes, sizeof header);
    for (size_t at = header.e_phoff, i = 0; i < header.e_phnum; i++, at += sizeof(ElfW(Phdr))) {
        ElfW(Phdr) segment;
        memcpy(&segment, good.bytes + at, sizeof segment);
        if (segment.p_type == type) return at;
    }
    fail_msg("the good plugin has no segment of type %u", type);
    return 0;
}

/* The good plugin with `size` bytes at `at` changed is refused with these words. */
static void expect_refusal_with(size_t at, const void *bytes, size_t size, const char *words)
{
    assert_true(at + size <= good.size);
    char *copy = claims_zeros(good.size, 1);
    memcpy(copy, good.bytes, good.size);
    memcpy(copy + at, bytes, size);
    const char *path = test_path(test_folder(), "changed.so");
    unlink(path); /* a new file each time, lest the loader takes it for one it knows */
    test_file_write(path, copy, good.size);
    expect_refusal(path, words);
}

#define WITH(at, type, value, words) expect_refusal_with(at, &(type){value}, sizeof(type), words)

CLAIM(a_class_of_other_headers_is_refused_by_what_differs)
{
    size_t at = class_in_file();
    WITH(at + offsetof(resida_model_class, magic), uint32_t, 0, "magic number 00000000, expected 41534452");
    WITH(at + offsetof(resida_model_class, abi), uint32_t, 2, "compiled for ABI 2, but this resida reads ABI 1");
    WITH(at + offsetof(resida_model_class, class_size), size_t, 40, "resida_model_class has 40 bytes, but ");
    WITH(at + offsetof(resida_model_class, model_size), size_t, 312, "resida_model has 312 bytes, but ");
    WITH(at + offsetof(resida_model_class, parameter_size), size_t, 0, "resida_parameter has 0 bytes, but ");
    WITH(at + offsetof(resida_model_class, n_parameters), int, -1, "n_parameters = -1");
}

CLAIM(a_default_outside_its_range_is_refused)
{
    const double grav[] = {9.81, 0, 1e3}; /* default, min, max */
    WITH(only_place(grav, sizeof grav), double, -1, "default of parameter \"grav\" = -1 is outside");
}

CLAIM(a_file_for_another_machine_is_refused_by_name)
{
    unsigned char other_class = sizeof(void *) == 8 ? ELFCLASS32 : ELFCLASS64;
    unsigned char other_order = good.bytes[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
    WITH(EI_CLASS, unsigned char, other_class, sizeof(void *) == 8 ? "of class 1, here " : "of class 2, here ");
    WITH(EI_DATA, unsigned char, other_order, "made for another machine");
    WITH(EI_VERSION, unsigned char, 7, "made for another machine");
    WITH(offsetof(ElfW(Ehdr), e_machine), uint16_t, EM_MIPS, "made for another machine: ELF machine 8 of class ");
}

CLAIM(an_elf_file_of_another_kind_is_refused_by_its_kind)
{
    size_t type = offsetof(ElfW(Ehdr), e_type);
    WITH(type, uint16_t, ET_REL, "not a plugin: not a shared object, to be linked with cc -shared");
    WITH(type, uint16_t, ET_EXEC, "not a plugin: not a shared object");
    WITH(offsetof(ElfW(Ehdr), e_phnum), uint16_t, 0, "cannot be loaded: ");
    WITH(offsetof(ElfW(Ehdr), e_phentsize), uint16_t, 8, "not a plugin: not a shared object");
    WITH(segment_in_file(PT_DYNAMIC), uint32_t, PT_NULL, "cannot be loaded: ");
    expect_refusal("/proc/self/exe", "cannot be loaded: ");
}

CLAIM(segments_outside_the_file_are_refused)
{
    size_t load = segment_in_file(PT_LOAD), dynamic = segment_in_file(PT_DYNAMIC);
    const size_t offset = offsetof(ElfW(Phdr), p_offset), size = offsetof(ElfW(Phdr), p_filesz);
    char words[80];
    snprintf(words, sizeof words, "has 1000000000 bytes from byte 0, the file %zu", good.size);
    WITH(load + size, ElfW(Addr), 1000000000, words); /* the first load segment begins at 0 */
    WITH(load + offset, ElfW(Addr), (ElfW(Addr)) - 1, "truncated: segment ");
    WITH(dynamic + size, ElfW(Addr), 1000000000, "truncated: segment ");
    WITH(offsetof(ElfW(Ehdr), e_phoff), ElfW(Addr), (ElfW(Addr)) - 8, "truncated: program header 0 ");
    WITH(offsetof(ElfW(Ehdr), e_shoff), ElfW(Addr), good.size, "truncated: section header ");
}

CLAIM(a_file_that_does_not_export_the_class_is_refused)
{
    expect_refusal(test_path(test_environment("RESIDA_TEST_MODULES"), "plugin_nothing.so"),
                   "not a plugin: does not export resida_plugin");
}

CLAIM(a_class_without_name_or_create_is_refused)
{
    const char *modules = test_environment("RESIDA_TEST_MODULES");
    expect_refusal(test_path(modules, "plugin_without_name.so"), "the model class has no name");
    expect_refusal(test_path(modules, "plugin_without_create.so"), "nameless: the class has no create()");
}

CLAIM(an_undefined_function_is_found_at_opening)
{
    const size_t at = symbol_name_in_file("calloc");
    WITH(at, char, 'q', "cannot be loaded: ");
    WITH(at, char, 'q', "undefined symbol: qalloc");
}

CLAIM(files_that_are_no_elf_are_refused)
{
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {"", 0}, {"int main(void)\n{\n    return 0;\n}\n", 32}, {"!<arch>\nmodel.o/        ", 24}, {"\177ELF", 4}};
    const char *path = test_path(test_folder(), "model.so");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_file_write(path, cases[i].bytes, cases[i].size);
        expect_refusal(path, "not a plugin: not an ELF file");
    }
}

CLAIM(what_is_no_regular_file_is_refused_without_waiting)
{
    const char *fifo = test_path(test_folder(), "fifo.so");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    expect_refusal(fifo, "not a plugin: not a regular file");
    expect_refusal(test_folder(), "not a plugin: not a regular file");
    expect_refusal("/dev/null", "not a plugin: not a regular file");
    expect_refusal(test_path(test_folder(), "nowhere.so"), "cannot be opened: ");
    expect_refusal(test_path(fifo, "below.so"), "cannot be opened: ");
    const char *locked = test_path(test_folder(), "locked.so");
    test_file_write(locked, good.bytes, good.size);
    assert_int_equal(chmod(locked, 0), 0);
    if (geteuid() != 0) expect_refusal(locked, "cannot be opened: "); /* root may read everything */
}

CLAIM(the_end_of_a_long_path_and_the_reason_fit_into_the_message)
{
    char path[3000];
    memset(path, 'a', sizeof path);
    strcpy(path + sizeof path - 9, "/last.so");
    expect_refusal(path, "/last.so: cannot be opened: ");
}

/* What the child that opens cut files tells: how far it came, even when it dies. */
typedef struct cut_report {
    size_t length;   /* under way */
    size_t refused;  /* refused in words */
    char words[400]; /* of the first that was not */
} cut_report;

static void open_every_length(const char *path, cut_report *report)
{
    for (size_t length = good.size; length-- > 0;) {
        report->length = length;
        resida_plugin_handle *plugin = NULL;
        const resida_model_class *cls = NULL;
        resida_message why = {""};
        if (truncate(path, (off_t)length) != 0) _exit(2);
        resida_status status = resida_plugin_open(&plugin, path, &cls, &why);
        int clean = status == RESIDA_ERR_PLUGIN && !plugin && !cls && strstr(why.text, "cut.so: ") != NULL;
        if (!clean) {
            snprintf(report->words, sizeof report->words, "%s: %s", resida_status_name(status), why.text);
            _exit(1);
        }
        report->refused++;
    }
    _exit(0);
}

CLAIM(a_plugin_cut_at_any_length_is_refused)
{
    const char *path = test_path(test_folder(), "cut.so");
    test_file_write(path, good.bytes, good.size);
    int shared = open(test_path(test_folder(), "report"), O_RDWR | O_CREAT, 0600);
    assert_true(shared >= 0);
    assert_int_equal(ftruncate(shared, sizeof(cut_report)), 0);
    cut_report *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    assert_true(report != MAP_FAILED);
    assert_int_equal(close(shared), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) open_every_length(path, report);
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("cut to %zu of %zu bytes: wait status %d, %s", report->length, good.size, status, report->words);
    assert_int_equal(report->refused, good.size);
    assert_int_equal(munmap(report, sizeof *report), 0);
}

CLAIM(a_good_plugin_gives_its_class_and_closes)
{
    resida_plugin_handle *first = NULL, *second = NULL;
    const resida_model_class *cls = NULL, *again = NULL;
    resida_message why = {""};
    if (resida_plugin_open(&first, test_environment("RESIDA_PLUGIN"), &cls, &why) != RESIDA_OK)
        fail_msg("%s", why.text);
    assert_string_equal(cls->name, "bead");
    assert_int_equal(resida_plugin_open(&second, test_environment("RESIDA_PLUGIN"), &again, NULL), RESIDA_OK);
    resida_plugin_close(first); /* the second handle keeps it loaded */
    assert_string_equal(again->name, "bead");
    resida_plugin_close(second);
}

CLAIM(a_name_without_slash_means_the_current_folder_only)
{
    resida_plugin_handle *plugin = NULL;
    const resida_model_class *cls = NULL;
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder()), 0);
    test_file_write("here.so", good.bytes, good.size);
    resida_status status = resida_plugin_open(&plugin, "here.so", &cls, NULL);
    expect_refusal("libm.so.6", "cannot be opened: "); /* which the loader would find elsewhere */
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, RESIDA_OK);
    assert_string_equal(cls->name, "bead");
    resida_plugin_close(plugin);
}

CLAIM(a_plugin_without_section_headers_opens)
{
    ElfW(Ehdr) header;
    memcpy(&header, good.bytes, sizeof header);
    char *copy = claims_zeros(good.size, 1);
    memcpy(copy, good.bytes, good.size);
    size_t size = header.e_shoff; /* as a tool that strips them would leave it */
    header.e_shoff = 0, header.e_shnum = 0, header.e_shstrndx = 0;
    memcpy(copy, &header, sizeof header);
    const char *path = test_path(test_folder(), "stripped.so");
    test_file_write(path, copy, size);
    (void)test_plugin(path);
}

CLAIM(a_plugin_with_either_hash_table_opens)
{
    static const char *const names[] = {"plugin_sysv_hash.so", "plugin_gnu_hash.so"};
    for (int i = 0; i < 2; i++) {
        const char *path = test_path(test_environment("RESIDA_TEST_MODULES"), names[i]);
        assert_string_equal(test_plugin(path)->name, "bead");
    }
}

CLAIM(parameters_of_a_plugin_reach_its_model)
{
    const resida_model_class *cls = test_plugin(test_environment("RESIDA_PLUGIN"));
    resida_message why = {""};
    resida_model model;
    const char *names[] = {"x", "curvature"};
    double values[] = {0.5, 4}, bad[] = {0.5, -4};
    assert_int_equal(resida_model_create(cls, 2, names, bad, &model, &why), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(why.text, "bead: curvature = -4 is outside its range 0 .. 1000 [1/m]"));
    names[1] = "curve";
    assert_int_equal(resida_model_create(cls, 2, names, values, &model, &why), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(why.text, "it has mass, curvature, omega, grav, x"));
    names[1] = "curvature";
    model = test_model(cls, 2, names, values);
    assert_true(model.p0[0] == 0.5 && model.p0[1] == 0.5); /* z = 4 * 0.5^2 / 2 */
}

/* The bead's callbacks against each other and against what its text promises. */
CLAIM(the_example_bead_fulfils_its_own_equations)
{
    const resida_model_class *cls = test_plugin(test_environment("RESIDA_PLUGIN"));
    /* omega^2 = k grav: balance everywhere, with 0 = M 0 - Psi + G' lam */
    const char *names[] = {"mass", "curvature", "omega", "grav", "x"};
    const double values[] = {3, 2, 4, 8, 0.75};
    const resida_model model = test_model(cls, 5, names, values);
    const resida_mechanism *m = &model.mechanism;
    const double zero[2] = {0, 0}, *p = model.p0;
    double g[1], G[2], r[2];
    assert_int_equal(m->constraint(0, p, NULL, g, m->user), 0);
    assert_int_equal(m->constraint_matrix(0, p, NULL, G, m->user), 0);
    assert_int_equal(m->residual(0, p, zero, zero, NULL, r, m->user), 0);
    double lam = -r[1] / G[1];
    assert_true(g[0] == 0 && lam == -24 && r[0] + G[0] * lam == 0); /* small whole numbers: exact */
    for (int i = 0; i < 2; i++) { /* g is quadratic: central differences have rounding errors only */
        const double h = 0.125;
        double ahead[2] = {p[0], p[1]}, behind[2] = {p[0], p[1]}, gp[1], gm[1];
        ahead[i] += h, behind[i] -= h;
        assert_int_equal(m->constraint(0, ahead, NULL, gp, m->user), 0);
        assert_int_equal(m->constraint(0, behind, NULL, gm, m->user), 0);
        assert_true((gp[0] - gm[0]) / (2 * h) == G[i]);
    }
}

int main(void)
{
    return claims_run(set_up, NULL);
}
