//! Broken values of *request data*: every public field, and points (protocol section 7).

use super::{RequestDataMutation, mutations};
use crate::{
    F,
    statement::Unmet::{RequestRoot, Value},
};
use ff::Field;

/// Broken values of *request data*.
pub fn mutations_request_data() -> Vec<RequestDataMutation> {
    mutations! { RequestDataMutation, p, w:
        "public request root": p.request_root += F::ONE => RequestRoot,
        "public z": p.binding.z += F::ONE => Value,
        "public y": p.binding.y += F::ONE => Value,
        "the first coordinate": w.request.points[0].x += F::ONE => RequestRoot,
        "the last coordinate": w.request.points[63].y += F::ONE => RequestRoot,
        "two points changed for each other": w.request.points.swap(8, 9) => RequestRoot,
        "two points changed for each other, under a root of their own" => |p, w| {
            w.request.points.swap(8, 9);
            p.request_root = w.request.root();
            Some(Value)
        },
    }
}
