/**
 * Measures what `caliban mcp` adds to a server, as a multiple of the server without it: `deno run -A bench/mcp.ts`, with the
 * number of rounds behind it. To begin is the time from the start of the process to the answer to `initialize`; a call is one
 * of a tool that reads a file, one after the other, and in bursts of 50. `--files=PATH` names the `dist/index.js` of
 * server-filesystem; without it the server is that of the tests. The bundle is measured where `deno task bundle` has made it.
 */

const ROOT = new URL("../", import.meta.url).pathname;
const DENO = [Deno.execPath(), "run", "--quiet", "--no-prompt", "--cached-only"];
const GATE = ["--allow-read", "--allow-env", "--allow-write", "--allow-run"];
const CALLS = 50;

const folder = Deno.makeTempDirSync();
const files = Deno.args.find((word) => word.startsWith("--files="))?.slice("--files=".length);
const rounds = Number(Deno.args.find((word) => /^\d+$/.test(word)) ?? 15);
const tool = files === undefined ? "read" : "read_text_file";
const server = files === undefined
  ? [...DENO, "--allow-read", `${ROOT}tests/support/mcp_server.ts`, "read"]
  : ["node", files, folder];

/** A line that is waited for, by the id of the request. */
class Client {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, () => void>();
  #id = 0;

  constructor([program = "", ...args]: readonly string[]) {
    this.#child = new Deno.Command(program, {
      args,
      cwd: folder,
      env: { HOME: folder },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    void this.#read();
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { id, result } = JSON.parse(line);
        if (result?.isError === true) throw new Error(line);
        this.#waiting.get(id)?.();
      }
    }
  }

  async send(message: object): Promise<void> {
    const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    await this.#input.write(new TextEncoder().encode(line));
  }

  request(method: string, params: object): Promise<void> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      void this.send({ id, method, params });
    });
  }

  call(): Promise<void> {
    return this.request("tools/call", { name: tool, arguments: { path: `${folder}/a.txt` } });
  }

  async end(): Promise<void> {
    await this.#input.close();
    await this.#child.status;
  }
}

/** Milliseconds to begin, of one call, and of one call in a burst. */
interface Times {
  readonly begin: number[];
  readonly call: number[];
  readonly burst: number[];
}

async function measure(words: readonly string[], times: Times): Promise<void> {
  const start = performance.now();
  const client = new Client(words);
  await client.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  times.begin.push(performance.now() - start);
  await client.send({ method: "notifications/initialized" });
  await client.request("tools/list", {});
  await client.call();
  for (let call = 0; call < CALLS; call++) {
    const before = performance.now();
    await client.call();
    times.call.push(performance.now() - before);
  }
  const before = performance.now();
  await Promise.all(Array.from({ length: CALLS }, () => client.call()));
  times.burst.push((performance.now() - before) / CALLS);
  await client.end();
}

function sorted(times: readonly number[]): readonly number[] {
  return times.toSorted((one, other) => one - other);
}

/** The fastest time: on a machine that does other things, too, it says more than the one in the middle. */
function fastest(times: readonly number[]): number {
  return sorted(times)[0] ?? 0;
}

function middle(times: readonly number[]): number {
  return sorted(times)[Math.floor(times.length / 2)] ?? 0;
}

try {
  Deno.mkdirSync(`${folder}/.git`);
  Deno.mkdirSync(`${folder}/.config/caliban`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/a.txt`, "a");
  Deno.writeTextFileSync(
    `${folder}/.config/caliban/permissions.toml`,
    '[permissions]\nallow = ["mcp__files__*"]\n',
  );
  const gate = (cli: string) => [...DENO, ...GATE, cli, "mcp", "--server", "files", "--"];
  const bundle = `${ROOT}dist/caliban.js`;
  const isBundled = await Deno.stat(bundle).then(() => true, () => false);
  const programs = [
    { name: "server", words: server },
    { name: "gate from source", words: [...gate(`${ROOT}cli.ts`), ...server] },
    ...(isBundled ? [{ name: "gate bundled", words: [...gate(bundle), ...server] }] : []),
  ].map((program) => ({ ...program, times: { begin: [], call: [], burst: [] } as Times }));
  // The first round fills the caches.
  for (const { words } of programs) await measure(words, { begin: [], call: [], burst: [] });
  for (let round = 0; round < rounds; round++) {
    for (const { words, times } of programs) await measure(words, times);
  }
  const [plain] = programs;
  const kinds = ["begin", "call", "burst"] as const;
  for (const [title, of] of [["fastest", fastest], ["middle", middle]] as const) {
    console.log([title.padEnd(18), ...kinds.map((kind) => kind.padStart(22))].join(" "));
    for (const { name, times } of programs) {
      const columns = kinds.map((kind) => {
        const [time, base] = [of(times[kind]), of(plain!.times[kind])];
        return `${time.toFixed(2)} ms ${(time / base).toFixed(2).padStart(7)} ×`.padStart(22);
      });
      console.log([name.padEnd(18), ...columns].join(" "));
    }
  }
} finally {
  Deno.removeSync(folder, { recursive: true });
}
