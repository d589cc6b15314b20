import type { Job, Report } from "./worker.ts";

/** Memory of a process, in MB: a mutant must not take the machine. */
const HEAP = 3000;
const POLL = 100;

/** The end of a process: by itself, with an error, or because it said nothing for too long. */
export type Ending = "ended" | "died" | "hung";

/** Runs a worker in the tree `root` and hands on its reports. */
export async function runWorker(
  root: string,
  job: Job,
  { silentMs, onReport }: {
    readonly silentMs: number;
    readonly onReport: (report: Report) => void;
  },
): Promise<Ending> {
  const folder = Deno.makeTempDirSync({ prefix: "caliban-mutants-" });
  const [input, output] = [`${folder}/job.json`, `${folder}/reports.jsonl`];
  Deno.writeTextFileSync(input, JSON.stringify(job));
  Deno.writeTextFileSync(output, "");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-all",
      "--no-check",
      "--quiet",
      `--v8-flags=--max-old-space-size=${HEAP}`,
      `--config=${root}deno.json`,
      `${root}scripts/mutants/worker.ts`,
      input,
      output,
      "--cases=few:1",
    ],
    cwd: root,
    env: { NO_COLOR: "1", ...(job.loadedWith > 0 ? { CALIBAN_MUTANT: `${job.loadedWith}` } : {}) },
    stdin: "null",
    stdout: "null",
    stderr: Deno.env.get("CALIBAN_MUTANTS_DEBUG") ? "inherit" : "null",
  }).spawn();
  try {
    return await followed(child, output, { silentMs, onReport });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function followed(
  child: Deno.ChildProcess,
  output: string,
  { silentMs, onReport }: {
    readonly silentMs: number;
    readonly onReport: (report: Report) => void;
  },
): Promise<Ending> {
  let ending: Ending | undefined;
  child.status.then(({ success }) => ending ??= success ? "ended" : "died");
  const lines = linesOf(output);
  let heard = performance.now();
  while (true) {
    const isOver = ending !== undefined;
    for (const line of lines()) {
      heard = performance.now();
      onReport(JSON.parse(line) as Report);
    }
    if (isOver) return ending!;
    if (performance.now() - heard > silentMs) {
      ending = "hung";
      child.kill("SIGKILL");
      await child.status;
      return ending;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

/** Reads the lines that were added since the last call. */
function linesOf(path: string): () => readonly string[] {
  const file = Deno.openSync(path);
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 16);
  let rest = "";
  return () => {
    for (let size = file.readSync(buffer); size; size = file.readSync(buffer)) {
      rest += decoder.decode(buffer.subarray(0, size), { stream: true });
    }
    const lines = rest.split("\n");
    rest = lines.pop()!;
    return lines;
  };
}
