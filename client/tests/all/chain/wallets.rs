//! Players that are contracts. Only calldata of the game contract's own transactions is a move's: what a wallet contract is called
//! with is up to its owner, and may look like a move of this very game with another proof or context. Who took that for the
//! move's would find the proof false, or the game's events impossible, and play no more.

use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall as _;
use client::chain::{IFogmate, Logged};
use fog::word::to_word;
use game::ChainEvent;
use game::toss::{creator_is_white, toss_commitment};
use halo2curves::bn256::Fr;

use crate::chain::test_chain::{PROOF_BYTES, STAKE, TestChain, basis_of, create, fields, fog_key, opening};

/// Where the wallet contract stands.
const WALLET: Address = Address::repeat_byte(0x3a);

/// Code that calls `to` with all value and with `payload`, or with its own calldata, and reverts where that does.
fn wallet_code(to: Address, payload: Option<&[u8]>) -> Bytes {
    // PUSH2 length, PUSH2 offset, PUSH0, CODECOPY; or CALLDATASIZE, PUSH0, PUSH0, CALLDATACOPY.
    let tail = |code: &mut Vec<u8>, size: &[u8]| {
        // CALL(gas, to, value, 0, size, 0, 0)
        code.extend([0x5f, 0x5f]);
        code.extend(size);
        code.extend([0x5f, 0x34, 0x73]);
        code.extend(to);
        code.extend([0x5a, 0xf1]);
        // PUSH1 end, JUMPI, revert with what came back; end: JUMPDEST, STOP
        let end = u8::try_from(code.len() + 11).unwrap();
        code.extend([0x60, end, 0x57, 0x3d, 0x5f, 0x5f, 0x3e, 0x3d, 0x5f, 0xfd, 0x00, 0x5b, 0x00]);
    };
    let Some(payload) = payload else {
        let mut code = vec![0x36, 0x5f, 0x5f, 0x37];
        tail(&mut code, &[0x36]);
        return code.into();
    };
    let length = u16::try_from(payload.len()).unwrap().to_be_bytes();
    let size = [0x61, length[0], length[1]];
    let with_offset = |offset: u16| {
        let offset = offset.to_be_bytes();
        let mut code = vec![0x61, length[0], length[1], 0x61, offset[0], offset[1], 0x5f, 0x39];
        tail(&mut code, &size);
        code
    };
    let offset = u16::try_from(with_offset(0).len()).unwrap();
    [with_offset(offset), payload.to_vec()].concat().into()
}

fn word(field: &Fr) -> U256 {
    U256::from_be_bytes(to_word(field))
}

/// The wallet contract's owner.
struct Owner {
    provider: DynProvider,
    account: Address,
    contract: Address,
}

impl Owner {
    async fn new(test_chain: &TestChain) -> Self {
        let provider = test_chain.anvil.provider().unwrap();
        let account = provider.get_accounts().await.unwrap()[1];
        Self { provider, account, contract: test_chain.creator.config().contract }
    }

    /// Calls the wallet contract, which has this code meanwhile.
    async fn call(&self, code: Bytes, input: Vec<u8>, value: u128) {
        let set: serde_json::Value = self.provider.raw_request("anvil_setCode".into(), (WALLET, code)).await.unwrap();
        assert!(set.is_null());
        let request = TransactionRequest::default().with_from(self.account).with_to(WALLET);
        let request = request.with_input(input).with_value(U256::from(value)).with_gas_limit(3_000_000);
        let receipt = self.provider.send_transaction(request).await.unwrap().get_receipt().await.unwrap();
        assert!(receipt.status());
    }

    /// Has the wallet contract do what it is told.
    async fn tell(&self, call: Vec<u8>, value: u128) {
        self.call(wallet_code(self.contract, None), call, value).await;
    }
}

/// A game in which the wallet contract joins and is White.
async fn joined_by_a_wallet(test_chain: &TestChain, owner: &Owner) -> B256 {
    let (creator, first) = (&test_chain.creator, B256::repeat_byte(5));
    let game = create(creator, &opening(creator, 77, first)).await;
    let mut shares = (1..=u8::MAX).map(B256::repeat_byte);
    let share = shares.find(|share| !creator_is_white(&first, share, &game)).unwrap();
    let toss: B256 = toss_commitment(&WALLET.into(), &share).into();
    let registration = fog_key(2);
    let (x, y) = registration.split_at(32);
    let key = IFogmate::Point { x: U256::from_be_slice(x), y: U256::from_be_slice(y) };
    let join = IFogmate::joinCall { gameId: game, tossCommitment: toss, fogKey: key };
    owner.tell(join.abi_encode(), STAKE).await;
    let reveal = game::Transaction::RevealCreator { share: first, joiner: toss };
    creator.carry_out(game, &reveal).await.unwrap();
    let reveal = IFogmate::revealJoinerCall { gameId: game, share: share.into() };
    owner.tell(reveal.abi_encode(), 0).await;
    game
}

/// White's first move: calldata with this basis and this proof.
fn first_move(game: B256, basis: B256, proof: u8) -> Vec<u8> {
    let made = fields(0, None, false);
    let declared = IFogmate::Move {
        nextCommitment: word(&made.next_commitment),
        nextRequestRoot: word(&made.next_request_root),
        answerRoot: U256::ZERO,
        basis,
        ply: 0,
        capture: 64,
        kingFell: false,
        offerDraw: false,
    };
    let proof = vec![proof; PROOF_BYTES as usize].into();
    IFogmate::moveCall { gameId: game, declared, proof }.abi_encode()
}

#[tokio::test]
async fn what_a_wallet_contract_is_called_with_is_no_move() {
    let test_chain = TestChain::new().await;
    let owner = Owner::new(&test_chain).await;
    let game = joined_by_a_wallet(&test_chain, &owner).await;
    // The wallet contract makes its move; its owner calls it with what looks like the same move, but for basis and proof.
    let basis = basis_of(&test_chain.creator, game, &fields(0, None, false)).await;
    let (made, shown) = (first_move(game, basis, 0xab), first_move(game, !basis, 0xcd));
    owner.call(wallet_code(owner.contract, Some(&made)), shown, 0).await;

    let events = test_chain.events(game).await;
    let is_move = |logged: &&Logged| matches!(logged.event, ChainEvent::Moved { .. });
    let moved = events.iter().find(is_move).expect("the move counts").clone();
    let read = test_chain.creator.record(game, moved.clone(), None).await.unwrap().event;
    assert_eq!(read, moved.event, "nothing is known of it but what the contract says");
}

#[tokio::test]
async fn a_move_through_a_wallet_contract_is_a_move_without_a_proof() {
    let test_chain = TestChain::new().await;
    let owner = Owner::new(&test_chain).await;
    let game = joined_by_a_wallet(&test_chain, &owner).await;
    // The calldata is the move's own here; but who can tell.
    let basis = basis_of(&test_chain.creator, game, &fields(0, None, false)).await;
    owner.tell(first_move(game, basis, 0xab), 0).await;
    let events = test_chain.events(game).await;
    let is_move = |logged: &&Logged| matches!(logged.event, ChainEvent::Moved { .. });
    let moved = events.iter().find(is_move).expect("the move counts").clone();
    assert_eq!(test_chain.creator.record(game, moved.clone(), None).await.unwrap().event, moved.event);
}
