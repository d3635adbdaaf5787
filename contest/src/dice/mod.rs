//! Dice that neither of two players throws alone, and Snakes and Ladders played with them.
//!
//! Every roll has two numbers of 256 bits: one that its player promised before (the hash of it), and one that the opponent gave in clear
//! after that. Neither could choose its own with the other's in view. Messages ride on moves:
//!
//! ```text
//! invitation  creator             H1              promise of the number for roll 1
//! acceptance  joiner       N1,    H2              number for roll 1, promise for roll 2
//! roll 1      creator  R1, N2,    H3, C1          R1 opens H1: seed R1 + N1; number for roll 2, promise for roll 3; the die chosen
//! roll 2      joiner   R2, N3,    H4, C2          R2 opens H2: seed R2 + N2; …
//! roll i               Ri, N(i+1), H(i+2), Ci
//!
//! tag(i) = keccak256(abi.encode(keccak256("fogmate/dice/2"), i))
//! Hi     = keccak256(abi.encode(tag(i), player, Ri))                       player: its address
//! seed   = Ri + Ni mod 2^256
//! dice   = two, by fogmate/dice/hmac-drbg-sha256/2, see `roll_dice`
//! Ci     = what one of the two shows, 1 to 6: the roller has seen both, and moves by this one
//! head   = game id; then keccak256(abi.encode(head, joiner, N1, H2)); then keccak256(abi.encode(head, Ri, N(i+1), H(i+2), Ci))
//! ```
//!
//! The creator makes the odd rolls. Each message names the head before it, so it can follow nothing else. A promise is for one roll and
//! one player: a repeated or a copied one can't be opened. The contract's twin is `contracts/src/DiceGame.sol`; the
//! tests of both take `test/data/dice.json`, which `tests/reference.py` makes with neither.
//!
//! Who is to roll knows the dice first, and decides by which one it moves. It may keep the roll to itself: that loses the game when its time is over.

mod board;
mod die;
mod drbg;
mod numbers;
mod promise;
mod roll;
mod rules;

pub use board::{GOAL, JUMPS, Square};
pub use die::{Die, PRNG, roll_dice, seed_of};
pub use drbg::HmacDrbg;
pub use numbers::{Duty, Numbers};
pub use promise::promise;
pub use roll::{Acceptance, Dice, Roll, Wrong};
