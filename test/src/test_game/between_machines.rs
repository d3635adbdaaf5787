//! A game of mode `channel`, each ply really proven and signed by both, with its transcript (protocol, section 8).

use super::TestGame;
use crate::TestChain;
use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, Bytes};
use alloy::providers::Provider as _;
use alloy::rpc::types::TransactionRequest;
use alloy::signers::SignerSync as _;
use alloy::sol_types::SolCall as _;
use client::chain::IFogmate;
use client::wallet::Wallet;
use game::channel_transcript::{Ply, Signature, Transcript};
use game::{GameResult, Mode, Outcome, Position, Transaction};
use rules::Color;

/// Each player's time for the game, as every [`TestGame`] has it.
const BASE: u32 = 3_600;

/// A game in play, and what its players have signed.
#[derive(Debug)]
pub struct BetweenMachines {
    pub game: TestGame,
    wallets: [Wallet; 2],
    pub transcript: Transcript,
}

impl BetweenMachines {
    /// Opens a game, whose creator is White.
    pub async fn open(test_chain: &TestChain, white: &Wallet, black: &Wallet) -> Self {
        let game = TestGame::open_in(Mode::Channel, test_chain, &test_chain.deployment, white, black, None).await;
        let transcript = Transcript { game: game.game, plies: Vec::new(), others: Vec::new() };
        Self { game, wallets: [white.clone(), black.clone()], transcript }
    }

    /// Makes a move that the chain doesn't hear of. Nobody signs a position in which a king has fallen.
    pub fn play(&mut self, mv: &str) {
        let made = tokio::task::block_in_place(|| self.game.make(mv));
        let clock = BASE - u32::from(made.fields.ply);
        let last = self.positions().last().copied().unwrap_or_else(|| Position::start(BASE));
        let position = last.after(&self.game.game, &made.fields, clock);
        let is_signed = !made.fields.king_fell;
        let signatures = Color::ALL.map(|color| is_signed.then(|| self.sign(color, &position.digest(&self.game.game))));
        self.game.apply_move(made.fields);
        self.transcript.plies.push(Ply { fields: made.fields, clock, proof: Some(made.proof), signatures });
    }

    /// The positions before each ply and after the last.
    pub fn positions(&self) -> Vec<Position> {
        self.transcript.positions(BASE)
    }

    pub fn sign(&self, color: Color, digest: &B256) -> Signature {
        let signed = self.wallets[color.index()].signer().sign_hash_sync(digest);
        Signature::new(signed.expect("a signature").as_erc2098())
    }

    /// A player wakes the game at a ply.
    pub async fn wake(&self, by: Color, ply: usize) {
        let position = self.positions()[ply];
        let signatures = Color::ALL.map(|color| self.sign(color, &position.digest(&self.game.game)));
        let chain = &self.game.players[by.index()].chain;
        chain.wake(self.game.game.game_id, &position, signatures).await.expect("the contract is woken");
    }

    /// Anybody closes the game with both signatures under its result.
    pub async fn close(&self, test_chain: &TestChain, winner: Option<Color>, outcome: Outcome) {
        let game = &self.game.game;
        let last = self.transcript.last(BASE);
        let creator_won = winner.map(|color| color == Color::White);
        let digest = GameResult { creator_won, outcome, last }.digest(game);
        let signatures = Color::ALL.map(|color| {
            let bytes = self.sign(color, &digest).0;
            let (r, vs) = bytes.split_at(32);
            IFogmate::Signature { r: B256::from_slice(r), vs: B256::from_slice(vs) }
        });
        // In the contract the first outcome is that there is none yet.
        let outcome = IFogmate::Outcome::try_from(outcome as u8 + 1).expect("an outcome");
        let winner = creator_won.map_or(2, |creator_won| u8::from(!creator_won));
        let call = IFogmate::closeCall { gameId: game.game_id, winner, outcome, last, signatures };
        send(test_chain, game.contract, call.abi_encode().into()).await;
    }

    /// Both publish their view keys.
    pub async fn publish(&self) {
        self.publish_with([&[], &[]]).await;
    }

    /// Both publish their view keys, and post these bytes with them.
    pub async fn publish_with(&self, posted: [&[u8]; 2]) {
        for (player, posted) in self.game.players.iter().zip(posted) {
            let (key, transcript) = (player.secrets.view_key().to_bytes(), posted.to_vec());
            let published = Transaction::PublishViewKey { key, transcript };
            player.chain.carry_out(self.game.game.game_id, &published).await.expect("the game is over");
        }
    }
}

/// A transaction of somebody who doesn't play.
async fn send(test_chain: &TestChain, to: Address, input: Bytes) {
    let provider = test_chain.anvil.provider().expect("a connection");
    let accounts = provider.get_accounts().await.expect("Anvil has accounts");
    let request = TransactionRequest::default().with_from(accounts[5]).with_to(to).with_input(input);
    let sent = provider.send_transaction(request).await.expect("the contract takes it");
    assert!(sent.get_receipt().await.expect("a receipt").status());
}
