import process from "node:process";

/**
 * Prints the exit status, the CPU time of a program, user and system, in µs, and its most memory, in bytes: `bun bench/cpu_time.ts FILE PROGRAM [WORD]…`. FILE is its
 * input; its output goes to `FILE.out` and `FILE.err`. A shell cuts each to whole milliseconds, which is a twentieth of an empty program.
 */
declare const Bun: {
  readonly file: (path: string) => unknown;
  readonly spawnSync: (
    words: readonly string[],
    streams: Readonly<Record<"stdin" | "stdout" | "stderr", unknown>>,
  ) => {
    readonly exitCode: number;
    readonly resourceUsage: {
      readonly cpuTime: { readonly total: bigint };
      readonly maxRSS: number;
    };
  };
};

const [input = "", ...words] = process.argv.slice(2);
const { exitCode, resourceUsage } = Bun.spawnSync(words, {
  stdin: Bun.file(input),
  stdout: Bun.file(`${input}.out`),
  stderr: Bun.file(`${input}.err`),
});
console.log(exitCode, Number(resourceUsage.cpuTime.total), resourceUsage.maxRSS);
