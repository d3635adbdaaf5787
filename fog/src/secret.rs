//! Secrets in memory and in logs: wiping of field elements, since the curve library's types don't implement `Zeroize`, and a `Debug` that
//! tells nothing.
//!
//! Wiping is best effort, as any in safe Rust of values that were copied is; it is not a defence against a debugger.

use std::sync::atomic::{Ordering, compiler_fence};

/// Overwrites a value with its default and keeps the compiler from leaving that out.
pub fn wipe<T: Default + Copy>(value: &mut T) {
    *value = T::default();
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

/// Implements `Debug` as [`redacted!`] does, and a `Drop` that overwrites the values named: fields, or those of a tuple by number.
///
/// [`redacted!`]: crate::redacted
#[macro_export]
macro_rules! wiped_on_drop {
    ($type:ident: $($($field:tt).+),+) => {
        $crate::redacted!($type);

        impl Drop for $type {
            fn drop(&mut self) {
                $($crate::secret::wipe(&mut self.$($field).+);)+
            }
        }
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
