//! The interface of the contract of tag as Rust types, generated from the interface itself at compile time. No logic is here.

// The generated functions have as many arguments as the events of the interface.
#![allow(clippy::too_many_arguments)]

alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/ITagGame.sol"
}
