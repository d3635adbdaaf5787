//! The chain handle on a real local chain: a player's every action, the game's state and events, refusals in words.
//!
//! Protocol section 8. The verifier accepts every proof (the contracts' own test verifier), because what is tested
//! here is the way to the chain and back; real proofs are made in `test/`.

mod creations;
mod deploying;
mod finality;
mod free_calls;
mod games;
mod lies;
mod numbers;
mod poor;
mod refusals;
mod sending;
mod test_chain;
mod unproven;
mod wallets;
mod weather;
