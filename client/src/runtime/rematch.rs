//! After the end: whether the opponent offers another game, on the same terms.

use crate::chain::Chain;
use crate::lobby::{Rematch, RematchStep, rematch};
use ::chain::Classified as _;
use alloy::primitives::B256;
use game::Notice;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How often the chain is asked.
const PAUSE: Duration = Duration::from_secs(2);

/// Tells of the game that the opponent has opened, and when it has taken that back. A node that can't be asked is asked again: who follows the
/// chain tells of it.
pub(super) async fn tell_of_rematch(chain: Chain, over: B256, notices: UnboundedSender<Notice>) {
    let Some(me) = chain.account() else { return };
    let mut told = None;
    while !notices.is_closed() {
        let offered = match rematch(&chain, me, over).await {
            Ok(Rematch { step: Some(RematchStep::Join { game, .. }), .. }) => Some(game),
            Ok(_) => None,
            Err(error) if error.is_of_the_user() => return,
            Err(_) => told,
        };
        if offered != told {
            let news = offered.map_or(Notice::RematchWithdrawn, |game| Notice::RematchOpened { game });
            super::notify(&notices, news);
            told = offered;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
