//! A tower: it looks after games between the machines whose players are away. It knows their backups and no secret. Where a game was woken at an
//! earlier position than a backup has signed by both, it puts that one in its place. It can do nothing else, and buys the
//! player the window and no more: moves and answers need its wallet.
//!
//! It looks at what the contract says of each game at the latest block, final or not: a position that is shown for a wake that is taken
//! back costs a fee, one that isn't shown costs moves.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alloy::primitives::B256;
use events::Status;
use game::Position;
use game::channel_transcript::Signature;
use libp2p::futures::future::join_all;
use rules::Color;

use crate::backup::{Backup, BackupError, Contents};
use crate::chain::{Chain, ChainError, Contest, Receipt};

/// For so long a game has to be over before the tower leaves it alone: the block in which it ended may be taken back.
const OVER_FOR_GOOD: Duration = Duration::from_secs(3_600);

/// What a tower has to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It looks after a game, with so many plies in the backup.
    Watches {
        game: B256,
        plies: u16,
    },
    /// The game was woken, and the backup has nothing later: that is well, or the backup lags.
    NothingLater {
        game: B256,
        contest: Contest,
    },
    /// It has shown a later position.
    Shown {
        game: B256,
        ply: u16,
        contest: Contest,
        receipt: Receipt,
    },
    Over {
        game: B256,
    },
    /// Something needs its keeper. It goes on trying.
    Trouble {
        path: PathBuf,
        reason: String,
    },
}

/// A later position of a woken game than the chain has.
struct Later {
    game: B256,
    position: Position,
    /// The creator's and the joiner's.
    signatures: [Signature; 2],
    contest: Contest,
}

/// Why a tower can't look after its games at present.
#[derive(Debug, thiserror::Error)]
pub enum TowerError {
    #[error(transparent)]
    Chain(#[from] ChainError),
    #[error("the backups in {} can't be listed: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
}

/// New trouble with a backup is told once in so long: it may be told in other words each time.
const QUIET: Duration = Duration::from_secs(60);

/// A tower over the backups in a folder.
#[derive(Debug)]
pub struct Tower {
    chain: Chain,
    dir: PathBuf,
    genesis: B256,
    /// The games that are looked after, and since when those are over that are.
    known: BTreeMap<B256, Option<Instant>>,
    /// The contests to which nothing later is known.
    conceded: BTreeSet<(B256, u16)>,
    /// The last trouble with each backup, and when it was told.
    troubles: BTreeMap<PathBuf, (String, Instant)>,
}

impl Tower {
    /// A tower over the games of a chain; its wallet pays.
    ///
    /// # Errors
    ///
    /// If the node can't be asked.
    pub async fn new(chain: Chain, dir: &Path) -> Result<Self, ChainError> {
        let genesis = chain.genesis().await?;
        let (known, conceded, troubles) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Ok(Self { chain, dir: dir.to_owned(), genesis, known, conceded, troubles })
    }

    /// Looks after every game once; gives what is new. Backups may come and grow in between.
    ///
    /// # Errors
    ///
    /// [`TowerError`], of which another look may know nothing. Trouble with one game keeps it from no other.
    pub async fn look(&mut self) -> Result<Vec<Told>, TowerError> {
        let folder = |source| TowerError::Folder { path: self.dir.clone(), source };
        let (mut told, mut looks, mut wakes) = (Vec::new(), Vec::new(), Vec::new());
        for (path, contents) in Backup::list(&self.dir).map_err(folder)? {
            match self.look_after(contents, &mut told).await {
                Ok(Some(later)) => wakes.push((path, later)),
                Ok(None) => looks.push((path, Ok(()))),
                Err(reason) => looks.push((path, Err(reason))),
            }
        }
        // A transaction may wait for its block for minutes: none holds up another.
        let chain = &self.chain;
        let shown = join_all(wakes.into_iter().map(async |(path, Later { game, position, signatures, contest })| {
            let shown = chain.wake(game, &position, signatures).await;
            (path, game, position.ply, contest, shown)
        }));
        for (path, game, ply, contest, shown) in shown.await {
            let shown = shown.map(|receipt| {
                self.conceded.insert((game, ply));
                told.push(Told::Shown { game, ply, contest, receipt });
            });
            looks.push((path, shown.map_err(|error| error.to_string())));
        }
        for (path, look) in looks {
            match look {
                Ok(()) => {
                    self.troubles.remove(&path);
                }
                Err(reason) => {
                    let known = self.troubles.get(&path);
                    if known.is_none_or(|(said, when)| *said != reason && when.elapsed() > QUIET) {
                        self.troubles.insert(path.clone(), (reason.clone(), Instant::now()));
                        told.push(Told::Trouble { path, reason });
                    }
                }
            }
        }
        Ok(told)
    }

    async fn look_after(
        &mut self,
        contents: Result<Contents, BackupError>,
        told: &mut Vec<Told>,
    ) -> Result<Option<Later>, String> {
        let contents = contents.map_err(|error| error.to_string())?;
        let game = contents.owner.game.game_id;
        let is_here = contents.owner.game == self.chain.game_ref(game) && contents.owner.genesis == self.genesis;
        // One folder may have the games of several chains.
        let over = self.known.get(&game).copied().flatten();
        if !is_here || over.is_some_and(|since| since.elapsed() > OVER_FOR_GOOD) {
            return Ok(None);
        }
        self.later(game, &contents, told).await.map_err(|error| error.to_string())
    }

    /// What is to be shown for a game, if its backup has anything later than the chain.
    async fn later(
        &mut self,
        game: B256,
        contents: &Contents,
        told: &mut Vec<Told>,
    ) -> Result<Option<Later>, ChainError> {
        let state = self.chain.game(game).await?;
        if !self.known.contains_key(&game) {
            told.push(Told::Watches { game, plies: contents.plies() });
        }
        let over = self.known.entry(game).or_default();
        if state.status == Status::Over {
            if over.is_none() {
                *over = Some(Instant::now());
                told.push(Told::Over { game });
            }
            return Ok(None);
        }
        *over = None;
        let Some(contest) = self.chain.contest(game).await? else { return Ok(None) };
        let base = state.terms.base;
        let best = contents.transcript(base).last_signed_by_both(base);
        let Some((position, of_colors)) = best.filter(|(position, _)| position.ply > contest.ply) else {
            if self.conceded.insert((game, contest.ply)) {
                told.push(Told::NothingLater { game, contest });
            }
            return Ok(None);
        };
        let [white, black] = Color::ALL.map(|color| of_colors[color.index()]);
        let is_creator_white = state.players[0] == Some(state.creator);
        let signatures = if is_creator_white { [white, black] } else { [black, white] };
        Ok(Some(Later { game, position, signatures, contest }))
    }
}
