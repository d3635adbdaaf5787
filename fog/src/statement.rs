//! Statements: what is proved, as a public struct, a private struct and a native check (protocol section 7).
//!
//! A check says in plain Rust what the circuit of the same name must enforce, and no more; the public inputs are laid
//! out here once. No proof system is involved.

/// Declares a statement's public inputs by name, in the protocol's order: a struct with a field of type `T` for each (its value, its cell),
/// the names, and the way from and to an array.
#[macro_export]
macro_rules! public_inputs {
    ($(#[$meta:meta])* $struct:ident, $count:ident: $($(#[$doc:meta])* $field:ident,)*) => {
        /// How many they are.
        pub const $count: usize = [$(stringify!($field)),*].len();

        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        /// Each public input is a field of type `T`.
        pub struct $struct<T> {
            $($(#[$doc])* pub $field: T,)*
        }

        impl $struct<()> {
            /// The names, in order.
            pub const NAMES: [&'static str; $count] = [$(stringify!($field)),*];
        }

        impl<T> $struct<T> {
            /// From the values in order.
            pub fn from_array([$($field),*]: [T; $count]) -> Self {
                Self { $($field),* }
            }
        }

        impl<T: Copy> $struct<T> {
            /// The values in order.
            pub fn to_array(&self) -> [T; $count] {
                [$(self.$field),*]
            }
        }
    };
}

pub mod answer;
pub mod chain_answer;
pub mod fifty;
pub mod no_move;
mod opened;
pub mod request_data;
pub mod set;
pub mod turn;
pub mod vector;
