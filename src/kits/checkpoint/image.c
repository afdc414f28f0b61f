/* image.c - writes and reads a state as bytes. Numbers have the format of this machine, which the header identifies. */
#include "solver_checkpoint.h"

#include <resida/checkpoint.h>

#include <string.h>

#include "base/message.h"

#define MAGIC       "resida state\n"     /* first 16 bytes of a checkpoint: 13 letters, three zeros */
#define FORMAT      3                    /* version of the format, incremented when the order of the parts changes */
#define BYTE_ORDER  UINT32_C(0x01020304) /* number whose bytes identify the byte order */
#define NUMBER      (1.0 / 3)            /* number whose bits identify the format of double */
#define HASH_BEGIN  UINT64_C(0xcbf29ce484222325) /* FNV-1a hash of no bytes */
#define HASH_FACTOR UINT64_C(0x100000001b3)      /* factor of the FNV-1a hash for each byte */
enum { VERSION = 32 };                           /* size of the text of a version number */

typedef struct head {
    char magic[16];         /* MAGIC, which identifies a checkpoint */
    uint32_t order, format; /* BYTE_ORDER; FORMAT */
    uint64_t size;          /* size of the checkpoint [bytes] */
    uint64_t number;        /* bits of NUMBER, which identify the format of double */
    uint64_t long_size;     /* sizeof(long) */
} head;

static const size_t min = sizeof(head) + sizeof(uint64_t); /* minimum size of a checkpoint: head and hash */

static uint64_t get_number_bits(void)
{
    const double number = NUMBER;
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof number);
    return bits;
}

/* Compute the FNV-1a hash (Fowler, Noll, Vo). The hashes of data that differ in one byte are different. */
static uint64_t compute_hash(const unsigned char *x, size_t size)
{
    uint64_t h = HASH_BEGIN;
    for (size_t i = 0; i < size; i++) h = (h ^ x[i]) * HASH_FACTOR;
    return h;
}

void rsd_image_transfer(rsd_image *m, void *x, size_t size)
{
    if (size == 0) return;
    const size_t room = m->size > m->at ? m->size - m->at : 0;
    if (m->from) {
        m->is_short |= size > room;
        if (m->is_short)
            memset(x, 0, size);
        else
            memcpy(x, m->from + m->at, size);
    } else if (m->bytes && size <= room)
        memcpy(m->bytes + m->at, x, size);
    m->at += size;
}

int rsd_image_transfer_word(rsd_image *m, const char *word, char read[RSD_IMAGE_WORD])
{
    char own[RSD_IMAGE_WORD] = "";
    const size_t length = strlen(word);
    memcpy(own, word, length < sizeof own ? length : sizeof own - 1);
    memcpy(read, own, sizeof own);
    uint64_t size = strlen(own);
    rsd_image_transfer(m, &size, sizeof size);
    if (size >= sizeof own) size = 0, m->is_short = 1;
    rsd_image_transfer(m, read, (size_t)size);
    read[size] = 0;
    return strcmp(read, own) == 0;
}

static void transfer_versions(rsd_image *m, char own[2][VERSION], char read[2][RSD_IMAGE_WORD])
{
    strncpy(own[0], resida_version(), VERSION - 1);
    own[0][VERSION - 1] = own[1][0] = 0;
    (void)resida_sundials_version(own[1], VERSION);
    for (int i = 0; i < 2; i++) (void)rsd_image_transfer_word(m, own[i], read[i]);
}

rsd_image rsd_image_write(void *bytes, size_t size, const void *note, size_t note_size)
{
    rsd_image m = {.bytes = bytes, .size = size};
    head h;
    memset(&h, 0, sizeof h);
    strcpy(h.magic, MAGIC);
    h.order = BYTE_ORDER;
    h.format = FORMAT;
    h.size = size;
    h.number = get_number_bits();
    h.long_size = sizeof(long);
    rsd_image_transfer(&m, &h, sizeof h);
    char own[2][VERSION], read[2][RSD_IMAGE_WORD];
    transfer_versions(&m, own, read);
    uint64_t n = note_size;
    rsd_image_transfer(&m, &n, sizeof n);
    if (n > 0 && m.bytes && m.size >= m.at + note_size) memcpy(m.bytes + m.at, note, note_size);
    m.at += note_size;
    return m;
}

void rsd_image_close(rsd_image *m)
{
    uint64_t h = m->bytes && m->at < m->size ? compute_hash(m->bytes, m->at) : 0;
    rsd_image_transfer(m, &h, sizeof h);
}

static resida_status report_invalid(resida_message *why, const char *what)
{
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s", what);
}

/* Check that the bytes are a complete checkpoint of FORMAT and of the present machine with a correct checksum. */
static resida_status check_head(const unsigned char *bytes, size_t size, resida_message *why)
{
    head h;
    uint64_t there;
    const uint32_t turned =
        BYTE_ORDER << 24 | (BYTE_ORDER & 0xff00) << 8 | (BYTE_ORDER >> 8 & 0xff00) | BYTE_ORDER >> 24;
    if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return report_invalid(why, "not a checkpoint of resida");
    if (size < min) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "the checkpoint is truncated after %zu bytes", size);
    memcpy(&h, bytes, sizeof h);
    if (h.order == turned)
        return report_invalid(why, "the checkpoint was written on a machine with another byte order");
    if (h.order != BYTE_ORDER) return report_invalid(why, "the head of the checkpoint is damaged");
    if (h.format != FORMAT)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "the checkpoint has format %lu, this version reads format %d",
                        (unsigned long)h.format, FORMAT);
    if (h.number != get_number_bits() || h.long_size != sizeof(long))
        return report_invalid(why, "the checkpoint was written on a machine with another format of numbers");
    if (h.size > size)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "the checkpoint is truncated: it has %zu of %llu bytes", size,
                        (unsigned long long)h.size);
    memcpy(&there, bytes + size - sizeof there, sizeof there);
    if (h.size != size || there != compute_hash(bytes, size - sizeof there))
        return report_invalid(why, "the checkpoint is damaged: its checksum is wrong");
    return RESIDA_OK;
}

resida_status rsd_image_read(rsd_image *m, const void *bytes, size_t size, const void **note, size_t *note_size,
                             resida_message *why)
{
    static const char *const whose[] = {"resida", "SUNDIALS"};
    char own[2][VERSION], read[2][RSD_IMAGE_WORD];
    *m = (rsd_image){.from = bytes, .size = size, .at = sizeof(head), .why = why};
    if (!bytes) return report_invalid(why, "checkpoint: bytes is NULL");
    RSD_TRY(check_head(bytes, size, why));
    m->size = size - sizeof(uint64_t);
    transfer_versions(m, own, read);
    for (int i = 0; i < 2; i++)
        if (strcmp(own[i], read[i]) != 0)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "the checkpoint was written by %s %.40s, this is %s", whose[i],
                            read[i], own[i]);
    uint64_t n = 0;
    rsd_image_transfer(m, &n, sizeof n);
    if (m->is_short || n > m->size - m->at) return report_invalid(why, "the note of the checkpoint is damaged");
    if (note) *note = m->from + m->at;
    if (note_size) *note_size = (size_t)n;
    m->at += (size_t)n;
    return RESIDA_OK;
}

resida_status resida_checkpoint_note(const void *bytes, size_t size, const void **note, size_t *note_size,
                                     resida_message *why)
{
    rsd_image m;
    return rsd_image_read(&m, bytes, size, note, note_size, why);
}
