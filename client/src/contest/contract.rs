//! The contracts' interfaces as Rust types, generated from the interfaces themselves at compile time. No logic is here.

// The generated functions have as many arguments as the events of the interfaces.
#![allow(clippy::too_many_arguments)]

alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/Contests.sol"
}
