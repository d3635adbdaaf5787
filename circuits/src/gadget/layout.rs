//! How a statement's circuit is laid: on which columns, and in which rows. Its rows are counted by laying it once without a region, never by hand.

use std::{any::TypeId, collections::HashMap, sync::Mutex};

use halo2_proofs::{
    circuit::Layouter,
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use super::{Cell, CommonConfig, Context, PublicColumn, RegionCtx, Rows, Tamper, publish_linked};
use crate::StatementCircuit;

/// The columns and gates of a circuit.
pub trait Columns: Clone {
    /// Makes the columns and all gates.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self;

    /// The chips that every statement has.
    fn common(&self) -> &CommonConfig;

    /// The first row of each part, given how many rows each takes.
    fn first_rows(taken: Rows) -> Rows;

    /// Fills fixed columns before anything else; nothing by default.
    fn load(&self, _region: &mut RegionCtx<'_>) {}
}

/// A circuit that is laid in a [`Context`].
pub trait Layout: StatementCircuit + Circuit<Fr, Config: Columns> + 'static {
    /// Lays the whole statement; gives the cells of the public inputs, in their order.
    fn lay(&self, config: &Self::Config, cx: &mut Context<'_>) -> Vec<Cell>;

    /// How many rows each part takes: counted once.
    fn rows() -> Rows {
        static COUNTED: Mutex<Option<HashMap<TypeId, Rows>>> = Mutex::new(None);
        let mut counted = COUNTED.lock().expect("no circuit panics while it is counted");
        *counted.get_or_insert_default().entry(TypeId::of::<Self>()).or_insert_with(|| {
            let config = Self::Config::configure(&mut ConstraintSystem::default());
            let mut cx = Context::dry(config.common());
            Self::blank().lay(&config, &mut cx);
            cx.taken()
        })
    }
}

/// Makes halo2's [`Circuit`] of a statement's circuit: with its [`Columns`], and laid by its [`Layout`].
macro_rules! laid_circuit {
    ($(const $parameter:ident;)? $circuit:ty, $config:ty) => {
        impl $(<const $parameter: bool>)? ::halo2_proofs::plonk::Circuit<Fr> for $circuit {
            type Config = $config;
            type FloorPlanner = ::halo2_proofs::circuit::SimpleFloorPlanner;
            type Params = ();

            fn without_witnesses(&self) -> Self {
                <Self as $crate::StatementCircuit>::blank()
            }

            fn configure(meta: &mut ::halo2_proofs::plonk::ConstraintSystem<Fr>) -> $config {
                $crate::gadget::Columns::configure(meta)
            }

            fn synthesize(
                &self,
                config: $config,
                layouter: impl ::halo2_proofs::circuit::Layouter<Fr>,
            ) -> Result<(), ::halo2_proofs::plonk::Error> {
                $crate::gadget::layout::synthesize(self, &config, &self.tampers, layouter)
            }
        }
    };
}

pub(crate) use laid_circuit;

/// Makes a circuit of a type with `tampers`, a witness `of` a public and a private part, and a `blank_draw` of both: its name, base-two logarithm of rows,
/// statement and columns, and what makes the instance column of its public inputs. One parameter may stand before it.
macro_rules! statement_circuit {
    ($(const $parameter:ident;)? $circuit:ty, $name:expr, $k:expr, $statement:ty, $config:ty, $column:expr) => {
        impl $(<const $parameter: bool>)? ::std::fmt::Debug for $circuit {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(concat!(stringify!($circuit), "(…)"))
            }
        }

        impl $(<const $parameter: bool>)? $crate::StatementCircuit for $circuit {
            const NAME: &'static str = $name;
            const K: u32 = $k;
            type Public = <$statement as ::fog::statement::Statement>::Public;
            type Private = <$statement as ::fog::statement::Statement>::Private;

            fn new(public: &Self::Public, private: &Self::Private) -> Self {
                Self::of(public, private)
            }

            fn blank() -> Self {
                let (public, private) = Self::blank_draw();
                Self::of(&public, &private)
            }

            fn instance(public: &Self::Public) -> Vec<Vec<Fr>> {
                vec![$column(&public.to_instance())]
            }
        }

        $crate::gadget::layout::laid_circuit!($(const $parameter;)? $circuit, $config);
    };
}

pub(crate) use statement_circuit;

/// Lays a circuit; `tampers` break cells of its witness.
pub fn synthesize<C: Layout>(
    circuit: &C,
    config: &C::Config,
    tampers: &[Tamper],
    mut layouter: impl Layouter<Fr>,
) -> Result<(), Error> {
    let common = config.common();
    let public = layouter.assign_region(
        || C::NAME,
        |region| {
            let mut region = RegionCtx::new(region, tampers.to_vec());
            config.load(&mut region);
            let mut cx = Context::new(region, common, C::Config::first_rows(C::rows()));
            let public = circuit.lay(config, &mut cx);
            assert_eq!(cx.taken(), C::rows(), "another circuit than was counted");
            if let PublicColumn::Gated { count } = common.public {
                cx.publish(&public, count);
            }
            Ok(public)
        },
    )?;
    if let PublicColumn::Linked(instance) = common.public {
        publish_linked(&mut layouter, instance, &public);
    }
    Ok(())
}
