//! lies
