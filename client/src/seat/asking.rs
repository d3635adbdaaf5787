//! The own standing request (protocol, section 6, step 3): made with the own move, sent with it, and sent again whenever the
//! opponent asks. After a restart it is made again from the wallet.

use super::facts::Facts;
use game::Message;

#[derive(Debug, Default)]
pub(super) struct Asking {
    standing: Option<Standing>,
}

#[derive(Debug)]
struct Standing {
    /// The ply of the own move that it was made with.
    ply: u16,
    request: Vec<u8>,
    sent: bool,
}

impl Asking {
    /// The own move of `ply` is final. `request` was sent with it; `None` if the move was made before a restart.
    pub fn moved(&mut self, ply: u16, request: Option<Vec<u8>>) {
        self.standing = request.map(|request| Standing { ply, request, sent: true });
    }

    /// Makes the request again after a restart, and gives it if it has to be sent.
    pub fn advance(&mut self, facts: &Facts) -> Option<Message> {
        if self.standing.is_none() {
            let (player, _, own) = facts.in_play().filter(|(.., own)| own.mv.is_some())?;
            // Fails only for a scalar of 0, which the secrets never give.
            let (ply, request) = (facts.own_ply()?, player.request(own).ok()?);
            self.standing = Some(Standing { ply, request, sent: false });
        }
        let standing = self.standing.as_mut().filter(|standing| !standing.sent)?;
        standing.sent = true;
        Message::request(standing.ply, &standing.request)
    }

    /// The request made with the own move of `ply`.
    pub fn message(&self, ply: u16) -> Option<Message> {
        let standing = self.standing.as_ref().filter(|s| s.ply == ply)?;
        Message::request(ply, &standing.request)
    }
}
