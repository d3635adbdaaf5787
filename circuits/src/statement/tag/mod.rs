//! The statements of tag: *tag step*, *tag reply* and *tag capture*, which hold a king's set and its replies to its committed position. On *turn*'s
//! columns, so that the narrow verifier serves them too. The native twins are those of `contest::tag::statement`.
//!
//! Here stands what they share: [`king`] opens positions.

mod king;

mod capture;
mod reply;
mod step;

#[cfg(test)]
mod tests;

pub use capture::TagCaptureCircuit;
pub use reply::TagReplyCircuit;
pub use step::TagStepCircuit;
