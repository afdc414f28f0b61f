/* elf_check.c - checks a shared object as data before the dynamic loader maps it, and reports the kind of a file that
 * is no shared object.
 *
 * The loader maps a file according to its program headers. A truncated file, from a full disk or an incomplete copy,
 * then ends the process with SIGBUS. Therefore these checks are made, in this order: a regular file; an ELF header of
 * this machine; all segments inside the file; the section headers inside the file. The loader does not need the section
 * headers, but they are last in the file and reveal a truncation. Symbol tables, relocations and code are left to the
 * loader.
 *
 * All data are read by read_range(), which refuses ranges outside the file, into local variables. So there is no
 * mapping that may shrink, no pointer into foreign data and no unaligned access. Offsets have 64 bits and are compared
 * without adding.
 *
 * Source: System V Application Binary Interface, chapters 4 and 5 (object files, program loading). */
#include "model_impl.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"

typedef struct elf_file {
    int fd;
    uint64_t size;
    ElfW(Ehdr) header;
    rsd_shown_path path;
    resida_message *why;
} elf_file;

/* ELF header of the object that contains elf_check.c, defined by the linker. The header defines "this machine". */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

rsd_shown_path rsd_shorten_path(const char *path)
{
    rsd_shown_path shown = {""};
    const size_t length = strlen(path), room = sizeof shown.text - 1, end = room - strlen("...");
    snprintf(shown.text, sizeof shown.text, "%s%s", length > room ? "..." : "",
             path + (length > room ? length - end : 0));
    return shown;
}

static resida_status report_invalid_file(const elf_file *f, const char *reason)
{
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: %s", f->path.text, reason);
}

static int is_range_in_file(const elf_file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset;
}

/* Read `size` bytes from offset into out. Return 1, or 0 if the bytes are not inside the file. */
static int read_range(const elf_file *f, uint64_t offset, void *out, size_t size)
{
    if (!is_range_in_file(f, offset, size)) return 0;
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(f->fd, (char *)out + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        done += (size_t)got;
    }
    return 1;
}

static resida_status open_regular_file(elf_file *f, const char *path)
{
    struct stat status;
    f->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a FIFO without a writer would block */
    if (f->fd < 0 || fstat(f->fd, &status) < 0) {
        char reason[100] = "";
        if (strerror_r(errno, reason, sizeof reason) != 0) return report_invalid_file(f, "cannot be opened");
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: cannot be opened: %s", f->path.text, reason);
    }
    if (S_ISDIR(status.st_mode)) return report_invalid_file(f, "not a plugin: a folder");
    if (!S_ISREG(status.st_mode)) return report_invalid_file(f, "not a plugin: not a regular file");
    if (status.st_size == 0) return report_invalid_file(f, "not a plugin: an empty file");
    f->size = (uint64_t)status.st_size;
    return RESIDA_OK;
}

/* Return the kind of a file that is not an ELF file. */
static const char *identify_file_kind(const unsigned char *start, size_t size)
{
    static const struct {
        const char *bytes, *kind;
    } begins[] = {
        {"!<arch>\n", "a static library (.a)"}, {"MZ", "a Windows file"}, {"\xcf\xfa\xed\xfe", "a macOS file"}};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i].bytes);
        if (size >= length && memcmp(start, begins[i].bytes, length) == 0) return begins[i].kind;
    }
    for (size_t i = 0; i < size; i++)
        if ((start[i] < ' ' && !memchr("\t\n\r\f", start[i], 4)) || start[i] == 0x7f) return "not an ELF file";
    return "a text file";
}

static const char *get_machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } known[] = {{EM_386, "i386"},    {EM_X86_64, "x86-64"}, {EM_ARM, "arm"},    {EM_AARCH64, "aarch64"},
                 {EM_PPC64, "ppc64"}, {EM_RISCV, "riscv"},   {EM_S390, "s390x"}, {EM_MIPS, "mips"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].machine == machine) return known[i].name;
    return "another machine";
}

static resida_status check_identity(elf_file *f)
{
    const unsigned char *here = __ehdr_start.e_ident, *start = f->header.e_ident;
    const size_t size = f->size < sizeof f->header ? (size_t)f->size : sizeof f->header;
    if (!read_range(f, 0, &f->header, size)) return report_invalid_file(f, "cannot be read");
    if (size < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: not a plugin: %s", f->path.text,
                        identify_file_kind(start, size < EI_NIDENT ? size : EI_NIDENT));
    if (size < sizeof f->header)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: truncated: the ELF header ends at byte %zu of %llu",
                        f->path.text, sizeof f->header, (unsigned long long)f->size);
    if (start[EI_CLASS] != here[EI_CLASS])
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: made for %s bits, here %s", f->path.text,
                        start[EI_CLASS] == ELFCLASS64   ? "64"
                        : start[EI_CLASS] == ELFCLASS32 ? "32"
                                                        : "an unknown number of",
                        sizeof(void *) == sizeof(uint64_t) ? "64" : "32");
    if (start[EI_DATA] != here[EI_DATA]) return report_invalid_file(f, "made for the other byte order");
    return start[EI_VERSION] == EV_CURRENT ? RESIDA_OK : report_invalid_file(f, "of an unknown ELF version");
}

static resida_status check_header(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    if (h->e_machine != __ehdr_start.e_machine)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: made for %s (ELF machine %u), here %s", f->path.text,
                        get_machine_name(h->e_machine), (unsigned)h->e_machine,
                        get_machine_name(__ehdr_start.e_machine));
    if (h->e_type == ET_REL)
        return report_invalid_file(f, "not a plugin: an object file, to be linked with cc -shared");
    if (h->e_type == ET_EXEC) return report_invalid_file(f, "not a plugin: a program");
    if (h->e_type != ET_DYN) return report_invalid_file(f, "not a plugin: an ELF file, but no shared object");
    if (h->e_phnum == 0 || h->e_phentsize != sizeof(ElfW(Phdr)))
        return report_invalid_file(f, "damaged: no program headers");
    return RESIDA_OK;
}

/* Report a truncated file: "truncated: segment 2 ends at byte 4711 of 3000". An end above 2^64 means a damaged file. */
static resida_status report_truncation(const elf_file *f, const char *part, int number, uint64_t offset, uint64_t size)
{
    if (size > UINT64_MAX - offset) return report_invalid_file(f, "damaged: a part with an impossible size");
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: truncated: %s %d ends at byte %llu of %llu", f->path.text, part,
                    number, (unsigned long long)(offset + size), (unsigned long long)f->size);
}

/* Check that load segments are inside the file, in ascending order and without overlap, as the loader assumes. */
static resida_status check_segments(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    uint64_t free_address = 0;
    int loads = 0;
    if (!is_range_in_file(f, h->e_phoff, (uint64_t)h->e_phnum * sizeof(ElfW(Phdr))))
        return report_invalid_file(f, "truncated: the program headers are not inside the file");
    for (int i = 0; i < h->e_phnum; i++) {
        ElfW(Phdr) s;
        if (!read_range(f, h->e_phoff + (uint64_t)i * sizeof s, &s, sizeof s))
            return report_invalid_file(f, "cannot be read");
        if (s.p_type == PT_NULL) continue;
        if (s.p_type == PT_INTERP)
            return report_invalid_file(f, "not a plugin: a program"); /* the file requests a program loader */
        if (!is_range_in_file(f, s.p_offset, s.p_filesz))
            return report_truncation(f, "segment", i, s.p_offset, s.p_filesz);
        if (s.p_type != PT_LOAD) continue;
        if (s.p_filesz > s.p_memsz || s.p_vaddr < free_address || s.p_memsz > UINT64_MAX - s.p_vaddr)
            return report_invalid_file(f, "damaged: load segments overlap");
        free_address = s.p_vaddr + s.p_memsz;
        loads++;
    }
    return loads ? RESIDA_OK : report_invalid_file(f, "damaged: nothing to load");
}

static resida_status check_sections(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    const uint64_t table = (uint64_t)h->e_shnum * sizeof(ElfW(Shdr));
    if (h->e_shoff == 0 || is_range_in_file(f, h->e_shoff, table)) return RESIDA_OK;
    return report_truncation(f, "section header", h->e_shnum, h->e_shoff, table);
}

static resida_status check_file(elf_file *f, const char *path)
{
    RSD_TRY(open_regular_file(f, path));
    RSD_TRY(check_identity(f));
    RSD_TRY(check_header(f));
    RSD_TRY(check_segments(f));
    return check_sections(f);
}

resida_status rsd_check_elf_file(const char *path, resida_message *why)
{
    elf_file f = {.fd = -1, .path = rsd_shorten_path(path), .why = why};
    resida_status status = check_file(&f, path);
    if (f.fd >= 0) close(f.fd);
    return status;
}
