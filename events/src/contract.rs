//! The game contract's interface as Rust types, generated from the interface itself at compile time.
//!
//! Protocol section 8. This is the only place where the interface is bound, so a change of it can't be missed. No logic is here.

// The generated functions have as many arguments as the events of the interface.
#![allow(clippy::too_many_arguments)]

#[cfg(feature = "rpc")]
alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/IFogmate.sol"
}

#[cfg(not(feature = "rpc"))]
alloy_sol_types::sol! {
    #[sol(all_derives)]
    "../contracts/src/interfaces/IFogmate.sol"
}
