import assert from "node:assert/strict";
import { test } from "node:test";
import { Automata } from "../../lib/analysis/automata/automaton.ts";
import { includes, type State, symbolsOf } from "../../lib/analysis/automata/state.ts";
import { commandDomain } from "../../lib/analysis/languages/command_language.ts";
import { isPlain } from "../../lib/analysis/precision.ts";
import { findWord } from "../../lib/analysis/automata/find_words.ts";
import { pathDomain } from "../../lib/analysis/languages/path_language.ts";
import { testLanguage } from "../../lib/analysis/languages/rule_language.ts";
import { urlDomain } from "../../lib/analysis/languages/url_language.ts";
import { normalPath } from "../../lib/pattern/path/normal_path.ts";
import { parsePattern, type ValueTest } from "../../lib/pattern/parse_pattern.ts";
import { parseSpecifier } from "../../lib/pattern/parse_specifier.ts";
import { callUrl } from "../../lib/pattern/url/call_url.ts";
import { type MatcherContext, textMatcher } from "../../lib/policy/compile/value_matcher.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import { cases, enough } from "../support/cases.ts";
import { CONTEXT, policyOf } from "../support/policy.ts";
import { randomFrom } from "../support/random.ts";

const POLICY = policyOf([]);
const POLICIES = [POLICY, policyOf([], { context: { ignoreCase: true } })];

interface Kind {
  readonly tool: string;
  readonly pieces: readonly string[];
  /** The beginnings of texts. */
  readonly starts: readonly string[];
  readonly texts: readonly string[];
  readonly most: number;
}

const PATHS: Kind = {
  tool: "Write",
  pieces: ["a", "b", "/", "*", "**", "?", "{a,b}", "[ab]", "[!a]", "~/", "./", "A"],
  starts: [""],
  texts: ["/a", "/b", "/A", "/home/u", "/ws", "/ab", "/[ab]", "/.x"],
  most: 5,
};
const URLS: Kind = {
  tool: "WebFetch",
  pieces: ["https://", "http*://", "a", "b", ".", "*", "/", "?", ":8", "domain:", "x"],
  starts: ["https://a", "http://b.x", "https://b.a:8/", "http://a/", "https://a/b?a"],
  texts: ["a", "b", ".x", ":8", "/", "?a"],
  most: 6,
};
const COMMANDS: Kind = {
  tool: "Bash",
  pieces: ["a", "b", " ", "*", "?", " *", "~"],
  starts: [""],
  texts: ["a", "b", " a", " b", "A"],
  most: 5,
};

function tests({ tool, pieces, most }: Kind, count: number): readonly ValueTest[] {
  const random = randomFrom(7);
  const found: ValueTest[] = [];
  while (found.length < count) {
    const pattern = parsePattern(`${tool}:${random.text(pieces, most)}`);
    const spec = pattern.ok ? parseSpecifier(pattern.value, POLICY.profiles.get(tool)) : undefined;
    if (spec?.ok && spec.value.kind === "argument") found.push(spec.value.test);
  }
  return found;
}

function agree(kind: Kind, isLooked: (text: string) => boolean): number {
  const automata = new Automata();
  const random = randomFrom(11);
  let fitting = 0;
  for (const test of tests(kind, cases(60))) {
    for (const semantics of ["must", "may"] as const) {
      for (const ignoreCase of [false, true]) {
        const context = { ...CONTEXT, ignoreCase };
        const reading: MatcherContext = { semantics, shell: "parsed", context };
        const { yes } = testLanguage(test, { automata, reading });
        const matches = textMatcher(test, reading);
        for (let times = 0; times < 20; times++) {
          const text = random.pick(kind.starts) + random.text(kind.texts, kind.most);
          if (!isLooked(text)) continue;
          const policy = POLICIES[Number(ignoreCase)]!;
          const [key = ""] = policy.profiles.get(kind.tool).firstArg ?? [];
          const request = policy.request({ tool: kind.tool, input: { [key]: text } });
          const fits = matches(text, request) === "yes";
          fitting += Number(fits);
          const shown = JSON.stringify({ test, semantics, ignoreCase, text });
          assert.equal(includes(yes, symbolsOf(text)), fits, shown);
        }
      }
    }
  }
  return fitting;
}

test("a path's automaton fits what its matcher fits", () => {
  assert.ok(agree(PATHS, isNormal) > enough(20));
});

test("a URL's automaton fits what its matcher fits", () => {
  const domain = urlDomain(new Automata());
  assert.ok(agree(URLS, (text) => includes(domain, symbolsOf(text))) > enough(5));
});

test("a command's automaton fits what its matcher fits", () => {
  assert.ok(agree(COMMANDS, (text) => isPlain(readLine(text))) > enough(20));
});

function isNormal(text: string): boolean {
  const path = normalPath(text, { platform: "linux", cwd: "/" });
  return path.ok && path.path === text;
}

/** Random texts of a domain, and the shortest word that it has. */
function wordsOf(domain: State, { starts, texts, most }: Kind): readonly string[] {
  const random = randomFrom(3);
  const found = new Set<string>();
  for (let times = 0; times < cases(8_000); times++) {
    const text = random.pick(starts) + random.text(texts, most);
    if (includes(domain, symbolsOf(text))) found.add(text);
  }
  const first = findWord({ all: [domain], none: [] }, { left: 100_000 });
  assert.ok(first !== undefined && first !== "spent");
  return [...found, String.fromCodePoint(...first)];
}

test("every path that is looked at is absolute and normal", () => {
  const domain = pathDomain({ automata: new Automata(), context: CONTEXT });
  const words = wordsOf(domain, { ...PATHS, texts: [...PATHS.texts, "/", ".", "\0"] });
  assert.ok(words.length > enough(20));
  assert.deepEqual(words.filter((text) => !isNormal(text)), []);
});

test("every path on Windows that is looked at is absolute and normal", () => {
  const context = { ...CONTEXT, platform: "windows" } as const;
  const domain = pathDomain({ automata: new Automata(), context });
  const pieces = ["C:/", "c:", "a", "/", ".", " ", "~1", ":", "\\", "b"];
  const words = wordsOf(domain, { ...PATHS, starts: ["C:/", ""], texts: pieces });
  const odd = words.filter((text) => {
    const path = normalPath(text, { platform: "windows", cwd: "C:/" });
    return !path.ok || path.path !== text;
  });
  assert.deepEqual(odd, []);
  assert.ok(words.length > enough(20));
});

test("every URL that is looked at is as the platform writes it", () => {
  const pieces = [...URLS.texts, "?", "#", "%61", "1.2.3.4", ".", "..", "-", "@", ":443", "9", "A"];
  const words = wordsOf(urlDomain(new Automata()), { ...URLS, texts: pieces });
  const odd = words.filter((text) => {
    const url = callUrl(text);
    return !url.ok || url.href !== text;
  });
  assert.deepEqual(odd, []);
  assert.ok(words.length > enough(20));
});

test("commands that are looked at mean themselves", () => {
  const pieces = ["git", "a", "-b", " ", "=", "/", "'", "$", ";", "~", "#", "é", "*"];
  const words = wordsOf(commandDomain(new Automata()), { ...COMMANDS, texts: pieces });
  assert.ok(words.length > enough(20));
  const odd = words.filter((text) => {
    const { effects } = readLine(text);
    return effects[0]!.kind !== "command" || effects[0]!.text !== text ||
      effects[0]!.allowTexts[0]!.minLiteral > 0;
  });
  assert.deepEqual(odd, []);
});
