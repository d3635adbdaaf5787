//! The board in a terminal. [`Model`] is what is known of a game, made from its notices alone; [`Ui`] adds what the player is about to do, takes keys and
//! clicks, and draws itself. No I/O and no clock: whoever runs it says what time it is, and what comes of a typed line.

mod board;
mod input;
mod layout;
mod memory;
mod model;
mod panel;
mod status;
mod theme;
mod ui;

pub use layout::Layout;
pub use model::{Model, Ply};
pub use theme::{Colors, Theme};
pub use ui::{Action, Settings, Ui};
