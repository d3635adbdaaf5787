//! Statements: what is proved, as a public struct, a private struct and a native check (protocol section 7).
//!
//! A check says in plain Rust what the circuit of the same name must enforce, and no more; the public inputs are laid
//! out here once. No proof system is involved.

use crate::{F, engine::Cause};

/// Declares a statement's public inputs by name, in the protocol's order: a struct with a field of type `T` for each (its value, its cell),
/// the names, and the way from and to an array. With `of` a type, whose `inputs` are these, that type has them in order too.
#[macro_export]
macro_rules! public_inputs {
    ($(#[$meta:meta])* $struct:ident, $count:ident $(of $public:ty)?: $($(#[$doc:meta])* $field:ident,)*) => {
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

        $(impl $public {
            /// The public inputs in order.
            pub fn to_instance(&self) -> [$crate::F; $count] {
                self.inputs().to_array()
            }
        })?
    };
}

/// Declares a statement of a module: the type that stands for it, of its public and its private part, whose `check` is the module's.
#[macro_export]
macro_rules! statement {
    ($(#[$meta:meta])* $name:ident: $public:ty, $private:ty) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        /// It has no values: only its type is used.
        pub enum $name {}

        impl $crate::statement::Statement for $name {
            type Public = $public;
            type Private = $private;

            fn instance(public: &$public) -> Vec<$crate::F> {
                public.to_instance().to_vec()
            }

            fn check(public: &$public, private: &$private) -> Result<(), $crate::engine::Cause> {
                Ok(check(public, private)?)
            }
        }
    };
}

/// Makes a bundle prove statements by its fields.
#[macro_export]
macro_rules! proves_by_fields {
    ($bundle:ty: $($statement:ty: $field:ident,)*) => {
        $(impl $crate::statement::Proves<$statement> for $bundle {
            fn prove(
                &self,
                public: &<$statement as $crate::statement::Statement>::Public,
                private: &<$statement as $crate::statement::Statement>::Private,
            ) -> Result<Vec<u8>, $crate::engine::Cause> {
                $crate::statement::Proves::<$statement>::prove(&self.$field, public, private)
            }

            fn verify(
                &self,
                public: &<$statement as $crate::statement::Statement>::Public,
                proof: &[u8],
            ) -> Result<(), $crate::engine::Cause> {
                $crate::statement::Proves::<$statement>::verify(&self.$field, public, proof)
            }
        })*
    };
}

/// What is proved, by a type without values.
pub trait Statement: 'static {
    /// What everyone sees of it.
    type Public;
    /// What only the prover knows.
    type Private;

    /// The public inputs in order.
    fn instance(public: &Self::Public) -> Vec<F>;

    /// The native check: what the circuit enforces.
    fn check(public: &Self::Public, private: &Self::Private) -> Result<(), Cause>;
}

/// Makes and verifies the proofs of a statement. Called on threads that may block; one that makes only one proof at a time waits inside.
///
/// This crate has no proof system. The program's is halo2 (`prover::Keys`); tests without one check statements natively.
pub trait Proves<S: Statement>: Send + Sync {
    /// Slow. Fails for a witness that doesn't satisfy the statement.
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause>;

    /// Whether a proof is right.
    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause>;
}

impl<S: Statement, P: Proves<S>> Proves<S> for Option<P> {
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        self.as_ref().ok_or(NO_KEYS)?.prove(public, private)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        self.as_ref().ok_or(NO_KEYS)?.verify(public, proof)
    }
}

const NO_KEYS: &str = "no keys were made for this statement";

pub mod answer;
pub mod chain_answer;
pub mod fifty;
pub mod no_move;
mod opened;
pub mod own_step;
pub mod request_data;
pub mod turn;
mod unmet;

pub use unmet::Unmet;
