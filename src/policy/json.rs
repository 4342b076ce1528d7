//! Strict JSON: UTF-8, no duplicate key, no overflowing number, every error with line and column.
