import { BRIEFLY, type RememberedLooks } from "../../io/load/remembered_looks.ts";
import { EXIT } from "../errors/errors.ts";
import { jsonLinesByChunk } from "../../text/json_lines.ts";
import { lineResult, type Stream } from "./line_result.ts";

/** The most characters of results that wait to be written. */
const MOST_WAITING = 2_097_152;

/**
 * Decides one call a line, in order, one result a line; waits for the reader, so memory stays constant. 0, or 65 after a
 * line that cannot be read.
 *
 * Lines that came in together are a block: their results are written together, and each file is looked at once for all of them.
 * INVARIANT: no result of a block is out while a look of the block still holds, so that no call can have run that changed what it
 * saw; and it holds for a tenth of a second at most. Of folders of the PATH each block looks at the mark, and at a name that was missing
 * only where the mark is another one (`MissingNames`).
 */
export async function checkStream(looks: RememberedLooks, stream: Stream): Promise<number> {
  const block = new Block(looks);
  const deciding = { ...stream, looks };
  let status: number = EXIT.ok;
  for await (const lines of jsonLinesByChunk(inBlocks(looks.runtime.stdin(), block))) {
    for (const line of lines) {
      block.begin();
      const result = lineResult(line, deciding);
      const { text, isRead, asksModel } = result instanceof Promise ? await result : result;
      if (!isRead) status = EXIT.badInput;
      block.add(text);
      if ((asksModel || block.isFull()) && !await block.end()) return status;
    }
  }
  await block.end();
  return status;
}

/** The chunks of input, with the end of a block before each that is waited for; none once the reader is gone. */
async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  block: Block,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    if (!await block.end()) return;
  }
}

/** The results of lines that came in together. */
class Block {
  readonly #looks: RememberedLooks;
  #results: string[] = [];
  #size = 0;
  #began = 0;

  constructor(looks: RememberedLooks) {
    this.#looks = looks;
  }

  begin(): void {
    if (this.#results.length > 0) return;
    this.#looks.remember();
    this.#began = performance.now();
  }

  add(result: string): void {
    this.#results.push(result);
    this.#size += result.length;
  }

  isFull(): boolean {
    return this.#size > MOST_WAITING || performance.now() - this.#began > BRIEFLY;
  }

  /** Forgets what was seen, then writes the results; false if the reader is gone. */
  async end(): Promise<boolean> {
    this.#looks.forget();
    if (this.#results.length === 0) return true;
    // The empty text makes the last newline part of the join: to add it behind would copy the whole text.
    this.#results.push("");
    const text = this.#results.join("\n");
    this.#results = [];
    this.#size = 0;
    return await this.#looks.runtime.write("stdout", text);
  }
}
