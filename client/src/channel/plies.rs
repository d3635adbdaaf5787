//! Making plies and taking them (protocol, section 8). Before a signature or a sight leaves, what it belongs to is written; and what the opponent has
//! signed counts once it follows on the plies before it, its points are those of its root, its clock can be so, and its proof is true. Anything else
//! is as if it had not come.

use super::{Arriving, Channel, Stage};
use crate::journal::{Entry, KeptPly};
use crate::seat::{Effect, Event, JobId, Seat};
use ff::Field;
use fog::engine::Fault;
use game::message::POINTS_BYTES;
use game::{
    Command, Message, MoveFields, Notice, Outcome, PlyFault, SignedPly, Transaction, Waking, move_name, signer,
};
use halo2curves::bn256::Fr;

/// The points of a request, and the ply that it was made with.
type Points = (u16, Box<[u8; POINTS_BYTES]>);

impl Channel {
    /// What the seat would send to the chain.
    pub(super) fn on_transaction(
        &mut self,
        seat: &mut Seat,
        transaction: Transaction,
        points: Option<&Points>,
        out: &mut Vec<Effect>,
    ) {
        match transaction {
            Transaction::Move { fields, proof, .. } => self.make(seat, &fields, proof, points, out),
            Transaction::Resign => self.sign_loss(Outcome::Resigned, out),
            Transaction::AcceptDraw { .. } => self.sign_draw(out),
            Transaction::ClaimFifty { .. } => self.claim(Command::ClaimFifty, out),
            Transaction::ClaimNoMove { .. } => self.claim(Command::ClaimNoMove, out),
            // Nothing is demanded, answered or won on time while the game is asleep.
            _ => {}
        }
    }

    fn claim(&mut self, command: Command, out: &mut Vec<Effect>) {
        self.then = Some(command);
        self.wake(Waking::Claim, out);
    }

    /// The own move is proven: it is signed, written, and sent. One that was made before is said again.
    fn make(
        &mut self,
        seat: &mut Seat,
        fields: &MoveFields,
        proof: Vec<u8>,
        points: Option<&Points>,
        out: &mut Vec<Effect>,
    ) {
        let used = self.used();
        let Some(line) = self.line.as_mut() else { return };
        if let Some(made) = line.made(fields.ply).filter(|made| made.kept.own) {
            return out.push(say(&made.kept.signed));
        }
        let Some((_, points)) = points.filter(|(ply, _)| *ply == fields.ply) else { return };
        if fields.ply != line.len() || !line.is_own_turn() {
            return;
        }
        let is_answered = fields.ply == 0 || fields.king_fell || fields.answer_root != Fr::ZERO;
        if !is_answered || fields.ends_the_game() && !fields.king_fell {
            return self.wake(if is_answered { Waking::TooLong } else { Waking::BadRequest }, out);
        }
        let clock = line.position().clocks[line.own.index()];
        let clock = super::measure::left_after(&line.terms, clock, used).unwrap_or(line.terms.increment);
        let (_, digest) = line.next(fields, clock);
        let signature = if fields.king_fell { Some([0; 64]) } else { (self.sign.0)(&digest) };
        let Some(signature) = signature else { return out.push(cannot_sign()) };
        let signed = SignedPly { fields: *fields, clock, signature, points: points.clone(), proof };
        let kept = KeptPly { own: true, at: self.date, signed };
        out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));
        out.push(say(&kept.signed));
        line.push(kept);
        let event = line.told(fields);
        self.tell_clocks(out);
        // A fallen king counts once the chain knows it.
        if !fields.king_fell {
            self.feed(seat, Event::Final(event), out);
        }
    }

    /// The opponent says a ply.
    pub(super) fn on_ply(&mut self, seat: &mut Seat, signed: Box<SignedPly>, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref().filter(|_| !self.has_result()) else { return };
        let ply = signed.fields.ply;
        if let Some(made) = line.made(ply) {
            if made.kept.own {
                return;
            }
            return match made.kept.signed == *signed {
                true => self.countersign(ply, out),
                false => self.keep_evidence(signed, out),
            };
        }
        // An own ply is only ever shown to a machine that has lost it, and no loss is signed on the opponent's word.
        let is_shown = matches!(self.stage, Stage::Behind(_));
        let is_due = if is_shown { !signed.fields.king_fell } else { !line.is_own_turn() };
        if ply != line.len() || line.is_over() || !is_due {
            return;
        }
        if let Some(arriving) = &self.arriving {
            return if arriving.signed != signed {
                self.keep_evidence(signed, out)
            };
        }
        let trusted = match self.check(seat, &signed) {
            Ok(trusted) => trusted,
            Err(PlyFault::Another) => return self.keep_evidence(signed, out),
            Err(why) => return self.refuse(ply, why, out),
        };
        self.arriving = Some(Arriving { signed, at: self.date, trusted, job: None, failing: None });
        self.verify_again(seat, out);
    }

    /// All that can be said of a ply without its proof; for how many seconds its mover is trusted.
    fn check(&self, seat: &Seat, signed: &SignedPly) -> Result<u64, PlyFault> {
        let Some(line) = &self.line else { return Err(PlyFault::Impossible) };
        let fields = &signed.fields;
        let follows = seat.table().clone().apply(&line.told(fields)).is_ok();
        fog::ensure!(follows && (fields.king_fell || !fields.ends_the_game()), PlyFault::Impossible);
        let (_, digest) = line.next(fields, signed.clock);
        let is_signed = match fields.king_fell {
            true => signed.signature == [0; 64],
            false => signer(&digest, &signed.signature) == Some(line.mover(fields.ply)),
        };
        fog::ensure!(is_signed, PlyFault::Signature);
        // What is kept after a missing ply was signed on that one, and on no other.
        let follows = self.entries.values().find_map(|entry| match entry {
            Entry::Ply(kept) if kept.signed.fields.ply == fields.ply.saturating_add(1) => Some(&kept.signed),
            _ => None,
        });
        let is_followed = follows.is_none_or(|next| line.is_followed(signed, next));
        fog::ensure!(is_followed, PlyFault::Another);
        fog::ensure!(seat.is_request(&signed.points[..], fields.next_request_root), PlyFault::Points);
        let is_answered = fields.ply == 0 || fields.king_fell || fields.answer_root != Fr::ZERO;
        fog::ensure!(is_answered, PlyFault::NoAnswer);
        match line.is_own_turn() {
            true => Ok(0),
            false => self.trusted_for(line, signed.clock).ok_or(PlyFault::Clock),
        }
    }

    /// Whether a job is the proof that a ply waits for.
    pub(super) fn is_verifying(&self, job: JobId) -> bool {
        self.arriving.as_ref().is_some_and(|arriving| arriving.job == Some(job))
    }

    /// Whether a ply is being looked at. One that can't be verified on this side counts as none after a while, or whoever knows how to bring that about
    /// could hold the game up for ever.
    pub(super) fn is_arriving(&self) -> bool {
        let is_failing = |since: u64| self.gone_on(since) > self.config.grace;
        self.arriving.as_ref().is_some_and(|arriving| !arriving.failing.is_some_and(is_failing))
    }

    /// Has the proof of what has come verified, if that isn't under way.
    pub(super) fn verify_again(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let Some(arriving) = self.arriving.as_mut().filter(|arriving| arriving.job.is_none()) else { return };
        if let Some((id, job)) = seat.verify(&arriving.signed.fields, &arriving.signed.proof) {
            arriving.job = Some(id);
            out.push(Effect::Run(id, job));
        }
    }

    /// The proof of the opponent's ply was looked at.
    pub(super) fn verified(&mut self, seat: &mut Seat, result: Result<(), Fault>, out: &mut Vec<Effect>) {
        let Some(arriving) = self.arriving.take() else { return };
        match result {
            Ok(()) => self.accept(seat, arriving, out),
            Err(fault) if fault.is_own() => {
                if arriving.failing.is_none() {
                    let name = move_name(arriving.signed.fields.ply);
                    let reason =
                        format!("the proof of {name} can't be verified on this machine, which goes on trying: {fault}");
                    out.push(Effect::Notify(Notice::Failed { reason }));
                }
                let failing = arriving.failing.or(Some(self.date));
                self.arriving = Some(Arriving { job: None, failing, ..arriving });
            }
            Err(_) => self.refuse(arriving.signed.fields.ply, PlyFault::Proof, out),
        }
    }

    /// It is written, signed too, and from here on it is as final as the chain makes one.
    fn accept(&mut self, seat: &mut Seat, Arriving { signed, at, trusted, .. }: Arriving, out: &mut Vec<Effect>) {
        let Some(line) = &mut self.line else { return };
        self.trusted = self.trusted.saturating_add(trusted);
        let (fields, own) = (signed.fields, line.is_own_turn());
        let request = Message::Request { ply: fields.ply, points: signed.points.clone() };
        let kept = KeptPly { own, at, signed: *signed };
        out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));
        line.push(kept);
        let event = line.told(&fields);
        if fields.king_fell {
            return self.sign_loss(Outcome::KingCaptured, out);
        }
        if !own {
            self.countersign(fields.ply, out);
            self.feed(seat, Event::Received(request), out);
        }
        self.tell_clocks(out);
        self.feed(seat, Event::Final(event), out);
        self.take_up_what_follows(seat, out);
        self.caught_up(seat, out);
    }

    /// The plies that are kept after one that was missing count again, once the opponent has shown that.
    fn take_up_what_follows(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_mut().filter(|_| matches!(self.stage, Stage::Behind(_))) else { return };
        let known = line.told_to(u16::MAX).len();
        // Where another one is missing the rest waits for that.
        let _ = line.restore(self.entries.values());
        for event in line.told_to(u16::MAX).into_iter().skip(known) {
            self.feed(seat, Event::Final(event), out);
        }
        self.keep_points();
    }

    /// Says the own signature under the position after the opponent's last ply, once it is written.
    fn countersign(&mut self, ply: u16, out: &mut Vec<Effect>) {
        let is_open = matches!(self.stage, Stage::Asleep) && !self.has_result();
        let Some(line) = self.line.as_mut().filter(|_| is_open) else { return };
        let made = line.made(ply).filter(|made| !made.kept.own && !made.kept.signed.fields.king_fell);
        let Some((digest, known)) = made.map(|made| (made.digest, made.countersigned)) else { return };
        let Some(signature) = known.or_else(|| (self.sign.0)(&digest)) else { return out.push(cannot_sign()) };
        if line.countersign(ply, signature) {
            out.push(Effect::Journal(Entry::Countersigned { ply, signature }));
        }
        out.push(Effect::SendMessage(Message::Countersigned { ply, signature }));
    }

    /// The opponent's signature under the position after an own ply.
    pub(super) fn on_countersigned(&mut self, ply: u16, signature: [u8; 64], out: &mut Vec<Effect>) {
        let line = self.line.as_mut().filter(|line| line.made(ply).is_some_and(|made| made.kept.own));
        if line.is_some_and(|line| line.countersign(ply, signature)) {
            out.push(Effect::Journal(Entry::Countersigned { ply, signature }));
        }
    }

    /// Says how many plies are here, so that what is missing is said again.
    pub(super) fn say_where(&self, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref() else { return };
        out.push(Effect::SendMessage(Message::Have { plies: line.len() }));
        out.extend(self.own_result.as_ref().map(|own| Effect::SendMessage(own.message())));
    }

    /// The opponent says how many plies it has: it is given again what it may lack, its own plies too. One that has more than can follow on those
    /// here has some that this machine has lost.
    pub(super) fn on_have(&mut self, plies: u16, out: &mut Vec<Effect>) {
        let Some(line) = &self.line else { return };
        let next = u16::from(!line.is_own_turn());
        if let Some(own) = &self.own_result {
            out.push(Effect::SendMessage(own.message()));
        } else if line.made(plies).is_some() {
            self.say_again(plies, out);
        } else if plies > line.len().saturating_add(next) {
            self.lags_behind(plies, out);
        } else if let Some(last) = plies.checked_sub(1).filter(|_| plies == line.len()) {
            self.countersign(last, out);
        }
    }

    /// Says a ply of a woken game again, if the opponent has signed it or the chain has it: one that has lost it can't go on without.
    pub(super) fn remind(&self, seat: &Seat, ply: u16, out: &mut Vec<Effect>) {
        let Some(line) = &self.line else { return };
        let is_there = line.made(ply).is_some_and(|made| match &self.stage {
            Stage::Contested(contest) => {
                contest.stands.as_deref().is_some_and(|stands| ply < stands.ply && line.has(stands))
            }
            _ => seat.has_made(&made.kept.signed.fields),
        });
        if ply < line.held() || is_there {
            self.say_again(ply, out);
        }
    }

    /// Says a ply again.
    pub(super) fn say_again(&self, ply: u16, out: &mut Vec<Effect>) {
        let made = self.line.as_ref().and_then(|line| line.made(ply));
        out.extend(made.map(|made| say(&made.kept.signed)));
    }

    /// A second ply of the opponent's in the place of one that it has signed: it proves that to anybody.
    fn keep_evidence(&mut self, signed: Box<SignedPly>, out: &mut Vec<Effect>) {
        let ply = signed.fields.ply;
        if !self.line.as_ref().is_some_and(|line| line.is_signed(&signed)) {
            return self.refuse(ply, PlyFault::Signature, out);
        }
        let is_known =
            self.entries.values().any(|entry| matches!(entry, Entry::Evidence(known) if known.fields.ply == ply));
        if !is_known {
            out.push(Effect::Journal(Entry::Evidence(signed)));
        }
        self.refuse(ply, PlyFault::Another, out);
    }

    /// A ply counts as none; told once.
    fn refuse(&mut self, ply: u16, why: PlyFault, out: &mut Vec<Effect>) {
        if !self.refused.contains(&(ply, why)) {
            self.refused.push((ply, why));
            out.push(Effect::Notify(Notice::PlyRefused { ply, why }));
        }
    }
}

/// A ply as the opponent is told it.
fn say(signed: &SignedPly) -> Effect {
    Effect::SendMessage(Message::Ply(Box::new(signed.clone())))
}

/// The key is there or nothing is; it can't fail.
pub(super) fn cannot_sign() -> Effect {
    Effect::Notify(Notice::Failed { reason: "the wallet can't sign".to_owned() })
}
