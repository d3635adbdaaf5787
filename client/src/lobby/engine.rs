//! With which sight engine a game is played, and what follows for its terms: sight-lines proves its moves, and others prove none, so that
//! nothing can be staked on them. The name of such an engine stands on chain beside the commitment to the player's seed; the contract
//! seats no two players who have registered different ones, and this refuses it before anything is paid.

use fog::engine::{About, Registration, Seed, sight_lines::fog_secret};
use fog::ensure;
use game::Terms;

use super::LobbyError;
use crate::chain::GameState;

/// The name of the engine that proves its moves.
const SIGHT_LINES: &str = "sight-lines";

/// What a player registers for its engine, `None` for sight-lines.
pub(super) fn registration(engine: Option<&About>, seed: &Seed) -> Registration {
    match engine {
        None => fog_secret(seed).key().to_bytes(),
        Some(engine) => seed.commitment(engine),
    }
}

/// Refuses terms that the engine can't be played under: `None` is sight-lines.
pub(super) fn check_terms(terms: &Terms, engine: Option<&About>) -> Result<(), LobbyError> {
    match engine {
        None => ensure!(terms.mode.has_proofs(), LobbyError::EngineProves),
        Some(engine) => ensure!(!terms.mode.has_proofs(), LobbyError::EngineProvesNothing(engine.name)),
    }
    ensure!(terms.mode.has_proofs() || terms.stake == 0, LobbyError::StakeUnproven);
    Ok(())
}

/// Refuses a game that can't be joined with the engine: `None` is sight-lines.
pub(super) fn check_game(found: &GameState, engine: Option<&About>) -> Result<(), LobbyError> {
    let own = engine.map_or(SIGHT_LINES, |engine| engine.name);
    let creators = match found.terms.mode.has_proofs() {
        true => SIGHT_LINES,
        false => found.engine.as_deref().unwrap_or("with an unknown name"),
    };
    ensure!(creators == own, LobbyError::OtherEngine { creators: creators.to_owned(), own });
    ensure!(found.terms.mode.has_proofs() || found.has_committed, LobbyError::NoCommitment);
    check_terms(&found.terms, engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Status;
    use alloy::primitives::Address;
    use fog::engine::{Claims, Trust};
    use game::Mode;

    const ABOUT: About =
        About { name: "dh-psi", trust: Trust::SemiHonest, caveat: "", claims: Claims::NONE, max_message: 0 };

    fn found(mode: Mode, stake: u128, engine: Option<&str>) -> GameState {
        let terms = Terms {
            mode,
            stake,
            base: 600,
            increment: 0,
            delay: 60,
            window: 3_600,
            reveal: 600,
            expiry: 0,
            opponent: None,
        };
        GameState {
            status: Status::Open,
            outcome: None,
            winner: None,
            creator: Address::repeat_byte(1),
            ply: 0,
            pending: None,
            draw_offered: false,
            terms,
            players: [Some(Address::repeat_byte(1)), None],
            engine: engine.map(str::to_owned),
            has_committed: true,
        }
    }

    fn refusal(result: Result<(), LobbyError>) -> String {
        let error = result.expect_err("no game is opened or joined so");
        assert!(chain::Classified::is_of_the_user(&error));
        error.to_string()
    }

    #[test]
    fn an_engine_and_a_mode_fit_and_nothing_is_staked_on_what_nobody_proves() {
        let proven = found(Mode::Verified, 5, None).terms;
        assert!(check_terms(&proven, None).is_ok());
        assert!(refusal(check_terms(&proven, Some(&ABOUT))).contains("dh-psi proves no moves"));
        // Between the machines as well: what is sent is proven.
        assert!(check_game(&found(Mode::Channel, 5, None), None).is_ok());
        assert!(refusal(check_game(&found(Mode::Channel, 0, None), Some(&ABOUT))).contains("dh-psi"));
        let unproven = found(Mode::Unproven, 0, Some("dh-psi")).terms;
        assert!(check_terms(&unproven, Some(&ABOUT)).is_ok());
        assert!(refusal(check_terms(&unproven, None)).contains("choose another mode"));
        let staked = Terms { stake: 1, ..unproven };
        assert!(refusal(check_terms(&staked, Some(&ABOUT))).contains("takes no stake"));
    }

    #[test]
    fn a_game_is_joined_with_its_own_engine_only() {
        assert!(check_game(&found(Mode::Unproven, 0, Some("dh-psi")), Some(&ABOUT)).is_ok());
        assert!(check_game(&found(Mode::Verified, 5, None), None).is_ok());
        let others = [(Some("andos"), "andos"), (None, "unknown name")];
        for (engine, name) in others {
            let told = refusal(check_game(&found(Mode::Unproven, 0, engine), Some(&ABOUT)));
            assert!(told.contains(name) && told.contains("would play with dh-psi"), "{told}");
        }
        let told = refusal(check_game(&found(Mode::Verified, 0, None), Some(&ABOUT)));
        assert!(told.contains("the sight engine sight-lines"), "{told}");
        let told = refusal(check_game(&found(Mode::Unproven, 0, Some("andos")), None));
        assert!(told.contains("would play with sight-lines"), "{told}");
        let uncommitted = GameState { has_committed: false, ..found(Mode::Unproven, 0, Some("dh-psi")) };
        let told = refusal(check_game(&uncommitted, Some(&ABOUT)));
        assert!(told.contains("no commitment to a seed"), "{told}");
        // What the contract would refuse at its creation is refused here too.
        let told = refusal(check_game(&found(Mode::Unproven, 1, Some("dh-psi")), Some(&ABOUT)));
        assert!(told.contains("takes no stake"), "{told}");
    }

    #[test]
    fn what_is_registered_names_the_engine_or_is_a_fog_key() {
        let seed = Seed::derive(&[1; 32], &[2; 32]);
        assert_eq!(registration(None, &seed), fog_secret(&seed).key().to_bytes());
        let registered = registration(Some(&ABOUT), &seed);
        assert_eq!(registered, seed.commitment(&ABOUT));
        assert_eq!(fog::engine::engine_name(&registered), Some("dh-psi"));
    }
}
