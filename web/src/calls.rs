//! The functions as WebAssembly: a page asks for room, writes a text into it, calls one, and reads the answer where it is said to be.
//!
//! All memory that is shared with the page is one text, which this module owns: there are no pointers to be trusted.

// An exported name is unsafe in the edition's words, for two may clash: these are the only ones.
#![allow(unsafe_code)]

use std::sync::Mutex;

use serde_json::{Value, json};

/// The question, then the answer to it.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a question of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *const u8 {
    let mut text = TEXT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *text = vec![0; bytes];
    text.as_ptr()
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    TEXT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn read() -> usize {
    call(crate::read)
}

#[unsafe(no_mangle)]
pub extern "C" fn audit() -> usize {
    call(crate::audit)
}

/// Answers the question, and says how many bytes the answer has.
fn call(function: fn(&[u8]) -> Result<Value, String>) -> usize {
    let mut text = TEXT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let answer = function(&text).unwrap_or_else(|error| json!({ "error": error }));
    *text = answer.to_string().into_bytes();
    text.len()
}

/// Nothing here is random. Whatever asks for it nevertheless is refused.
mod without_randomness {
    fn refuse(_: &mut [u8]) -> Result<(), getrandom::Error> {
        Err(getrandom::Error::UNSUPPORTED)
    }
    getrandom::register_custom_getrandom!(refuse);
}
