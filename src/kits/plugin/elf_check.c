/* elf_check.c - checks that a file is a complete shared object for this machine before the dynamic loader maps it.
 *
 * The loader maps a file according to its program headers. A truncated file, from a full disk or an incomplete copy,
 * then ends the process with SIGBUS. Therefore all segments and the section headers must be inside the file. The loader
 * does not need the section headers, but they are last in the file and reveal a truncation. A FIFO would block the
 * loader, and for a file of another machine it reports that there is no file. All other checks are left to the loader.
 *
 * Data are read by pread(), so there is no mapping of a file that may shrink. Offsets have 64 bits and are compared
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
    int fd;              /* open file; -1: none */
    uint64_t size;       /* size of the file [bytes] */
    ElfW(Ehdr) header;   /* ELF header of the file */
    rsd_shown_path path; /* path for messages */
    resida_message *why; /* message of a failure */
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

static resida_status open_regular_file(elf_file *f, const char *path)
{
    struct stat status;
    f->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &status) < 0) {
        char reason[100] = "";
        if (strerror_r(errno, reason, sizeof reason) != 0) return report_invalid_file(f, "cannot be opened");
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: cannot be opened: %s", f->path.text, reason);
    }
    if (!S_ISREG(status.st_mode)) return report_invalid_file(f, "not a plugin: not a regular file");
    f->size = (uint64_t)status.st_size;
    return RESIDA_OK;
}

static resida_status check_header(elf_file *f)
{
    ElfW(Ehdr) *h = &f->header;
    const ElfW(Ehdr) *here = &__ehdr_start;
    if (pread(f->fd, h, sizeof *h, 0) < (ssize_t)sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return report_invalid_file(f, "not a plugin: not an ELF file");
    if (memcmp(h->e_ident, here->e_ident, EI_OSABI) != 0 || h->e_machine != here->e_machine)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN,
                        "%s: made for another machine: ELF machine %u of class %d, here machine %u of class %d",
                        f->path.text, (unsigned)h->e_machine, h->e_ident[EI_CLASS], (unsigned)here->e_machine,
                        here->e_ident[EI_CLASS]);
    if (h->e_type != ET_DYN || h->e_phentsize != sizeof(ElfW(Phdr)))
        return report_invalid_file(f, "not a plugin: not a shared object, to be linked with cc -shared");
    return RESIDA_OK;
}

/* Report a truncated file: "truncated: segment 2 has 4711 bytes from byte 100, the file 3000". */
static resida_status report_truncation(const elf_file *f, const char *part, int number, uint64_t offset, uint64_t size)
{
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: truncated: %s %d has %llu bytes from byte %llu, the file %llu",
                    f->path.text, part, number, (unsigned long long)size, (unsigned long long)offset,
                    (unsigned long long)f->size);
}

static resida_status check_parts(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    const uint64_t sections = (uint64_t)h->e_shnum * sizeof(ElfW(Shdr));
    for (int i = 0; i < h->e_phnum; i++) {
        ElfW(Phdr) s;
        const uint64_t at = h->e_phoff + (uint64_t)i * sizeof s;
        if (!is_range_in_file(f, at, sizeof s) || pread(f->fd, &s, sizeof s, (off_t)at) < (ssize_t)sizeof s)
            return report_truncation(f, "program header", i, at, sizeof s);
        if (s.p_type != PT_NULL && !is_range_in_file(f, s.p_offset, s.p_filesz))
            return report_truncation(f, "segment", i, s.p_offset, s.p_filesz);
    }
    if (h->e_shoff == 0 || is_range_in_file(f, h->e_shoff, sections)) return RESIDA_OK;
    return report_truncation(f, "section header", h->e_shnum, h->e_shoff, sections);
}

resida_status rsd_check_elf_file(const char *path, resida_message *why)
{
    elf_file f = {.fd = -1, .path = rsd_shorten_path(path), .why = why};
    resida_status status = open_regular_file(&f, path);
    if (status == RESIDA_OK) status = check_header(&f);
    if (status == RESIDA_OK) status = check_parts(&f);
    if (f.fd >= 0) close(f.fd);
    return status;
}
