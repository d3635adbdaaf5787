//! After the end: whether the opponent has opened another game, on the same terms.

use crate::chain::Chain;
use crate::lobby::{Rematch, rematch};
use ::chain::Classified as _;
use alloy::primitives::B256;
use game::Notice;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How often the chain is asked.
const PAUSE: Duration = Duration::from_secs(5);

/// Tells once of the game that the opponent has opened. A node that can't be asked is asked again: who follows the chain tells of it.
pub(super) async fn tell_of_rematch(chain: Chain, over: B256, notices: UnboundedSender<Notice>) {
    let Some(me) = chain.account() else { return };
    while !notices.is_closed() {
        match rematch(&chain, me, over).await {
            Ok(Rematch { offer: Some(game), .. }) => return super::notify(&notices, Notice::RematchOpened { game }),
            Err(error) if error.is_of_the_user() => return,
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}
