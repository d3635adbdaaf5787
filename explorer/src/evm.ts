// An EVM of the page's own, in which the deployed verifier's code says whether a proof holds.

import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM } from "@ethereumjs/evm";
import { type Address, hexToBytes, type PrefixedHexString } from "@ethereumjs/util";

/** What creates the verifier, and the contract with the key of the statement *turn*. */
export interface Code {
  narrow: string;
  turn_key: string;
}

const GAS = 30_000_000n;

export class Machine {
  private constructor(
    private readonly evm: EVM,
    private readonly verifier: Address,
    private readonly key: Address,
    /** The codes of both contracts as they stand on a chain. */
    readonly codes: string[],
  ) {}

  static async start({ narrow, turn_key }: Code): Promise<Machine> {
    const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });
    const create = async (code: string) => {
      const { createdAddress, execResult } = await evm.runCall({ data: bytes(code), gasLimit: GAS });
      if (createdAddress === undefined || execResult.exceptionError !== undefined) throw new Error("a contract can't be created in this page");
      return { address: createdAddress, code: hex(execResult.returnValue) };
    };
    const [verifier, key] = [await create(narrow), await create(turn_key)];
    return new Machine(evm, verifier.address, key.address, [verifier.code, key.code]);
  }

  /** Asks as the game's contract does: the key's address as a word, then inputs and proof. The proof holds if the verifier returns one. */
  async holds(evidence: string): Promise<boolean> {
    const given = bytes(evidence);
    const data = new Uint8Array(32 + given.length);
    data.set(this.key.toBytes(), 12);
    data.set(given, 32);
    const { execResult } = await this.evm.runCall({ to: this.verifier, data, gasLimit: GAS });
    const { exceptionError, returnValue } = execResult;
    return exceptionError === undefined && returnValue.length === 32 && returnValue.every((byte, at) => byte === Number(at === 31));
  }
}

function bytes(text: string): Uint8Array {
  return hexToBytes(text as PrefixedHexString);
}

function hex(given: Uint8Array): string {
  return `0x${Array.from(given, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
