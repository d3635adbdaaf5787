//! The statements of tag: *tag step*, *tag reply* and *tag capture*, which hold a king's set and its replies to its committed position. On *turn*'s
//! columns, so that the narrow verifier serves them too. The native twins are those of `contest::tag::statement`.
//!
//! Here stands what they share: [`laid`] makes a circuit of each, [`king`] opens positions.

mod king;

mod capture;
mod reply;
mod step;

#[cfg(test)]
mod tests;

pub use capture::TagCaptureCircuit;
pub use reply::TagReplyCircuit;
pub use step::TagStepCircuit;

/// Makes a circuit on *turn*'s columns of a type with a `witness` and `tampers`: its name, its statement, its blank
/// draw, and how it is laid.
macro_rules! laid {
    ($circuit:ident, $name:literal, $statement:ty, $blank:path) => {
        fog::redacted!($circuit);

        impl crate::StatementCircuit for $circuit {
            const NAME: &'static str = $name;
            const K: u32 = 14;
            type Public = <$statement as fog::statement::Statement>::Public;
            type Private = <$statement as fog::statement::Statement>::Private;

            fn new(public: &Self::Public, private: &Self::Private) -> Self {
                Self::of(public, private)
            }

            fn blank() -> Self {
                let (public, private) = $blank();
                Self::of(&public, &private)
            }

            fn instance(public: &Self::Public) -> Vec<Vec<Fr>> {
                vec![crate::statement::turn::config::padded(&public.to_instance())]
            }
        }

        crate::gadget::context::laid_circuit!($circuit, crate::statement::turn::config::TurnConfig);

        impl crate::gadget::Layout for $circuit {
            fn common(config: &Self::Config) -> &crate::gadget::CommonConfig {
                &config.common
            }

            fn first_rows(taken: crate::gadget::Rows) -> crate::gadget::Rows {
                crate::statement::turn::config::first_rows(taken)
            }

            fn rows() -> crate::gadget::Rows {
                static ROWS: std::sync::LazyLock<crate::gadget::Rows> =
                    std::sync::LazyLock::new(crate::gadget::context::count_rows::<$circuit>);
                *ROWS
            }

            fn load(config: &Self::Config, region: &mut crate::gadget::RegionCtx<'_>) {
                config.fixed_base.load(region);
            }

            fn lay(&self, config: &Self::Config, cx: &mut crate::gadget::Context<'_>) -> Vec<crate::gadget::Cell> {
                crate::statement::turn::points::use_every_gate(cx, config);
                self.lay_statement(config, cx)
            }
        }
    };
}

pub(in crate::statement) use laid;
