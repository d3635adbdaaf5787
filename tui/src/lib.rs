//! The board in a terminal. [`Model`] is what is known of a game, made from its notices alone; [`Ui`] adds what the player is about to do, takes keys and
//! clicks, and draws itself. No I/O and no clock: whoever runs it says what time it is, and what comes of a typed line.

mod board;
mod boxes;
mod clocks;
mod draw;
mod early;
mod input;
mod layout;
mod memory;
mod model;
mod panel;
mod popup;
mod replay;
mod status;
mod text;
mod theme;
mod ui;

pub use boxes::FIFTY;
pub use clocks::{Clock, Clocks, time_left};
pub use early::Early;
pub use input::Input;
pub use layout::{Grid, Layout};
pub use model::{Frame, Model, Ply, Wake};
pub use replay::everything;
pub use text::{printable, wrapped};
pub use theme::{Colors, Theme};
pub use ui::{Action, Settings, Ui};
