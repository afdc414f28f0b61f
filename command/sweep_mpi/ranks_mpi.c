/* ranks_mpi.c - the module that implements the functions of ranks.h with MPI. */
#include "command/sweep/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <resida/status.h>

enum { TAG = 1 };

static void begin(int *rank, int *n)
{
    int is_there = 0;
    MPI_Initialized(&is_there);
    if (!is_there) MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, n);
}

/** Convert a size to a count of MPI. The program ends if the size is too large. */
static int count(size_t n)
{
    if (n > INT_MAX) MPI_Abort(MPI_COMM_WORLD, 1);
    return (int)n;
}

static void send(const void *bytes, size_t n, int to)
{
    MPI_Send(bytes, count(n), MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static int probe(size_t *n, int *from)
{
    MPI_Status status;
    int is_there = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &is_there, &status);
    if (!is_there) return 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    *n = (size_t)size;
    *from = status.MPI_SOURCE;
    return 1;
}

static void receive(void *bytes, size_t n, int from)
{
    MPI_Recv(bytes, count(n), MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void broadcast(void *bytes, size_t n)
{
    MPI_Bcast(bytes, count(n), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void end(void)
{
    MPI_Finalize();
}

static void give_up(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

RESIDA_API extern const cmd_ranks_module resida_ranks;
RESIDA_API const cmd_ranks_module resida_ranks = {
    sizeof(cmd_ranks_module), begin, send, probe, receive, broadcast, end, give_up};
