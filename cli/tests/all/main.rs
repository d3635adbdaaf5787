//! The integration tests of `cli` in one program, so that its dependencies are linked once.

mod bot;
mod cheat;
mod commands;
mod demo;
mod deploying;
mod dice;
mod errands;
mod https;
mod invitations;
mod link;
mod newcomer;
mod rules;
mod sight;
mod tag;
