//! *shown* and *asked*: the sets of a private intersection, as weighted sums of points, are exactly what a committed board gives (engine
//! `dh-psi-proven`). The native twins are those of `engines::psi::statement`.
//!
//! Both lay, on [`config`]'s columns: the board ([`bfv::board`](super::bfv), as for *item* and *view*), that its [men] are a game's, which element is [`active`], the
//! [listing](crate::gadget::listing) of those, the [digest], and the [weighted sum](crate::gadget::weighted_sum) of the list. Then *shown* raises the sum,
//! and *asked* blinds it.
//!
//! Each is there in two extents: the lines of the whole board, and those from two squares, whose constraints are the same and which is small enough for the
//! tests that leave out constraints one by one.

mod active;
mod asked;
mod config;
mod digest;
mod men;
mod shown;

#[cfg(test)]
mod tests;

pub use asked::AskedCircuit;
pub use shown::ShownCircuit;

/// The circuit of *shown* of small sets, for tests.
pub type SmallShownCircuit = ShownCircuit<true>;
/// The circuit of *asked* of small sets, for tests.
pub type SmallAskedCircuit = AskedCircuit<true>;

/// Makes a circuit of one extent: its name, rows, statement, and columns.
macro_rules! set_circuit {
    ($circuit:ty, $name:literal, $k:literal, $statement:ty, $config:ty) => {
        impl crate::StatementCircuit for $circuit {
            const NAME: &'static str = $name;
            const K: u32 = $k;
            type Public = <$statement as fog::statement::Statement>::Public;
            type Private = <$statement as fog::statement::Statement>::Private;

            fn new(public: &Self::Public, private: &Self::Private) -> Self {
                Self::of(public, private)
            }

            fn blank() -> Self {
                let (public, private) = Self::blank_draw();
                Self::of(&public, &private)
            }

            fn instance(public: &Self::Public) -> Vec<Vec<Fr>> {
                vec![public.to_instance()]
            }
        }

        crate::gadget::context::laid_circuit!($circuit, $config);

        impl crate::gadget::Layout for $circuit {
            fn common(config: &Self::Config) -> &crate::gadget::CommonConfig {
                &config.common
            }

            fn first_rows(taken: crate::gadget::Rows) -> crate::gadget::Rows {
                <$config>::first_rows(taken)
            }

            fn rows() -> crate::gadget::Rows {
                static ROWS: std::sync::LazyLock<crate::gadget::Rows> =
                    std::sync::LazyLock::new(crate::gadget::context::count_rows::<$circuit>);
                *ROWS
            }

            fn load(config: &Self::Config, region: &mut crate::gadget::RegionCtx<'_>) {
                config.load(region);
            }

            fn lay(&self, config: &Self::Config, cx: &mut crate::gadget::Context<'_>) -> Vec<crate::gadget::Cell> {
                self.lay_statement(config, cx)
            }
        }
    };
}

use set_circuit;
