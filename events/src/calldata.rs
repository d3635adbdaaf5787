//! What a player sends to the game contract, as calldata, with the bond that belongs to it.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::SolCall as _;

use fog::engine::Registration;
use game::{Opening, Position, Transaction};

use crate::contract::IFogmate;
use crate::{Nonsense, types};

/// How many times the least bond is sent.
const BOND_RISE: u64 = 4;

/// The bond to send with a demand, or with a claim of fifty moves: four times the least, because prices may rise until the
/// transaction is in a block, and until it is answered. What isn't earned comes back.
pub fn bond(least: U256) -> U256 {
    least.saturating_mul(U256::from(BOND_RISE))
}

/// Whether a bond is sent with a transaction: that of a claim of fifty moves, or of a demand.
pub fn is_bonded(transaction: &Transaction) -> Option<bool> {
    match transaction {
        Transaction::DemandSight { .. } => Some(false),
        Transaction::ClaimFifty { .. } => Some(true),
        _ => None,
    }
}

/// The calldata that opens a game.
///
/// # Errors
///
/// [`Nonsense`] if the terms don't fit.
pub fn open_calldata(opening: &Opening) -> Result<Bytes, Nonsense> {
    let Opening { nonce, terms, toss, registration, .. } = opening;
    let (nonce, terms, fog_key) = ((*nonce).into(), terms.try_into()?, types::point(registration));
    Ok(IFogmate::createCall { nonce, terms, tossCommitment: *toss, fogKey: fog_key }.abi_encode().into())
}

/// The calldata that joins a game.
pub fn join_calldata(game: B256, toss: B256, registration: &Registration) -> Bytes {
    let fog_key = types::point(registration);
    IFogmate::joinCall { gameId: game, tossCommitment: toss, fogKey: fog_key }.abi_encode().into()
}

/// The calldata that wakes a game between the machines in a position, with the creator's signature under it and the joiner's.
pub fn wake_calldata(game: B256, position: &Position, signatures: [[u8; 64]; 2]) -> Bytes {
    let (position, signatures) = (types::signed_position(position), types::signatures(&signatures.map(Some)));
    IFogmate::wakeCall { gameId: game, position, signatures }.abi_encode().into()
}

/// The calldata of what a player of a game asks of the contract.
///
/// # Errors
///
/// [`Nonsense`] if what is to be published has another length than the contract takes.
pub fn calldata(game: B256, account: Address, transaction: &Transaction) -> Result<Bytes, Nonsense> {
    use IFogmate as F;
    let bytes = |proof: &[u8]| Bytes::copy_from_slice(proof);
    Ok(match transaction {
        Transaction::RevealCreator { share, joiner } => {
            F::revealCreatorCall { gameId: game, share: (*share).into(), joinerCommitment: *joiner }.abi_encode()
        }
        Transaction::RevealJoiner { share } => {
            F::revealJoinerCall { gameId: game, share: (*share).into() }.abi_encode()
        }
        Transaction::Move { fields, basis, proof } => {
            let declared = types::declare(fields, *basis);
            F::moveCall { gameId: game, declared, proof: bytes(proof) }.abi_encode()
        }
        Transaction::Resign => F::resignCall { gameId: game }.abi_encode(),
        Transaction::AcceptDraw { ply, commitment } => {
            F::acceptDrawCall { gameId: game, ply: *ply, opponentCommitment: types::word(commitment) }.abi_encode()
        }
        Transaction::DemandSight { phase, points, proof, .. } => {
            let (phase, points) = (types::phase(*phase), types::words(points)?);
            F::demandSightCall { gameId: game, phase, points, proof: bytes(proof) }.abi_encode()
        }
        Transaction::AnswerSight { demanded, answer_root, elements, proof } => {
            let (exchange, answer_root) = (types::exchange(demanded), types::word(answer_root));
            let (elements, proof) = (types::words(elements)?, bytes(proof));
            F::answerSightCall { gameId: game, exchange, answerRoot: answer_root, elements, proof }.abi_encode()
        }
        Transaction::FillAnswer { ctx, answer_root, .. } => {
            F::fillAnswerCall { gameId: game, ctx: types::word(ctx), answerRoot: types::word(answer_root) }.abi_encode()
        }
        Transaction::ClaimFifty { proof, .. } => F::claimFiftyCall { gameId: game, proof: bytes(proof) }.abi_encode(),
        Transaction::RespondFifty { at_least_fifty, proof } => {
            F::respondFiftyCall { gameId: game, atLeastFifty: *at_least_fifty, proof: bytes(proof) }.abi_encode()
        }
        Transaction::ClaimNoMove { proof, .. } => F::claimNoMoveCall { gameId: game, proof: bytes(proof) }.abi_encode(),
        Transaction::Reclaim(slot) => F::reclaimCall { gameId: game, slot: types::slot(*slot) }.abi_encode(),
        Transaction::Wake { position, signatures } => {
            let (position, signatures) = (types::signed_position(position), types::signatures(signatures));
            F::wakeCall { gameId: game, position, signatures }.abi_encode()
        }
        Transaction::Close { result, signatures } => {
            let winner = result.creator_won.map_or(types::NOBODY, |creator_won| u8::from(!creator_won));
            let (outcome, signatures) = (types::signed_outcome(result.outcome)?, types::signatures(signatures));
            F::closeCall { gameId: game, winner, outcome, last: result.last, signatures }.abi_encode()
        }
        Transaction::ClaimTimeout => F::claimTimeoutCall { gameId: game }.abi_encode(),
        Transaction::PublishViewKey { key, transcript } => {
            // The contract reads its arguments, and not what stands behind them.
            [F::publishViewKeyCall { gameId: game, viewKey: (*key).into() }.abi_encode(), transcript.clone()].concat()
        }
        Transaction::Withdraw => F::withdrawCall { to: account }.abi_encode(),
    }
    .into())
}
