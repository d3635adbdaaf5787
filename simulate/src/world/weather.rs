//! What can go wrong without anybody's fault.

/// How often it does: in percent of the messages, transactions, blocks or jobs, or per mille of the steps. By default nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weather {
    /// Percent of messages that are lost.
    pub drop: u32,
    /// Percent of messages that come once more.
    pub duplicate: u32,
    /// Percent of messages whose bytes are damaged on the way.
    pub corrupt: u32,
    /// Messages are delivered in any order, and may wait long.
    pub reorder: bool,
    /// Time passes also while something else could happen.
    pub hurry: bool,
    /// In percent of the blocks: blocks that aren't final are taken back.
    pub reorg: u32,
    /// So many seconds at most until a block is final.
    pub confirmation: u64,
    /// Any number of the last blocks is taken back, and their transactions may come again, in another order; else all of them, and
    /// their transactions are lost.
    pub fork: bool,
    /// Percent of transactions that are lost.
    pub lose_transaction: u32,
    /// So many seconds at most until a transaction can get into a block.
    pub inclusion: u64,
    /// The base fee goes up and down.
    pub fees: bool,
    /// Percent of jobs that fail on this side, to be tried again.
    pub fail_job: u32,
    /// Jobs end in any order.
    pub late_jobs: bool,
    /// Per mille of steps at which a player is killed and started again.
    pub crash: u32,
    /// Per mille of events after which a player is killed when it has carried out only the first of its effects.
    pub torn: u32,
    /// Percent of the former crashes in which the journal is lost, too.
    pub lose_journal: u32,
    /// Percent of the crashes with a journal after which the user wants other moves than before.
    pub otherwise: u32,
}
