// An EVM of the page's own, in which the deployed verifier's code says whether a proof holds.

import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM } from "@ethereumjs/evm";
import { type Address, bytesToHex, hexToBytes, type PrefixedHexString } from "@ethereumjs/util";

/** What creates the two verifiers, and the contracts with the keys of their statements, by their names. */
export interface Code {
  narrow: string;
  wide: string;
  keys: Record<string, string>;
}

/** A proof with its public inputs, as a verifier is given them after its key's address. */
export interface Evidence {
  statement: string;
  evidence: string;
}

/** The statement whose public inputs only the wide verifier takes. */
const WIDE = "chain-answer";

const GAS = 30_000_000n;

export class Machine {
  private constructor(
    private readonly evm: EVM,
    private readonly verifiers: { narrow: Address; wide: Address },
    private readonly keys: Map<string, Address>,
    /** The codes of all these contracts as they stand on a chain, the verifiers' first. */
    readonly codes: string[],
  ) {}

  static async start({ narrow, wide, keys }: Code): Promise<Machine> {
    const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });
    const create = async (code: string) => {
      const { createdAddress, execResult } = await evm.runCall({ data: bytes(code), gasLimit: GAS });
      if (createdAddress === undefined || execResult.exceptionError !== undefined) throw new Error("a contract can't be created in this page");
      return { address: createdAddress, code: bytesToHex(execResult.returnValue) };
    };
    const verifiers = { narrow: await create(narrow), wide: await create(wide) };
    const codes = [verifiers.narrow.code, verifiers.wide.code];
    const addresses = new Map<string, Address>();
    for (const [name, creation] of Object.entries(keys)) {
      const { address, code } = await create(creation);
      addresses.set(name, address);
      codes.push(code);
    }
    return new Machine(evm, { narrow: verifiers.narrow.address, wide: verifiers.wide.address }, addresses, codes);
  }

  /** Asks as the game's contract does: the key's address as a word, then inputs and proof. The proof holds if the verifier returns one. */
  async holds({ statement, evidence }: Evidence): Promise<boolean> {
    const key = this.keys.get(statement);
    if (key === undefined) return false;
    const given = bytes(evidence);
    const data = new Uint8Array(32 + given.length);
    data.set(key.toBytes(), 12);
    data.set(given, 32);
    const { execResult } = await this.evm.runCall({ to: statement === WIDE ? this.verifiers.wide : this.verifiers.narrow, data, gasLimit: GAS });
    const { exceptionError, returnValue } = execResult;
    return exceptionError === undefined && returnValue.length === 32 && returnValue.every((byte, at) => byte === Number(at === 31));
  }
}

function bytes(text: string): Uint8Array {
  return hexToBytes(text as PrefixedHexString);
}
