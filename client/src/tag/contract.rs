//! The interface of the contract of tag as Rust types, generated from the interface itself at compile time. No logic is here.

// The generated types have the documentation of the interface, where it has one, and as many arguments as its events.
#![allow(missing_docs, clippy::too_many_arguments)]

alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/ITagGame.sol"
}
