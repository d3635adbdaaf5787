//! Draws of *chain answer* and *request data*: those of *answer*, in the form that a contract verifies.

use super::{AnswerCase, answers, mutations_answer};
use crate::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    chain_answer::{self, ChainAnswerPrivate, ChainAnswerPublic},
    request_data::{self, RequestDataPrivate, RequestDataPublic},
};

/// An endless, seeded row of valid statements *chain answer*; of one case, or of all as random games give them.
pub fn chain_answers(
    seed: u64,
    case: Option<AnswerCase>,
) -> impl Iterator<Item = (ChainAnswerPublic, ChainAnswerPrivate)> {
    answers(seed, case).map(|(public, private)| chain_answer::gather(&public, private).expect("an answer has a root"))
}

/// An endless, seeded row of valid statements *request data*.
pub fn requests(seed: u64) -> impl Iterator<Item = (RequestDataPublic, RequestDataPrivate)> {
    answers(seed, None).map(|(public, _)| request_data::gather(public.request))
}

/// Answers of which one thing isn't what the board makes it, in all else consistent: their roots and `y` are those of the wrong
/// elements or of the request that they don't answer. With the name of what is wrong.
pub fn wrong_answers(
    public: &AnswerPublic,
    private: &AnswerPrivate,
) -> Vec<(&'static str, ChainAnswerPublic, ChainAnswerPrivate)> {
    let mutations = mutations_answer().into_iter();
    let wrong =
        mutations.filter(|mutation| mutation.name.starts_with("elements: ") || mutation.name.starts_with("request: "));
    let made = wrong.filter_map(|mutation| {
        let (mut public, mut private) = (public.clone(), private.clone());
        (mutation.apply)(&mut public, &mut private)?;
        // No place for a clear pass where nothing was captured: such elements have no root.
        let (public, private) = chain_answer::gather(&public, private).ok()?;
        Some((mutation.name, public, private))
    });
    made.collect()
}
