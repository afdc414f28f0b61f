"""Where a matrix has entries: by rows, base 0, columns rising within a row."""

from typing import Any

import numpy as np

from ._library import ffi


class Pattern:
    """The pattern of a matrix of a shape.

    `given` is what a user says: a matrix whose entries are not 0 (nested lists, an array, or one of scipy.sparse), or a
    tuple (row, col) of the start of each row and the columns, as in resida_pattern.
    """

    def __init__(self, given: Any, shape: tuple[int, int], name: str) -> None:
        row, col = given if isinstance(given, tuple) else _of_matrix(given, shape, name)
        self.row = np.ascontiguousarray(row, dtype=np.intc)
        self.col = np.ascontiguousarray(col, dtype=np.intc)
        self.shape = shape
        if self.row.shape != (shape[0] + 1,) or self.col.shape != (self.row[-1],):
            raise ValueError(f"{name}: row has {self.row.size} numbers and col {self.col.size}, and "
                             f"{shape[0] + 1} and row[-1] = {self.row[-1] if self.row.size else 0} are needed")
        if np.any(np.diff(self.row) < 0):
            raise ValueError(f"{name}: row = {self.row.tolist()} falls")
        self._rows = np.repeat(np.arange(shape[0]), np.diff(self.row))

    @property
    def nnz(self) -> int:
        """Number of entries."""
        return self.col.size

    def fill(self, c_pattern: Any) -> None:
        """Let a resida_pattern point here."""
        c_pattern.row = ffi.cast("int *", ffi.from_buffer(self.row))
        c_pattern.col = ffi.cast("int *", ffi.from_buffer(self.col))

    def values(self, matrix: Any) -> Any:
        """The entries of a matrix in the order of the pattern; values that are in it already pass."""
        matrix = np.asarray(dense(matrix))
        return matrix[self._rows, self.col] if matrix.shape == self.shape else matrix


def dense(matrix: Any) -> Any:
    """A matrix of scipy.sparse as an array; anything else as it is."""
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def _of_matrix(given: Any, shape: tuple[int, int], name: str) -> tuple[Any, Any]:
    matrix = np.asarray(dense(given))
    if matrix.shape != shape:
        raise ValueError(f"{name} has shape {matrix.shape}, and {shape} is needed")
    rows, columns = np.nonzero(matrix)
    return np.searchsorted(rows, np.arange(shape[0] + 1)), columns
