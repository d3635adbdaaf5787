//! Secrets in memory and in logs: wiping of field elements, since the curve library's types don't implement `Zeroize`, and a `Debug` that
//! tells nothing.
//!
//! Wiping is best effort, as any in safe Rust of values that were copied is; it is not a defence against a debugger.

use std::sync::atomic::{Ordering, compiler_fence};

/// Overwrites a value with its default, as [`overwrite`] does.
pub fn wipe<T: Default + Copy>(value: &mut T) {
    overwrite(value, T::default());
}

/// Overwrites a value with another and keeps the compiler from leaving that out.
pub fn overwrite<T: Copy>(value: &mut T, blank: T) {
    *value = blank;
    std::hint::black_box(value);
    compiler_fence(Ordering::SeqCst);
}

/// Implements `Debug` for types that hold secrets, or have nothing to show: it gives the type's name and nothing of what it holds.
#[macro_export]
macro_rules! redacted {
    ($($type:ident $(<$parameter:ident>)?),+) => { $(
        impl $(<$parameter>)? ::std::fmt::Debug for $type $(<$parameter>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(concat!(stringify!($type), "(…)"))
            }
        }
    )+ };
}

/// Implements `Debug` as [`redacted!`] does, and a `Drop` that overwrites the values named: fields, or those of a tuple by number. What
/// has no default, such as an array of more than 32 values, is named with what overwrites it: `types = [0; 64]`.
///
/// [`redacted!`]: crate::redacted
#[macro_export]
macro_rules! wiped_on_drop {
    ($type:ident: $($($field:tt).+ $(= $blank:expr)?),+) => {
        $crate::redacted!($type);

        impl Drop for $type {
            fn drop(&mut self) {
                $($crate::secret::overwrite(&mut self.$($field).+, $crate::wiped_on_drop!(@ $($blank)?));)+
            }
        }
    };
    (@) => {
        ::std::default::Default::default()
    };
    (@ $blank:expr) => {
        $blank
    };
}

/// Overwrites all values of a slice.
pub fn wipe_all<T: Default + Copy>(values: &mut [T]) {
    for value in values {
        wipe(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wiped_values_are_zero() {
        let mut values = [crate::F::from(5); 3];
        wipe_all(&mut values);
        assert_eq!(values, [crate::F::zero(); 3]);
    }
}
