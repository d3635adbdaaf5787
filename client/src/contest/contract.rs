//! The contracts' interfaces as Rust types, generated from the interfaces themselves at compile time. No logic is here.

// The generated functions have as many arguments as the events of the interfaces.
#![allow(clippy::too_many_arguments)]

alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/IDiceGame.sol"
}

alloy::sol! {
    #[sol(rpc, all_derives)]
    "../contracts/src/interfaces/ITagGame.sol"
}

alloy::sol! {
    /// The functions that all contracts of games for two have.
    #[sol(rpc, all_derives)]
    interface IContest {
        function cancel(bytes32 gameId) external;
        function resign(bytes32 gameId) external;
        function claimTimeout(bytes32 gameId) external;
        function withdraw(address payable to) external;
        function withdrawable(address player) external view returns (uint256);
    }
}
