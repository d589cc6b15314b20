/** Runs lines of the corpus in a real shell, with a harmless payload that leaves a file. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

interface PayloadLine {
  readonly command: string;
  /** Further files, executable when they begin with `#!`. */
  readonly files?: Readonly<Record<string, string>>;
}

const FILES: Readonly<Record<string, string>> = {
  "payload": '#!/bin/sh\necho >"$PROOF"\n',
  "f0": "",
  "src/a.ts": "",
};

/** True if the line runs `payload`, which is in its folder and on its PATH. */
export function runsPayload(
  shell: "zsh" | "dash" | "busybox",
  { command, files = {} }: PayloadLine,
): boolean {
  const top = mkdtempSync(join(tmpdir(), "caliban-payload-"));
  try {
    const [work, proof] = [join(top, "work"), join(top, "proof")];
    for (const [name, text] of Object.entries({ ...FILES, ...files })) {
      const path = join(work, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      if (text.startsWith("#!")) chmodSync(path, 0o755);
    }
    const words = { zsh: ["-f", "-c"], dash: ["-c"], busybox: ["sh", "-c"] }[shell];
    spawnSync(shell, [...words, command], {
      cwd: work,
      env: { PATH: `${work}:${process.env["PATH"]}`, HOME: work, PROOF: proof, LC_ALL: "C.UTF-8" },
      stdio: "ignore",
      timeout: 5000,
    });
    return existsSync(proof);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
