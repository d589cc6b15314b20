/**
 * Keeps one comment of a pull request about a workspace: made once, found again by a hidden marker, updated in place. Everything
 * comes through variables of action.yml. Without a token that may write, one sentence in the summary of the run says so, and the
 * status is 0: the table stands in the summary in any case.
 */
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import process from "node:process";

/** Pages of comments that are looked through, of 100 each. */
const PAGES = 50;

/** The longest wait for a limit of the API to end, in seconds; how often; and the time of one request, in ms. */
const [LONGEST_WAIT, WAITS, TIMEOUT] = [60, 2, 30_000];

/** Why there is no comment, as the end of a sentence. */
class Refused extends Error {}

/** The address, the pull request and the author of the comment. */
interface Place {
  /** The address of the comments: `https://api.github.com/repos/OWNER/NAME/issues`. */
  readonly issues: string;
  readonly number: string;
  readonly token: string;
  /** The login that the token writes as. */
  readonly author: string;
  /** The first line of the comment. */
  readonly marker: string;
}

/** A comment, as far as it is read. */
interface Comment {
  readonly id: number;
  readonly body: string;
}

/** Creates, updates or leaves the comment; answers which. Throws Refused where the API does not let it. */
async function publish(place: Place, text: string): Promise<string> {
  const { issues, number, marker } = place;
  const body = `${marker}\n${text}`;
  const own = await find(place);
  if (own === undefined) {
    // A pull request that changes no rule gets no comment; one that did and does no more, is told.
    if (!/^\| \| rule /m.test(text)) return "No comment is needed";
    await send(place, { method: "POST", url: `${issues}/${number}/comments`, body });
    return "Created the comment";
  }
  if (normal(own.body) === normal(body)) return "The comment is up to date";
  await send(place, { method: "PATCH", url: `${issues}/comments/${own.id}`, body });
  return "Updated the comment";
}

/** The first comment that begins with the marker. One of somebody else is not taken for it, who could change it later. */
async function find(place: Place): Promise<Comment | undefined> {
  const { issues, number, marker, author } = place;
  for (let page = 1; page <= PAGES; page++) {
    const url = `${issues}/${number}/comments?per_page=100&page=${page}`;
    const response = await send(place, { method: "GET", url });
    const comments: unknown = await response.json().catch(() => undefined);
    if (!Array.isArray(comments)) {
      throw new Refused("the API answered something else than comments");
    }
    const own = comments.find((each) =>
      typeof each?.body === "string" && each.body.startsWith(marker) &&
      each.user?.login === author && Number.isSafeInteger(each.id)
    );
    if (own !== undefined) return own;
    if (!/;\s*rel="?next"?/.test(response.headers.get("link") ?? "")) return undefined;
  }
  throw new Refused("the pull request has too many comments");
}

interface Request {
  readonly method: "GET" | "POST" | "PATCH";
  readonly url: string;
  readonly body?: string;
}

async function send({ token }: Place, { method, url, body }: Request): Promise<Response> {
  for (let waits = 0;; waits++) {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "user-agent": "caliban",
        "x-github-api-version": "2022-11-28",
      },
      // The token goes nowhere else.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
      ...(body === undefined ? {} : { body: JSON.stringify({ body }) }),
    }).catch(() => {
      throw new Refused("the API cannot be reached");
    });
    if (response.ok) return response;
    const wait = waitOf(response);
    if (wait === undefined) throw new Refused(refusal(response.status));
    if (wait > LONGEST_WAIT || waits === WAITS) {
      throw new Refused("the API limits the requests of this token for now");
    }
    await new Promise((go) => setTimeout(go, wait * 1000));
  }
}

/** The seconds that a limit of the API lasts; undefined where it is none. */
function waitOf({ status, headers }: Response): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const [after, left, reset] = ["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"]
    .map((name) => /^\d{1,12}$/.exec(headers.get(name) ?? "")?.[0]);
  if (after !== undefined) return Number(after);
  if (left === "0") return Math.max(1, Number(reset ?? Infinity) - Date.now() / 1000);
  return status === 429 ? Infinity : undefined;
}

function refusal(status: number): string {
  if (status === 401) return "the API does not know the token";
  if (status !== 403 && status !== 404) return `the API answered ${status}`;
  return "the token may not write one, as in a pull request from a fork; elsewhere the job needs `pull-requests: write`";
}

function normal(body: string): string {
  return body.replaceAll("\r\n", "\n").trim();
}

/** The place that the variables name. Throws Refused where one is missing. */
function placeOf(env: (name: string) => string): Place {
  const [api, repository, number, token, workspace] = [
    "GITHUB_API_URL",
    "GITHUB_REPOSITORY",
    "NUMBER",
    "TOKEN",
    "WORKSPACE",
  ].map(env) as [
    string,
    string,
    string,
    string,
    string,
  ];
  if (token === "") throw new Refused("there is no token");
  const isWhole = /^https?:\/\/[^\s?#]+$/.test(api) && /^\d{1,12}$/.test(number) &&
    /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (!isWhole) throw new Refused("the pull request is not known");
  const key = createHash("sha256").update(workspace.replace(/\/+$/, "")).digest("hex");
  return {
    issues: `${api.replace(/\/+$/, "")}/repos/${repository}/issues`,
    number,
    token,
    author: env("AUTHOR"),
    marker: `<!-- caliban-action ${key.slice(0, 16)} -->`,
  };
}

/** The report, below the name of its folder where that is another than the checkout. */
function textOf(report: string, workspace: string): string {
  const named = workspace !== "." && /^[\w./-]+$/.test(workspace);
  return named
    ? `<sub>in <code>${workspace.replaceAll("_", "&#95;")}</code></sub>\n\n${report}`
    : report;
}

async function main(): Promise<void> {
  const env = (name: string) => process.env[name] ?? "";
  const report = readFileSync(env("REPORT"), "utf8");
  if (report.trim() === "") {
    console.log("There is no comparison to write about");
    return;
  }
  try {
    console.log(await publish(placeOf(env), textOf(report, env("WORKSPACE"))));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const sentence = `No comment on the pull request: ${error.message}.`;
    console.log(sentence);
    appendFileSync(env("GITHUB_STEP_SUMMARY"), `\n${sentence}\n`);
  }
}

await main();
