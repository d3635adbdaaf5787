//! The coin toss for colors (protocol, section 8): the creator commits to `r1`, the joiner answers with `r2`, the creator
//! opens `r1`. All words are 32 bytes; the formulas are the contract's (`contracts/src/libraries/Toss.sol`).

use fog::word::keccak256;

/// What the creator commits to on chain: `keccak256(abi.encode(r1, creator))`.
pub fn toss_commitment(r1: &[u8; 32], creator: &[u8; 20]) -> [u8; 32] {
    let mut message = [0; 64];
    message[..32].copy_from_slice(r1);
    message[44..].copy_from_slice(creator);
    keccak256(&message)
}

/// Whether the coin toss makes the creator White: `keccak256(abi.encode(r1, r2))` is even.
pub fn creator_is_white(r1: &[u8; 32], r2: &[u8; 32]) -> bool {
    toss_word(r1, r2)[31] & 1 == 0
}

/// The joint randomness of the toss, `keccak256(abi.encode(r1, r2))`.
pub fn toss_word(r1: &[u8; 32], r2: &[u8; 32]) -> [u8; 32] {
    keccak256([*r1, *r2].as_flattened())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toss_is_the_contract_s() {
        // Hashed by the Keccak of ../shared/oracle/sight_reference.py: 346d…0aa0 is even, 9406…4c91 is odd.
        assert!(creator_is_white(&[1; 32], &[2; 32]));
        assert!(!creator_is_white(&[1; 32], &[3; 32]));
        let commitment = "9060035cdd4739240b9de158345f3988acb73a36dc1d96a2921cf9e04c997e27";
        assert_eq!(hex::encode(toss_commitment(&[1; 32], &[9; 20])), commitment);
    }
}
