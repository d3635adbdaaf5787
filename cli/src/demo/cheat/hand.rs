//! A player's hand without the seat that guides it: it puts moves and sights together as every seat does, and signs whatever it is told. Only the demo has
//! one. Nothing here weakens the program that people play with, which is Alice's side of every scene.

use alloy::providers::{DynProvider, Provider as _};
use client::chain::Chain;
use eyre::{OptionExt as _, Result};
use fog::engine::sight_lines::{
    answer::{Answer, answer},
    context::SightContext,
    request::Request,
};
use fog::engine::{Engine as _, Exchange, Fault, OnChain, Phase, Session, SightLines};
use fog::word::to_word;
use game::secrets::GameSecrets;
use game::{Declared, GameRef, MoveFields, OwnState, PlayState, Player, ProvenSight, Table, Transaction};
use rules::{Side, Sight};

use super::ground::{Ground, Mined, secrets};
use crate::demo::process::Machine;

/// Gas that is named for every transaction: enough for each, so that no node is asked first whether it would be taken.
const GAS: u64 = 6_000_000;

/// One player's hand in a game in play.
pub struct Hand<'a> {
    ground: &'a Ground,
    /// Encodes what is asked of the contract.
    chain: Chain,
    /// A connection that signs with his wallet.
    signer: DynProvider,
    secrets: GameSecrets,
    pub game: GameRef,
    pub player: Player,
    /// The game, as everybody knows it.
    pub play: PlayState,
    /// The player's own state.
    pub own: OwnState,
}

impl<'a> Hand<'a> {
    /// A player's hand in a game that has just begun.
    pub async fn sit(ground: &'a Ground, machine: &Machine, game: GameRef) -> Result<Self> {
        let mut table = Table::new(game);
        for record in ground.chain.records(game.game_id).await? {
            table.apply(&record.event)?;
        }
        let play = table.begun().ok_or_eyre("the game hasn't begun")?.clone();
        let color = play.color_of(machine.wallet.address()).ok_or_eyre("the wallet has no seat in the game")?;
        let secrets = secrets(&ground.chain, machine, game).await?;
        let party = SightLines::new(ground.keys.clone()).set_up(color, secrets.seed(), &play.engine_game(&game))?;
        let (mut session, job) = Session::start(party, true);
        session.finish(job.run())?;
        let keys = session.output().ok_or_eyre("the engine has made no keys")?.clone();
        let player = Player::new(game, color, secrets.view_key().clone(), keys);
        let chain = ground.connect(machine).await?;
        let signer = chain::connect(&ground.local.environment.rpc, Some(machine.wallet.signer()))?;
        Ok(Self { ground, chain, signer, secrets, game, player, play, own: OwnState::start(color) })
    }

    /// A move put together, legal or not, which rests on no sight: the first one of a player, or one that won't be proven. `asked` is the opponent's
    /// request, whose answer it names.
    pub fn declare(&self, mv: &str, asked: Option<&[u8]>) -> Result<Declared> {
        let nothing = ProvenSight { sight: &Sight::DARK, messages: &[] };
        self.declare_by(mv, asked, nothing)
    }

    /// A move put together that rests on a sight, unless it is the player's first.
    pub fn declare_by(&self, mv: &str, asked: Option<&[u8]>, seen: ProvenSight<'_>) -> Result<Declared> {
        let seen = (!self.play.opening()).then_some(seen);
        Ok(self.player.declare(&self.play, &self.own, mv.parse()?, false, seen, asked)?)
    }

    /// The proof of a move. One that isn't legal has none.
    pub async fn prove(&self, declared: Declared) -> Result<Vec<u8>> {
        let keys = self.player.keys().clone();
        Ok(tokio::task::spawn_blocking(move || keys.prove_move(&declared.step)).await??)
    }

    /// Sends a move, with the basis that the contract wants for what is declared, and whatever proof.
    pub async fn send_move(&self, fields: MoveFields, proof: Vec<u8>) -> Result<Mined> {
        let basis = self.play.basis(&self.game, &fields);
        self.send(&Transaction::Move { fields, basis, proof }).await
    }

    /// Signs and sends something, whether or not the contract will take it.
    pub async fn send(&self, transaction: &Transaction) -> Result<Mined> {
        let account = self.chain.account().ok_or_eyre("the hand has a wallet")?;
        let call = self.chain.call(self.game.game_id, transaction).await?;
        let sent = self.signer.send_transaction(call.request(account).gas_limit(GAS)).await?;
        self.ground.mined(*sent.tx_hash()).await
    }

    /// Something that is proven for the chain.
    pub async fn prove_for_chain<T: Send + 'static>(
        &self,
        prove: impl FnOnce(&dyn OnChain) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        let keys = self.player.keys().clone();
        let work = move || prove(keys.on_chain().ok_or_else(|| Fault::internal("no contract verifies this engine"))?);
        Ok(tokio::task::spawn_blocking(work).await??)
    }

    /// The own move was made, or the opponent's.
    pub fn advance(&mut self, fields: &MoveFields, own: Option<OwnState>) {
        self.play = self.play.after(fields);
        self.own = own.unwrap_or_else(|| self.own.clone());
    }

    /// What a board answers to a request, be it the own one or an invented one.
    pub fn answer_of(&self, side: &Side, play: &PlayState, request: &[u8]) -> Result<Answer> {
        let (exchange, request) = (due(play)?, Request::from_bytes(request)?);
        let context = SightContext::new(&play.engine_game(&self.game), &exchange, request.root());
        let header = context.ok_or_eyre("a word of the chain is no field element")?.header();
        Ok(answer(side, &self.secrets.fog_secret(), &header, &request)?)
    }
}

/// The exchange by which the player to move gets its sight.
pub fn due(play: &PlayState) -> Result<Exchange> {
    play.exchange(Phase::Pre).ok_or_eyre("no sight is owed")
}

/// An answer's bytes, as they are published.
pub fn in_bytes(answer: &Answer) -> Vec<u8> {
    answer.to_wire().iter().flat_map(to_word).collect()
}
