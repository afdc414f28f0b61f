"""Sparsity patterns of matrices: by rows, base 0, columns increasing within a row."""

from typing import Any

import numpy as np

from ._library import ffi


class Pattern:
    """The sparsity pattern of a matrix with a given shape.

    The argument `given` is one of: a matrix whose nonzero entries form the pattern (nested lists, an array); a
    scipy.sparse matrix, with all entries that it stores; or a tuple (row, col). The tuple contains the start of each
    row and the columns, as resida_pattern and scipy's csr, or the row and the column of each entry, as scipy's coo.
    """

    def __init__(self, given: Any, shape: tuple[int, int], name: str) -> None:
        rows, columns = (_of_pair if isinstance(given, tuple) else _of_matrix)(given, shape, name)
        for word, numbers, n in ("row", rows, shape[0]), ("column", columns, shape[1]):
            outside = numbers[(numbers < 0) | (numbers >= n)]
            if outside.size:
                raise ValueError(f"{name}: {word} {outside[0]} is outside 0 to {n - 1}")
        order = np.lexsort((columns, rows))
        self._name, self._rows, columns = name, rows[order], columns[order]
        if np.any((np.diff(self._rows) == 0) & (np.diff(columns) == 0)):
            raise ValueError(f"{name} contains an entry twice")
        self._order = None if np.all(np.diff(order) == 1) else order  # permutation of values; None: already in order
        self.row = np.searchsorted(self._rows, np.arange(shape[0] + 1)).astype(np.intc)
        self.col = columns.astype(np.intc)
        self.shape = shape

    @property
    def nnz(self) -> int:
        """Number of entries."""
        return int(self.col.size)

    def fill(self, c_pattern: Any) -> None:
        """Set a resida_pattern to the arrays of this pattern."""
        c_pattern.row = ffi.cast("int *", ffi.from_buffer(self.row))
        c_pattern.col = ffi.cast("int *", ffi.from_buffer(self.col))

    def values(self, matrix: Any) -> Any:
        """Return the entries of a matrix by rows. An array of values is in the order in which the pattern was given."""
        if is_sparse(matrix) and matrix.shape == self.shape:
            return self._of_sparse(matrix.tocsr())
        matrix = np.asarray(dense(matrix))
        if matrix.shape == self.shape:
            return matrix[self._rows, self.col]
        return matrix if self._order is None or matrix.shape != self._order.shape else matrix[self._order]

    def _of_sparse(self, matrix: Any) -> Any:
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        if np.array_equal(matrix.indptr, self.row) and np.array_equal(matrix.indices, self.col):
            return matrix.data
        rows, n = np.repeat(np.arange(self.shape[0]), np.diff(matrix.indptr)), self.shape[1]
        keys, known = rows * n + matrix.indices, self._rows * np.int64(n) + self.col
        at = np.minimum(np.searchsorted(known, keys), self.nnz - 1)
        has = known[at] == keys if self.nnz else np.zeros(keys.shape, dtype=bool)
        lacking = np.flatnonzero(~has & (matrix.data != 0))
        if lacking.size:
            raise ValueError(f"a matrix has an entry in row {rows[lacking[0]]}, column {matrix.indices[lacking[0]]}, "
                             f"which is not in {self._name}")
        values = np.zeros(self.nnz)
        values[at[has]] = matrix.data[has]
        return values


def is_sparse(matrix: Any) -> bool:
    """Return whether it is a scipy.sparse matrix."""
    return hasattr(matrix, "tocsr")


def places(matrix: Any) -> Any:
    """Return a scipy.sparse matrix with 1 at each stored entry."""
    ones = abs(matrix.tocsr())
    ones.data[:] = 1
    return ones


def dense(matrix: Any) -> Any:
    """Convert a scipy.sparse matrix to an array. Return any other object unchanged."""
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def _of_matrix(given: Any, shape: tuple[int, int], name: str) -> tuple[Any, Any]:
    sparse = is_sparse(given)
    given = given.tocoo() if sparse else dense(given)
    if sparse and given.nnz != (summed := given.tocsr()).nnz:
        given = summed.tocoo()  # duplicate entries are summed; otherwise the order is that of the matrix
    if np.shape(given) != shape:
        raise ValueError(f"{name} has shape {np.shape(given)}; expected {shape}")
    rows, columns = (given.row, given.col) if sparse else np.nonzero(given)
    return rows, columns


def _of_pair(given: tuple[Any, ...], shape: tuple[int, int], name: str) -> tuple[Any, Any]:
    try:
        row, col = (np.asarray(each, dtype=np.intc) for each in given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a tuple, but not a pair (row, col) of integer arrays") from None
    if row.size == shape[0] + 1 and row[-1] == col.size:
        if row[0] != 0 or np.any(np.diff(row) < 0):
            raise ValueError(f"{name}: row = {row.tolist()} must increase from 0")
        return np.repeat(np.arange(shape[0]), np.diff(row)), col
    if row.shape != col.shape or row.ndim != 1:
        raise ValueError(f"{name} = (row, col) has {row.size} and {col.size} numbers: row must contain the start of "
                         f"each row ({shape[0] + 1} numbers, the last equal to the length of col), or row and col must "
                         "contain the row and the column of each entry")
    return row, col


def n_rows(given: Any) -> int:
    """Return the number of rows of a pattern whose shape is unknown."""
    if not isinstance(given, tuple):
        return int(np.shape(given)[0])
    row, col = given
    return len(row) - 1 if row[-1] == len(col) else int(max(row)) + 1
