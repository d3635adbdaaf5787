//! The bindings of *answer*: which cells it says to be equal, by the row of docs/src/statements.md that each belongs to. Most of what
//! *answer* says is in gates, and in the elements that it makes public.
//!
//! This list is the one of the code, of the forgeries, and of the document; a test compares the three.

crate::gadget::labels! {
    A1_DOUBLE_PUSH = "A1.double_push",
    A2_PENDING = "A2.pending",
    A3_GENERATOR = "A3.generator",
    A3_FOG_KEY_X = "A3.fog_key_x",
    A3_FOG_KEY_Y = "A3.fog_key_y",
    A6_SLOPE = "A6.slope",
    A8_PENDING = "A8.pending",
}
