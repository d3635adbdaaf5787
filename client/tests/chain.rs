//! The chain handle on a real local chain: a player's every action, the game's state and events, refusals in words.
//!
//! Protocol section 8. The verifier accepts every proof (the contracts' own test verifier), because what is tested
//! here is the way to the chain and back; real proofs are made in `test/`.

use std::time::Duration;

use alloy::primitives::{B256, U256, keccak256};
use client::chain::{
    Chain, ChainConfig, ChainError, Follower, GameState, Logged, News, Status, Terms,
};
use client::link::Phase;
use client::seat::{ChainEvent, MoveFields, Reason};
use client::wallet::Wallet;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{DeployConfig, Deployment, Repository, Verifier};
use fog::curve::{FogKey, FogSecret};
use halo2curves::bn256::Fr;
use rpc::NodeError;
use rules::Square;

const PROOF_BYTES: u64 = 96;
const STAKE: u128 = 1_000_000_000_000_000_000;

struct World {
    anvil: Anvil,
    deployment: Deployment,
    creator: Chain,
    joiner: Chain,
}

fn fog_key(seed: u8) -> FogKey {
    FogSecret::from_uniform([seed; 32]).key()
}

fn terms() -> Terms {
    Terms {
        stake: STAKE,
        base: 600,
        increment: 5,
        delay: 60,
        opponent: None,
    }
}

fn toss(chain: &Chain, r1: B256) -> B256 {
    let creator = chain.account().unwrap();
    keccak256([r1.as_slice(), creator.into_word().as_slice()].concat())
}

impl World {
    async fn new() -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let config = DeployConfig {
            rpc: anvil.rpc(),
            verifier: Verifier {
                source: repository.contracts().join("test/AcceptAllVerifier.sol"),
                contract: "AcceptAllVerifier".to_owned(),
                proof_bytes: PROOF_BYTES,
                verifying_key: "0x00".to_owned(),
                ceremony: "development".to_owned(),
                development_only: true,
            },
            repository,
            deployments: folder.path().to_owned(),
        };
        let deployment = deploy::deploy(&config, FIRST_ACCOUNT_KEY.parse().unwrap())
            .await
            .unwrap();
        let mut chains = Vec::new();
        for seed in [1u8, 2] {
            let wallet = Wallet::from_secret(&[seed; 32]).unwrap();
            anvil
                .fund(wallet.address(), U256::from(STAKE * 10))
                .await
                .unwrap();
            chains.push(
                Chain::connect(config_of(&anvil, &deployment), &wallet)
                    .await
                    .unwrap(),
            );
        }
        let joiner = chains.remove(1);
        let creator = chains.remove(0);
        Self {
            anvil,
            deployment,
            creator,
            joiner,
        }
    }

    /// A game in play; the first chain is White's.
    async fn playing(&self) -> (B256, &Chain, &Chain) {
        let r1 = B256::repeat_byte(5);
        let (game, _) = self
            .creator
            .create(&terms(), toss(&self.creator, r1), &fog_key(1))
            .await
            .unwrap();
        self.joiner
            .join(game, STAKE, B256::repeat_byte(6), &fog_key(2))
            .await
            .unwrap();
        self.creator.reveal(game, r1).await.unwrap();
        let state = self.creator.game(game).await.unwrap();
        let white = state.players[0].unwrap().account;
        if Some(white) == self.creator.account() {
            (game, &self.creator, &self.joiner)
        } else {
            (game, &self.joiner, &self.creator)
        }
    }

    async fn events(&self, game: B256) -> Vec<Logged> {
        let to = self.creator.final_block().await.unwrap().unwrap();
        self.creator.events(game, 0, to).await.unwrap()
    }

    async fn state(&self, game: B256) -> GameState {
        self.creator.game(game).await.unwrap()
    }
}

fn config_of(anvil: &Anvil, deployment: &Deployment) -> ChainConfig {
    let Deployment {
        chain_id,
        game,
        block,
        ..
    } = deployment;
    ChainConfig::new(
        &anvil.rpc(),
        *chain_id,
        game.address,
        game.code_hash,
        *block,
    )
}

fn fields(ply: u16, capture: Option<Square>, king_fell: bool) -> MoveFields {
    MoveFields {
        ply,
        next_commitment: Fr::from(1_000 + u64::from(ply)),
        next_request_root: Fr::from(2_000 + u64::from(ply)),
        answer_root: if ply == 0 {
            Fr::from(0)
        } else {
            Fr::from(3_000 + u64::from(ply))
        },
        capture,
        king_fell,
        offer_draw: ply == 1,
    }
}

/// Makes a move with the context that the contract wants and a proof that its verifier accepts.
async fn make_move(
    chain: &Chain,
    game: B256,
    fields: &MoveFields,
    ctx: &Fr,
) -> Result<usize, ChainError> {
    let proof = vec![0xab; PROOF_BYTES as usize];
    Ok(chain
        .make_move(game, fields, ctx, proof)
        .await?
        .calldata_bytes)
}

/// The context that a refused move is told.
fn expected_context(refused: Result<usize, ChainError>) -> Fr {
    use client::chain::IFogmate::IFogmateErrors;
    match refused.unwrap_err().contract_error().map(|e| e.0.clone()) {
        Some(IFogmateErrors::WrongContext(e)) => {
            fog::word::from_word(&e.expected.to_be_bytes()).unwrap()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_whole_game_goes_to_the_chain_and_comes_back() {
    let world = World::new().await;
    let next = world
        .creator
        .next_game_id(world.creator.account().unwrap())
        .await
        .unwrap();
    let (game, white, black) = world.playing().await;
    assert_eq!(game, next);
    let state = world.state(game).await;
    assert_eq!(
        (state.status, state.ply, state.pending),
        (Status::Playing, 0, None)
    );
    assert_eq!(state.terms.stake, STAKE);

    let zero = Fr::from(0);
    assert!(
        make_move(white, game, &fields(0, None, false), &zero)
            .await
            .unwrap()
            > 96
    );
    let e4 = "e4".parse::<Square>().unwrap();
    let mut plies = vec![(fields(0, None, false), zero)];
    for (ply, capture, king_fell) in [(1, None, false), (2, Some(e4), false), (3, Some(e4), true)] {
        let mover = if ply % 2 == 0 { white } else { black };
        let fields = fields(ply, capture, king_fell);
        // The context is asked for the wrong way first: the refusal names the right one.
        let ctx = expected_context(make_move(mover, game, &fields, &Fr::from(9)).await);
        make_move(mover, game, &fields, &ctx).await.unwrap();
        plies.push((fields, ctx));
        if ply == 2 {
            assert_eq!(
                mover.context(game, Phase::Pre).await.unwrap(),
                ctx,
                "the chain's context is the one posted"
            );
        }
    }

    let state = world.state(game).await;
    assert_eq!(
        (state.status, state.outcome),
        (Status::Over, Some(Reason::KingCaptured))
    );
    assert_eq!(state.winner, black.account());
    for (chain, key) in [(white, [7; 32]), (black, [8; 32])] {
        chain.publish_view_key(game, key).await.unwrap();
    }
    assert_eq!(
        black.withdrawable(black.account().unwrap()).await.unwrap(),
        U256::from(2 * STAKE)
    );
    black.withdraw().await.unwrap();

    let events = world.events(game).await;
    let names: Vec<_> = events.iter().map(|logged| logged.event.name()).collect();
    let expected = [
        "a new game",
        "a second player",
        "the opening of the coin toss",
        "a move",
        "a move",
        "a move",
        "a move",
        "the end of the game",
        "a view key",
        "a view key",
    ];
    assert_eq!(names, expected);
    for (logged, (fields, ctx)) in events[3..7].iter().zip(&plies) {
        let ChainEvent::Moved { fields: seen, .. } = &logged.event else {
            panic!("{logged:?}")
        };
        assert_eq!(seen, fields);
        let declared = world.creator.declared_in(logged.transaction).await.unwrap();
        assert_eq!(
            (declared.game, declared.fields, declared.ctx_next),
            (game, *fields, *ctx)
        );
        assert_eq!(declared.proof.len() as u64, PROOF_BYTES);
    }
    let last = world.creator.latest_block().await.unwrap();
    for player in [None, white.account(), black.account()] {
        assert_eq!(world.creator.games(player, 0, last).await.unwrap(), [game]);
    }
}

#[tokio::test]
async fn refusals_come_in_words_and_cost_nothing() {
    let world = World::new().await;
    let (creator, joiner) = (&world.creator, &world.joiner);
    let sentence =
        |result: Result<client::chain::Receipt, ChainError>| result.unwrap_err().to_string();
    let r1 = B256::repeat_byte(5);

    let unknown = B256::repeat_byte(0xee);
    assert!(matches!(creator.game(unknown).await, Err(ChainError::NoGame(id)) if id == unknown));
    assert_eq!(
        sentence(creator.cancel(unknown).await),
        "the contract refuses: the game is unknown to the contract"
    );
    assert_eq!(
        sentence(joiner.withdraw().await),
        "the contract refuses: there is nothing to withdraw"
    );

    let (game, _) = creator
        .create(&terms(), toss(creator, r1), &fog_key(1))
        .await
        .unwrap();
    let before = joiner.balance(joiner.account().unwrap()).await.unwrap();
    let r2 = B256::repeat_byte(6);
    assert_eq!(
        sentence(joiner.cancel(game).await),
        "the contract refuses: only the game's creator can do that"
    );
    let wrong_stake = format!("the contract refuses: the stake of this game is {STAKE} wei");
    assert_eq!(
        sentence(joiner.join(game, STAKE - 1, r2, &fog_key(2)).await),
        wrong_stake
    );
    let same_key = "the contract refuses: the fog key is the creator's own";
    assert_eq!(
        sentence(joiner.join(game, STAKE, r2, &fog_key(1)).await),
        same_key
    );
    assert_eq!(
        joiner.balance(joiner.account().unwrap()).await.unwrap(),
        before,
        "nothing was sent"
    );
    let poor = sentence(joiner.join(game, STAKE * 1_000, r2, &fog_key(2)).await);
    assert!(poor.contains("can't pay"), "{poor}");

    joiner.join(game, STAKE, r2, &fog_key(2)).await.unwrap();
    let wrong_reveal =
        "the contract refuses: the revealed share of the coin toss is not the one committed to";
    assert_eq!(sentence(creator.reveal(game, r2).await), wrong_reveal);
    assert_eq!(
        sentence(creator.resign(game).await),
        "the contract refuses: the game is waiting for the coin toss"
    );
    // After so many refusals the next action goes through: no nonce was lost.
    creator.reveal(game, r1).await.unwrap();

    let read_only = Chain::read_only(config_of(&world.anvil, &world.deployment))
        .await
        .unwrap();
    assert!(matches!(
        read_only.resign(game).await,
        Err(ChainError::ReadOnly)
    ));
    assert_eq!(read_only.game(game).await.unwrap(), world.state(game).await);
}

#[tokio::test]
async fn moves_that_do_not_fit_are_refused_by_name() {
    let world = World::new().await;
    let (game, white, black) = world.playing().await;
    let zero = Fr::from(0);
    let name =
        |result: Result<usize, ChainError>| result.unwrap_err().contract_error().unwrap().name();
    assert_eq!(
        name(make_move(black, game, &fields(0, None, false), &zero).await),
        "NotYourTurn"
    );
    assert_eq!(
        name(make_move(white, game, &fields(4, None, false), &zero).await),
        "StalePly"
    );
    let short = white
        .make_move(game, &fields(0, None, false), &zero, vec![0; 95])
        .await
        .unwrap_err();
    assert_eq!(
        short.to_string(),
        "the contract refuses: a turn proof has exactly 96 bytes"
    );
    let early = MoveFields {
        answer_root: Fr::from(1),
        ..fields(0, None, false)
    };
    assert_eq!(
        name(make_move(white, game, &early, &zero).await),
        "AnswerTooEarly"
    );
}

#[tokio::test]
async fn games_end_in_every_way_that_needs_no_proof() {
    let world = World::new().await;
    let r1 = B256::repeat_byte(5);
    // Cancelled.
    let (game, _) = world
        .creator
        .create(&terms(), toss(&world.creator, r1), &fog_key(1))
        .await
        .unwrap();
    world.creator.cancel(game).await.unwrap();
    assert_eq!(world.state(game).await.outcome, Some(Reason::Cancelled));
    // Unrevealed.
    let (game, _) = world
        .creator
        .create(&terms(), toss(&world.creator, r1), &fog_key(1))
        .await
        .unwrap();
    world
        .joiner
        .join(game, STAKE, B256::ZERO, &fog_key(2))
        .await
        .unwrap();
    let early = world.joiner.claim_timeout(game).await.unwrap_err();
    assert_eq!(early.contract_error().unwrap().name(), "StillInTime");
    let deadline = world.joiner.clocks(game).await.unwrap().deadline;
    let now = world.joiner.block_time().await.unwrap();
    world.anvil.pass_time(deadline - now + 2).await.unwrap();
    world.joiner.claim_timeout(game).await.unwrap();
    let state = world.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Reason::Unrevealed), world.joiner.account())
    );
    // Resigned.
    let (game, white, black) = world.playing().await;
    white.resign(game).await.unwrap();
    let state = world.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Reason::Resigned), black.account())
    );
    // Timed out.
    let (game, white, black) = world.playing().await;
    let clocks = black.clocks(game).await.unwrap();
    assert_eq!(clocks.left, [600, 600]);
    world.anvil.pass_time(10_000).await.unwrap();
    black.claim_timeout(game).await.unwrap();
    assert_eq!(world.state(game).await.outcome, Some(Reason::TimedOut));
    // A draw, offered with ply 1.
    let _ = white;
    let (game, white, black) = world.playing().await;
    make_move(white, game, &fields(0, None, false), &Fr::from(0))
        .await
        .unwrap();
    let no_offer = black.accept_draw(game).await.unwrap_err();
    assert_eq!(no_offer.contract_error().unwrap().name(), "NoDrawOffer");
    let offer = fields(1, None, false);
    let ctx = expected_context(make_move(black, game, &offer, &Fr::from(9)).await);
    make_move(black, game, &offer, &ctx).await.unwrap();
    assert!(world.state(game).await.draw_offered);
    white.accept_draw(game).await.unwrap();
    let state = world.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Reason::DrawAgreed), None)
    );
}

#[tokio::test]
async fn a_wrong_node_or_contract_is_found_out_at_once() {
    let world = World::new().await;
    let connect = async |change: &dyn Fn(&mut ChainConfig)| {
        let mut config = config_of(&world.anvil, &world.deployment);
        change(&mut config);
        Chain::read_only(config).await.map(|_| ()).unwrap_err()
    };
    let wrong_chain = connect(&|c| c.chain_id = 1).await;
    assert_eq!(
        wrong_chain.to_string(),
        "the node is on chain 31337, not on chain 1"
    );
    let verifier = world.deployment.turn_verifier.address;
    assert!(matches!(
        connect(&|c| c.contract = verifier).await,
        ChainError::WrongCode { .. }
    ));
    let nobody = world.creator.account().unwrap();
    assert!(matches!(
        connect(&|c| c.contract = nobody).await,
        ChainError::NoContract(_)
    ));
    assert!(matches!(
        connect(&|c| c.rpc = "http://127.0.0.1:1".into()).await,
        ChainError::Node(NodeError::Failed(_))
    ));
    assert!(matches!(
        connect(&|c| c.rpc = "ftp://127.0.0.1".into()).await,
        ChainError::Node(NodeError::Url(_))
    ));
}

#[tokio::test]
async fn what_is_not_final_is_waited_for() {
    let world = World::new().await;
    let mut config = config_of(&world.anvil, &world.deployment);
    config.confirmations = 3;
    config.timeout = Duration::from_millis(300);
    let careful = Chain::connect(config, &Wallet::from_secret(&[1; 32]).unwrap())
        .await
        .unwrap();
    let (game, receipt) = careful
        .create(&terms(), B256::repeat_byte(1), &fog_key(1))
        .await
        .unwrap();
    assert!(matches!(
        careful.finalised(&receipt).await,
        Err(ChainError::NotConfirmed { .. })
    ));
    let final_block = careful.final_block().await.unwrap().unwrap();
    assert!(
        careful
            .events(game, 0, final_block)
            .await
            .unwrap()
            .is_empty()
    );
    world.anvil.mine(3).await.unwrap();
    assert_eq!(careful.finalised(&receipt).await.unwrap(), receipt);
    let final_block = careful.final_block().await.unwrap().unwrap();
    assert_eq!(careful.events(game, 0, final_block).await.unwrap().len(), 1);
}

#[tokio::test]
async fn events_are_seen_then_final_or_dropped() {
    let world = World::new().await;
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&world.anvil, &world.deployment);
    config.confirmations = 2;
    let careful = Chain::connect(config, &wallet).await.unwrap();
    let game = careful.next_game_id(wallet.address()).await.unwrap();
    let mut follower = Follower::new(careful.clone(), game);
    assert!(follower.poll().await.unwrap().is_empty());

    careful
        .create(&terms(), B256::repeat_byte(1), &fog_key(1))
        .await
        .unwrap();
    let created = match &follower.poll().await.unwrap()[..] {
        [News::Seen(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    assert!(follower.poll().await.unwrap().is_empty(), "told once");
    world.anvil.mine(2).await.unwrap();
    assert_eq!(follower.poll().await.unwrap(), [News::Final(created)]);

    careful.cancel(game).await.unwrap();
    let cancelled = match &follower.poll().await.unwrap()[..] {
        [News::Seen(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    world.anvil.reorganise(1).await.unwrap();
    assert_eq!(follower.poll().await.unwrap(), [News::Dropped(cancelled)]);

    world.anvil.mine(2).await.unwrap();
    follower.poll().await.unwrap();
    world.anvil.reorganise(4).await.unwrap();
    assert!(matches!(
        follower.poll().await,
        Err(ChainError::Reorganised(_))
    ));
}
