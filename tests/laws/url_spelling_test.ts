/** The spellings of one URL, and rules that deny it as they are written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { differences } from "../../lib/analysis/differences.ts";
import { enough } from "../support/cases.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const { array, constantFrom, nat, record, tuple } = fc;
const ALLOW: TestRule = { pattern: "WebFetch", action: "allow" };

const parts = record({
  scheme: constantFrom("https", "http", "ftp", "git+ssh", "svn+http", "wss"),
  host: constantFrom("docs.example.com", "x.org", "127.0.0.1", "a-b.example"),
  port: constantFrom("", ":8080"),
  path: constantFrom("/", "/a", "/a/b.txt", "/s?q=\u00e4b", "/\u00e9/x", "/a;b=1", "/A%2Fb"),
});

/** Ways to write a URL that parsers undo (WHATWG URL): each changes one place, given a number. */
const SPELLINGS: readonly ((url: string, at: number) => string)[] = [
  (url) => url,
  (url) => url.replace(/^[^:]+/, (scheme) => scheme.toUpperCase()),
  (url) => url.replace(/(?<=:\/\/)[^/:]+/, (host) => host.toUpperCase()),
  (url) => url.replace(/(?<=:\/\/[^/:]*)\.(?=[^./:]*[/:])/, "."),
  (url) => url.replace(/(?<=:\/\/[a-z][^/:]*)(?=[/:])/, "."),
  (url) => url.replace(/^(https:\/\/[^/:]*)(?=\/)/, "$1:443"),
  (url) => url.replace(/^(http:\/\/[^/:]*)(?=\/)/, "$1:80"),
  (url, at) => escaped(url, at),
  (url, at) => escaped(url, at).replace(/%[0-9A-F]{2}/g, (it) => it.toLowerCase()),
  (url) => url.replace(/[\u0080-\uffff]/gu, (char) => encodeURIComponent(char)),
  (url) => `${url}#x`,
  (url) => url.replace(/(?<=:\/\/[^/]+)\//, "/./"),
  (url) => url.replace(/(?<=:\/\/[^/]+)\//, "/q/../"),
];

/** The URL with one letter of its path as an escape. */
function escaped(url: string, at: number): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const letters = [...url.slice(start).matchAll(/(?<!%[0-9A-F]?)[a-z]/g)].map(({ index }) =>
    start + index
  );
  const place = letters[at % letters.length];
  if (place === undefined) return url;
  return `${url.slice(0, place)}%${url.charCodeAt(place).toString(16).toUpperCase()}${
    url.slice(place + 1)
  }`;
}

/** Patterns that name a URL: it, its host, its scheme, with upper case in the host and wildcards. */
const PATTERNS:
  readonly ((url: { scheme: string; host: string; port: string; path: string }) => string)[] = [
    ({ scheme, host, port, path }) => `${scheme}://${host}${port}${path}`,
    ({ scheme, host, port }) => `${scheme}://${host}${port}/*`,
    ({ scheme, host, port, path }) =>
      `${scheme}://${host[0]!.toUpperCase()}${host.slice(1)}${port}${path}`,
    ({ scheme, host, port, path }) => `${scheme}://${host.toUpperCase()}${port}${path}`,
    ({ scheme, host, port, path }) => `${scheme}://${host}${port}${path.slice(0, -1) || "/"}*`,
    ({ scheme, host, port, path }) =>
      `${scheme}://${host.toUpperCase()}${port}${path.slice(0, -1) || "/"}*`,
    ({ host }) => `domain:${host}`,
    ({ host, port, path }) => `*://${host}${port}${path}`,
    ({ scheme }) => `${scheme}://*`,
  ];

test("a URL that a rule denies is denied in every spelling, or cannot be evaluated", () => {
  let [denied, respelled] = [0, 0];
  fc.assert(
    fc.property(
      parts,
      constantFrom(...PATTERNS),
      array(tuple(constantFrom(...SPELLINGS), nat(9)), { minLength: 1, maxLength: 3 }),
      (its, patternOf, ways) => {
        const url = `${its.scheme}://${its.host}${its.port}${its.path}`;
        const pattern = `WebFetch:${patternOf(its).replaceAll("?", "\\?")}`;
        const policy = policyOf([{ pattern, action: "deny" }, ALLOW]);
        const written = ways.reduce((made, [way, at]) => way(made, at), url);
        assert.equal(
          evaluate(policy, { tool: "WebFetch", input: { url } }).action,
          "deny",
          `${pattern}: ${url}`,
        );
        const { action } = evaluate(policy, { tool: "WebFetch", input: { url: written } });
        assert.notEqual(action, "allow", `${pattern}: ${written}`);
        denied++;
        if (written !== url) respelled++;
      },
    ),
    { numRuns: 2_000, seed: 31 },
  );
  assert.ok(denied > enough(1_500) && respelled > enough(1_000), `${denied}, ${respelled}`);
});

test("a file: URL is denied with the file that it names, however it is escaped", () => {
  const files = constantFrom(
    "/home/u/.ssh/id_rsa",
    "/etc/a b",
    "/home/u/ws/\u00fcb/x",
    "/etc/passwd",
  );
  const policy = policyOf([
    { pattern: "Read:~/.ssh/**", action: "deny" },
    { pattern: "Read:/etc/**", action: "deny" },
    { pattern: "Read:\u00fcb/**", action: "deny" },
    ALLOW,
  ]);
  fc.assert(
    fc.property(
      files,
      array(nat(40), { maxLength: 4 }),
      constantFrom("file://", "FILE://", "file:", "file://localhost"),
      (path, places, scheme) => {
        const bytes = [...new TextEncoder().encode(path)];
        const text = bytes.map((byte, at) => {
          const char = String.fromCharCode(byte);
          const mustBe = byte > 0x7e || byte === 0x20;
          return mustBe || places.includes(at) && char !== "/" ? `%${byte.toString(16)}` : char;
        }).join("");
        const { action } = evaluate(policy, {
          tool: "WebFetch",
          input: { url: `${scheme}${text}` },
        });
        assert.notEqual(action, "allow", `${scheme}${text}`);
      },
    ),
    { numRuns: 1_000, seed: 32 },
  );
});

test("a user name in a URL, of whatever scheme, makes no allow", () => {
  fc.assert(
    fc.property(
      parts,
      constantFrom("a", "good.example", "a:b", "x.org", "%61"),
      ({ scheme, host, port, path }, user) => {
        const policy = policyOf([{ pattern: `WebFetch:${scheme}://${host}/*`, action: "allow" }]);
        const url = `${scheme}://${user}@${host}${port}${path}`;
        assert.notEqual(
          evaluate(policy, { tool: "WebFetch", input: { url } }).action,
          "allow",
          url,
        );
      },
    ),
    { numRuns: 300, seed: 33 },
  );
});

test("an allow below a deny of the same URL, in another spelling, shows no difference where it is taken away", () => {
  let compared = 0;
  fc.assert(
    fc.property(parts, constantFrom(...PATTERNS), (its, patternOf) => {
      const deny: TestRule = {
        pattern: `WebFetch:${patternOf(its).replaceAll("?", "\\?")}`,
        action: "deny",
      };
      const allow: TestRule = {
        pattern: `WebFetch:${its.scheme}://${its.host}${its.port}${
          its.path.replaceAll("?", "\\?")
        }`,
        action: "allow",
      };
      const { groups } = differences(policyOf([deny, allow]), policyOf([deny]));
      for (const { witness, was, now } of groups) {
        // The engine gives the verdicts that the analysis claims.
        assert.equal(evaluate(policyOf([deny, allow]), witness).action, was.action);
        assert.equal(evaluate(policyOf([deny]), witness).action, now.action);
      }
      assert.deepEqual(groups, [], `${deny.pattern}; ${allow.pattern}`);
      compared++;
    }),
    { numRuns: 60, seed: 34 },
  );
  assert.ok(compared > enough(40));
});
