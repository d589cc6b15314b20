/** Patches in Codex's form with a few slips in each, as a seeded generator makes them. */

/** The files that a folder holds before a patch, by path. */
export const FILES: Readonly<Record<string, string>> = {
  "o.txt": "old\n",
  "p.txt": "old\n",
  "d/x.txt": "old\n",
  "secret/x": "old\n",
  ".env": "old\n",
};

type Pick = <T>(all: readonly T[]) => T;

/** A generator of choices: xorshift over 32 bits. */
export function picker(seed: number): Pick {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (all) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return all[state % all.length]!;
  };
}

const CHARACTERS = [
  ..." \t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u180e\u2000\u2003\u200a\u200b\u200d\u2028\u2029",
  ..."\u202f\u205f\u2060\u3000\ufeff\u00ad\u034f\u115f\u3164\uffa0\u{e0020}\x01\x08\x1b\x7f",
];
const PATHS = [
  ...Object.keys(FILES),
  "a",
  "new/b.txt",
  ".git/hooks/pre-commit",
  "a b",
  "b:c",
  ".env:x",
  '"q"',
  "'q'",
  "@a",
  "~/a",
  "./x",
  "d/../y",
  "../ws/up",
  "sec\tret/x",
  ".e\rnv",
  ".\t./ws/z",
  "\t/lead",
  "ünï.txt",
  "e\u0301",
  "back\\slash",
  "%2e",
  "*** Add File: in",
  "a/",
  "--",
];
const KINDS = ["Add", "Add", "Add", "Update", "Update", "Delete", "Move", "Rename", "New"];
const NOISE = [
  "*** End of File",
  "*** Environment ID: local",
  "***",
  "*** ",
  "*** Add File:",
  "****** Add File: z",
  "+*** Add File: plus",
  " *** Add File: blank",
  "-*** Delete File: .env",
  "@@ *** Add File: at",
  "*** Begin Patch",
  "",
];

/** A patch of one to four headers. */
export function patchText(pick: Pick): string {
  // Most places are as they should be, so that most patches are applied.
  let left = pick([1, 1, 1, 2]);
  const slip = (right: string, wrong: readonly string[]): string => {
    if (left === 0 || pick([0, 1, 2, 3, 4]) > 0) return right;
    left--;
    return pick(wrong);
  };
  const edge = () => slip("", [pick(CHARACTERS), pick(CHARACTERS) + pick(CHARACTERS)]);
  const end = () => slip("\n", ["\r\n", "\r", "\r\r\n", `${pick(CHARACTERS)}\n`, "\u2028\n"]);
  const header = (words: string, path: string) =>
    `${edge()}***${slip(" ", ["", "  ", pick(CHARACTERS)])}${
      slip(words, [words.toLowerCase(), words.toUpperCase(), words.replace(" ", pick(CHARACTERS))])
    }:${slip(" ", ["", "  ", pick(CHARACTERS), ` ${pick(CHARACTERS)}`])}${path}${edge()}${end()}`;
  let text = "";
  const files = Object.keys(FILES);
  const count = pick([1, 1, 2, 2, 3, 4]);
  for (let index = 0; index < count; index++) {
    const kind = pick(KINDS);
    const path = pick(kind === "Update" || kind === "Delete" ? [files.pop() ?? "a"] : PATHS);
    const words = kind === "Rename" || kind === "New"
      ? slip("Add File", [`${kind} File`])
      : `${kind} File`;
    if (words === "Move File") {
      text += header("Update File", files.pop() ?? "a");
      text += `${header("Move to", path)}@@\n-old\n+new\n`;
    } else if (words === "Update File") text += `${header(words, path)}@@\n-old\n+new\n`;
    else if (words === "Delete File") text += header(words, path);
    else text += `${header(words, path)}+x${end()}`;
    text += slip("", NOISE.map((line) => `${line}\n`));
  }
  const whole = `${edge()}*** Begin Patch${end()}${text}${edge()}*** End Patch${
    slip("", ["\n", pick(CHARACTERS)])
  }`;
  return slip(whole, [`<<'EOF'\n${whole}\nEOF`, `<<EOF\n${whole}\nEOF`, `\n\n${whole}\n`]);
}
