/* own_names.c - the dynamic linker searches a symbol first in the process, which contains SUNDIALS, KLU and LAPACK. An
 * FMU that contains other versions of these functions must use its own:
 *
 *     RTLD_DEEPBIND    of glibc: the FMU and its libraries are searched before the process
 *     DT_SYMBOLIC      in the dynamic section of its binary (System V ABI, chapter 5): the FMU is searched before the
 *     process
 *
 * RTLD_DEEPBIND also prefers the libc over the process. This fails in two cases. If the process has another malloc()
 * than that of the libc, as with sanitizers, which reject the flag, free() of an FMU would not match strdup(). If a C++
 * program has a copy of std::cout, an FMU would write to another one that is not initialised. DT_SYMBOLIC is used in
 * these cases. */
#define _GNU_SOURCE /* RTLD_DEEPBIND, RTLD_DEFAULT */
#include "port.h"

#include <dlfcn.h>

#if defined(__linux__) && defined(RTLD_DEEPBIND)
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return 1 if a symbol of a library, if loaded, is that of the process. */
static int is_symbol_of_process(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    const int is_same = !handle || dlsym(handle, name) == dlsym(RTLD_DEFAULT, name);
    if (handle) dlclose(handle);
    return is_same;
}

/* Set DF_SYMBOLIC in the entry DT_FLAGS, or replace an unused entry by DT_SYMBOLIC. */
typedef ElfW(Dyn) entry;
static void set_symbolic_flag(entry *entries, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (entries[k].d_tag == DT_FLAGS) entries[k].d_un.d_val |= DF_SYMBOLIC;
        if (entries[k].d_tag == DT_NULL && k + 1 < n) entries[k].d_tag = DT_SYMBOLIC;
        if (entries[k].d_tag == DT_FLAGS || entries[k].d_tag == DT_SYMBOLIC || entries[k].d_tag == DT_NULL) return;
    }
}

static void mark_elf_file(char *bytes, size_t size)
{
    const ElfW(Ehdr) *head = (const void *)bytes;
    const int class = sizeof(void *) == sizeof(uint64_t) ? ELFCLASS64 : ELFCLASS32;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != class) return;
    const size_t n = head->e_phnum, at = head->e_phoff;
    if (at > size || at % sizeof(void *) != 0 || n * sizeof(ElfW(Phdr)) > size - at) return;
    const ElfW(Phdr) *parts = (const void *)(bytes + at);
    for (size_t k = 0; k < n; k++) {
        const size_t first = parts[k].p_offset, length = parts[k].p_filesz;
        if (parts[k].p_type != PT_DYNAMIC || first > size || length > size - first || first % sizeof(void *) != 0)
            continue;
        set_symbolic_flag((void *)(bytes + first), length / sizeof(entry));
    }
}

static void mark_library(const char *path)
{
    struct stat about;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    const size_t size = fstat(file, &about) == 0 ? (size_t)about.st_size : 0;
    char *bytes = size > 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (bytes != MAP_FAILED) {
        mark_elf_file(bytes, size);
        munmap(bytes, size);
    }
    close(file);
}

int fmu_bind_own_symbols(const char *path)
{
    if (is_symbol_of_process("libc.so.6", "malloc") && is_symbol_of_process("libstdc++.so.6", "_ZSt4cout"))
        return RTLD_DEEPBIND;
    mark_library(path);
    return 0;
}
#else
int fmu_bind_own_symbols(const char *path)
{
    (void)path;
    return 0;
}
#endif
