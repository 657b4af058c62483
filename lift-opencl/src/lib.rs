//! Late-bound OpenCL entry points.
