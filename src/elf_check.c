/* elf_check.c - looks at a shared object as data, before the loader does.
 *
 * The loader maps a file by its program headers and believes them: a file cut short by a full disk or a broken copy
 * ends the process with SIGBUS. So here, in this order: a regular file; an ELF header of this machine; every segment
 * and section inside the file; the dynamic section with its tables; the symbol, found as dlsym() would find it.
 *
 * Everything is read through read_at(), which refuses what is not wholly inside the file, into variables of our own:
 * no mapping that may shrink, no pointer into foreign data, no alignment to trust. Addresses become offsets through
 * the load segments only. Offsets are 64 bits wide and compared without adding.
 *
 * Source: System V Application Binary Interface, chapters 4 and 5 (object files, dynamic linking); the GNU hash table
 * as the GNU linker writes it. What is not checked: relocations and code, which only a harmful file has wrong. */
#include "elf_check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

/* Symbols of one hash value; far more than any linker makes. Bounds the search in a damaged table. */
#define LONGEST_CHAIN 1000000L

typedef struct elf_file {
    int fd;
    uint64_t size;
    ElfW(Ehdr) header;
    rsd_shown_path path;
    resida_message *why;
} elf_file;

/* Addresses of the tables that the dynamic section names; 0 when it does not. */
typedef struct dynamic_tables {
    uint64_t symbols, strings, strings_size, hash, gnu_hash;
} dynamic_tables;

/* The header of the object that this code is in, from the linker: what "this machine" means. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

rsd_shown_path rsd_path_shown(const char *path)
{
    rsd_shown_path shown = {""};
    size_t length = strlen(path), room = sizeof shown.text - 1;
    if (length <= room) {
        memcpy(shown.text, path, length);
    } else {
        memcpy(shown.text, "...", 3);
        memcpy(shown.text + 3, path + length - (room - 3), room - 3);
    }
    return shown;
}

static resida_status refuse(const elf_file *f, const char *reason)
{
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: %s", f->path.text, reason);
}

static resida_status damaged(const elf_file *f, const char *what)
{
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: damaged: %s", f->path.text, what);
}

static int inside(const elf_file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset;
}

/* out [size] <- bytes of the file from offset; 0 when they are not all there. */
static int read_at(const elf_file *f, uint64_t offset, void *out, size_t size)
{
    if (!inside(f, offset, size)) return 0;
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(f->fd, (char *)out + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        done += (size_t)got;
    }
    return 1;
}

static resida_status open_regular(elf_file *f, const char *path)
{
    struct stat status;
    f->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a FIFO without a writer would wait for ever */
    if (f->fd < 0 || fstat(f->fd, &status) < 0) {
        char reason[100] = "";
        if (strerror_r(errno, reason, sizeof reason) != 0) return refuse(f, "cannot be opened");
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: cannot be opened: %s", f->path.text, reason);
    }
    if (S_ISDIR(status.st_mode)) return refuse(f, "not a plugin: a folder");
    if (!S_ISREG(status.st_mode)) return refuse(f, "not a plugin: not a regular file");
    if (status.st_size == 0) return refuse(f, "not a plugin: an empty file");
    f->size = (uint64_t)status.st_size;
    return RESIDA_OK;
}

/* What a file that is not ELF may be instead. */
static const char *other_kind(const unsigned char *start, size_t size)
{
    if (size >= 8 && memcmp(start, "!<arch>\n", 8) == 0) return "a static library (.a)";
    if (size >= 2 && memcmp(start, "MZ", 2) == 0) return "a Windows file";
    if (size >= 4 && memcmp(start, "\xcf\xfa\xed\xfe", 4) == 0) return "a macOS file";
    for (size_t i = 0; i < size; i++)
        if ((start[i] < ' ' && !memchr("\t\n\r\f", start[i], 4)) || start[i] == 0x7f) return "not an ELF file";
    return "a text file";
}

static const char *machine_name(unsigned machine)
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
    unsigned char start[EI_NIDENT] = {0};
    size_t size = f->size < sizeof start ? (size_t)f->size : sizeof start;
    if (!read_at(f, 0, start, size)) return refuse(f, "cannot be read");
    if (size < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: not a plugin: %s", f->path.text, other_kind(start, size));
    if (!inside(f, 0, sizeof f->header))
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: truncated: the ELF header ends at byte %zu of %llu",
                        f->path.text, sizeof f->header, (unsigned long long)f->size);
    if (start[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: made for %s bits, here %s", f->path.text,
                        start[EI_CLASS] == ELFCLASS64   ? "64"
                        : start[EI_CLASS] == ELFCLASS32 ? "32"
                                                        : "an unknown number of",
                        sizeof(void *) == 8 ? "64" : "32");
    if (start[EI_DATA] != __ehdr_start.e_ident[EI_DATA]) return refuse(f, "made for the other byte order");
    if (start[EI_VERSION] != EV_CURRENT) return refuse(f, "of an unknown ELF version");
    return read_at(f, 0, &f->header, sizeof f->header) ? RESIDA_OK : refuse(f, "cannot be read");
}

static resida_status check_header(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    if (h->e_machine != __ehdr_start.e_machine)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: made for %s (ELF machine %u), here %s", f->path.text,
                        machine_name(h->e_machine), (unsigned)h->e_machine, machine_name(__ehdr_start.e_machine));
    if (h->e_type == ET_REL) return refuse(f, "not a plugin: an object file, to be linked with cc -shared");
    if (h->e_type == ET_EXEC) return refuse(f, "not a plugin: a program");
    if (h->e_type != ET_DYN) return refuse(f, "not a plugin: an ELF file, but no shared object");
    if (h->e_phnum == 0 || h->e_phentsize != sizeof(ElfW(Phdr))) return damaged(f, "no program headers");
    return RESIDA_OK;
}

static int read_segment(const elf_file *f, int i, ElfW(Phdr) * segment)
{
    return inside(f, f->header.e_phoff, (uint64_t)f->header.e_phnum * sizeof *segment) &&
           read_at(f, f->header.e_phoff + (uint64_t)i * sizeof *segment, segment, sizeof *segment);
}

/* "truncated: segment 2 ends at byte 4711 of 3000"; the sum may not fit, then the part begins beyond all files. */
static resida_status truncated(const elf_file *f, const char *part, int number, uint64_t offset, uint64_t size)
{
    if (size > UINT64_MAX - offset) return damaged(f, "a part with an impossible size");
    return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: truncated: %s %d ends at byte %llu of %llu", f->path.text, part,
                    number, (unsigned long long)(offset + size), (unsigned long long)f->size);
}

/* Load segments must rise and not overlap: the loader reserves from the first to the end of the last one. */
static resida_status check_segments(const elf_file *f)
{
    uint64_t free_address = 0;
    int loads = 0;
    for (int i = 0; i < f->header.e_phnum; i++) {
        ElfW(Phdr) s;
        if (!read_segment(f, i, &s)) return refuse(f, "truncated: the program headers are not inside the file");
        if (s.p_type == PT_NULL) continue;
        if (!inside(f, s.p_offset, s.p_filesz)) return truncated(f, "segment", i, s.p_offset, s.p_filesz);
        if (s.p_type != PT_LOAD) continue;
        if (s.p_filesz > s.p_memsz || s.p_vaddr < free_address || s.p_memsz > UINT64_MAX - s.p_vaddr)
            return damaged(f, "load segments overlap");
        free_address = s.p_vaddr + s.p_memsz;
        loads++;
    }
    return loads ? RESIDA_OK : damaged(f, "nothing to load");
}

/* The loader does not need sections, but they come last in a file, so that a cut shows here. None is fine too. */
static resida_status check_sections(const elf_file *f)
{
    const ElfW(Ehdr) *h = &f->header;
    if (h->e_shoff == 0) return RESIDA_OK;
    if (h->e_shentsize != sizeof(ElfW(Shdr))) return damaged(f, "section headers of an unknown size");
    uint64_t table = (uint64_t)h->e_shnum * sizeof(ElfW(Shdr));
    if (!inside(f, h->e_shoff, table)) return truncated(f, "section header", h->e_shnum, h->e_shoff, table);
    for (int i = 0; i < h->e_shnum; i++) {
        ElfW(Shdr) s;
        if (!read_at(f, h->e_shoff + (uint64_t)i * sizeof s, &s, sizeof s)) return refuse(f, "cannot be read");
        if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS) continue;
        if (!inside(f, s.sh_offset, s.sh_size)) return truncated(f, "section", i, s.sh_offset, s.sh_size);
    }
    return RESIDA_OK;
}

/* out [size] <- what will lie at an address; bytes beyond the file's part of a segment are zero. */
static int read_address(const elf_file *f, uint64_t address, void *out, size_t size)
{
    for (int i = 0; i < f->header.e_phnum; i++) {
        ElfW(Phdr) s;
        if (!read_segment(f, i, &s)) return 0;
        if (s.p_type != PT_LOAD || address < s.p_vaddr) continue;
        uint64_t within = address - s.p_vaddr;
        if (within > s.p_memsz || size > s.p_memsz - within) continue;
        uint64_t in_file = within < s.p_filesz ? s.p_filesz - within : 0;
        if (in_file > size) in_file = size;
        memset(out, 0, size);
        return read_at(f, s.p_offset + within, out, (size_t)in_file);
    }
    return 0;
}

static void note_table(dynamic_tables *tables, const ElfW(Dyn) * entry)
{
    switch (entry->d_tag) {
    case DT_SYMTAB:
        tables->symbols = entry->d_un.d_ptr;
        break;
    case DT_STRTAB:
        tables->strings = entry->d_un.d_ptr;
        break;
    case DT_STRSZ:
        tables->strings_size = entry->d_un.d_val;
        break;
    case DT_HASH:
        tables->hash = entry->d_un.d_ptr;
        break;
    case DT_GNU_HASH:
        tables->gnu_hash = entry->d_un.d_ptr;
        break;
    default:
        break;
    }
}

static resida_status read_dynamic(const elf_file *f, dynamic_tables *tables)
{
    ElfW(Phdr) s = {0};
    for (int i = 0; i < f->header.e_phnum && s.p_type != PT_DYNAMIC; i++)
        if (!read_segment(f, i, &s)) return refuse(f, "cannot be read");
    if (s.p_type != PT_DYNAMIC) return refuse(f, "not a plugin: an ELF file without a dynamic section");
    ElfW(Dyn) entry = {.d_tag = DT_NULL};
    uint64_t n = s.p_filesz / sizeof entry;
    for (uint64_t i = 0; i < n; i++) {
        if (!read_at(f, s.p_offset + i * sizeof entry, &entry, sizeof entry)) return refuse(f, "cannot be read");
        if (entry.d_tag == DT_NULL) break;
        note_table(tables, &entry);
    }
    if (n == 0 || entry.d_tag != DT_NULL) return damaged(f, "the dynamic section has no end");
    char end;
    if (!tables->symbols || !tables->strings || !tables->strings_size ||
        !read_address(f, tables->strings + tables->strings_size - 1, &end, 1))
        return damaged(f, "no symbol or string table");
    return RESIDA_OK;
}

/* 1: symbol i is a defined, global one of this name; *found is set. 0: it is not. -1: it cannot be read. */
static int symbol_is(const elf_file *f, const dynamic_tables *tables, uint64_t i, const char *name, ElfW(Sym) * found)
{
    ElfW(Sym) s;
    if (!read_address(f, tables->symbols + i * sizeof s, &s, sizeof s)) return -1;
    size_t length = strlen(name) + 1; /* with its final 0 */
    if (s.st_shndx == SHN_UNDEF || ELF64_ST_BIND(s.st_info) == STB_LOCAL) return 0;
    if (s.st_name >= tables->strings_size || length > tables->strings_size - s.st_name) return 0;
    for (size_t k = 0; k < length; k++) {
        char c;
        if (!read_address(f, tables->strings + s.st_name + k, &c, 1)) return -1;
        if (c != name[k]) return 0;
    }
    *found = s;
    return 1;
}

/* The GNU table: { buckets, first symbol, bloom words, shift }, bloom words, buckets, then one hash value per symbol
 * from the first on, whose lowest bit marks the end of a bucket. */
static int find_by_gnu_hash(const elf_file *f, const dynamic_tables *tables, const char *name, ElfW(Sym) * found)
{
    uint32_t head[4], i, hash = 5381, value = 0;
    for (const char *c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
    if (!read_address(f, tables->gnu_hash, head, sizeof head)) return -1;
    if (head[0] == 0) return 0;
    uint64_t buckets = tables->gnu_hash + sizeof head + head[2] * (uint64_t)sizeof(ElfW(Addr));
    uint64_t values = buckets + head[0] * (uint64_t)sizeof value;
    if (!read_address(f, buckets + hash % head[0] * (uint64_t)sizeof i, &i, sizeof i)) return -1;
    if (i < head[1]) return 0; /* an empty bucket */
    for (long n = 0; n < LONGEST_CHAIN; n++, i++) {
        if (!read_address(f, values + (i - head[1]) * (uint64_t)sizeof value, &value, sizeof value)) return -1;
        int verdict = (value | 1) == (hash | 1) ? symbol_is(f, tables, i, name, found) : 0;
        if (verdict != 0 || (value & 1)) return verdict;
    }
    return -1;
}

/* The table of System V: { buckets, symbols }, buckets, chain; both hold symbol numbers, 0 ends a chain. */
static int find_by_hash(const elf_file *f, const dynamic_tables *tables, const char *name, ElfW(Sym) * found)
{
    Elf_Symndx head[2], i;
    uint32_t hash = 0;
    for (const char *c = name; *c; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        hash = (hash ^ ((hash & 0xf0000000u) >> 24)) & 0x0fffffffu;
    }
    if (!read_address(f, tables->hash, head, sizeof head)) return -1;
    if (head[0] == 0) return 0;
    uint64_t buckets = tables->hash + sizeof head, chain = buckets + head[0] * (uint64_t)sizeof i;
    if (!read_address(f, buckets + hash % head[0] * (uint64_t)sizeof i, &i, sizeof i)) return -1;
    for (long n = 0; n < LONGEST_CHAIN; n++) {
        int verdict = i != 0 ? symbol_is(f, tables, i, name, found) : 0;
        if (verdict != 0 || i == 0) return verdict;
        if (!read_address(f, chain + i * (uint64_t)sizeof i, &i, sizeof i)) return -1;
    }
    return -1;
}

static resida_status find_object(const elf_file *f, const char *name, ElfW(Sym) * object)
{
    dynamic_tables tables = {0};
    RSD_TRY(read_dynamic(f, &tables));
    if (!tables.gnu_hash && !tables.hash) return damaged(f, "no hash table of symbols");
    int verdict = tables.gnu_hash ? find_by_gnu_hash(f, &tables, name, object) : find_by_hash(f, &tables, name, object);
    if (verdict < 0) return damaged(f, "the table of symbols points out of the file");
    if (verdict == 0)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: not a plugin: does not export %s", f->path.text, name);
    if (ELF64_ST_TYPE(object->st_info) != STT_OBJECT)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: not a plugin: exports %s, but not as a data object",
                        f->path.text, name);
    return RESIDA_OK;
}

static resida_status check_all(elf_file *f, const char *path, const char *symbol, void *head, size_t head_size,
                               size_t *bytes)
{
    ElfW(Sym) object = {0};
    RSD_TRY(open_regular(f, path));
    RSD_TRY(check_identity(f));
    RSD_TRY(check_header(f));
    RSD_TRY(check_segments(f));
    RSD_TRY(check_sections(f));
    RSD_TRY(find_object(f, symbol, &object));
    if (object.st_size < head_size)
        return rsd_fail(f->why, RESIDA_ERR_PLUGIN, "%s: not a plugin: %s has %llu bytes, at least %zu are needed",
                        f->path.text, symbol, (unsigned long long)object.st_size, head_size);
    *bytes = (size_t)object.st_size;
    return read_address(f, object.st_value, head, head_size) ? RESIDA_OK : damaged(f, "a symbol outside the file");
}

resida_status rsd_elf_check(const char *path, const char *symbol, void *head, size_t head_size, size_t *bytes,
                            resida_message *why)
{
    elf_file f = {.fd = -1, .path = rsd_path_shown(path), .why = why};
    resida_status status = check_all(&f, path, symbol, head, head_size, bytes);
    if (f.fd >= 0) close(f.fd);
    return status;
}
