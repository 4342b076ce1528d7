//! Tests of the pure parts, on rows made up here; `tests/shelf` moves real files.
