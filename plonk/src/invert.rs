//! Inverses of many elements by one inversion (Montgomery's trick).

use halo2curves::ff::Field;

/// Elements that are worked on beside each other, as a processor can: a product needn't wait for the one before.
pub(crate) const ABREAST: usize = 4;

/// Replaces elements, of which none is zero, by their inverses. `products` is memory to work in.
///
/// # Panics
///
/// If an element is zero.
pub(crate) fn invert<F: Field>(elements: &mut [F], products: &mut Vec<F>) {
    products.clear();
    let mut chains = [F::ONE; ABREAST];
    for group in elements.chunks(ABREAST) {
        for (chain, element) in chains.iter_mut().zip(group) {
            products.push(*chain);
            *chain *= element;
        }
    }
    let mut product = F::ONE;
    let before = chains.map(|chain| {
        let before = product;
        product *= chain;
        before
    });
    let mut inverse = Option::<F>::from(product.invert()).expect("no element is zero");
    for (chain, before) in chains.iter_mut().zip(before).rev() {
        (*chain, inverse) = (inverse * before, inverse * *chain);
    }
    for (group, products) in elements.chunks_mut(ABREAST).zip(products.chunks(ABREAST)).rev() {
        for ((chain, element), product) in chains.iter_mut().zip(group).zip(products) {
            (*chain, *element) = (*chain * &*element, *chain * product);
        }
    }
}

/// Replaces elements by their inverses, and leaves zeros.
pub(crate) fn invert_or_zero<F: Field>(elements: &mut [F]) {
    let zeros: Vec<usize> = (0..elements.len()).filter(|i| elements[*i].is_zero_vartime()).collect();
    zeros.iter().for_each(|i| elements[*i] = F::ONE);
    invert(elements, &mut Vec::new());
    zeros.iter().for_each(|i| elements[*i] = F::ZERO);
}
