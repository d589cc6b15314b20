/** The endpoints of GitHub's API for comments of one pull request, on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The token that may write. */
export const TOKEN = "t0ken";

/** A comment as the API gives it. */
export interface StoredComment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** An answer instead of the API's own. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The API, and what came of it. */
export interface GithubApi {
  readonly url: string;
  readonly comments: StoredComment[];
  /** The requests that came in: `GET /repos/owner/name/issues/7/comments?per_page=100&page=1`. */
  readonly requests: string[];
  /** Answers for the next requests, in order. */
  readonly refusals: Refusal[];
  /** The method that a token that only reads cannot use. */
  readonly readOnly: { is: boolean };
}

/** Serves the API of the repository `owner/name` and its pull request 7, while `use` runs. */
export async function withGithubApi(use: (api: GithubApi) => Promise<void>): Promise<void> {
  const state = { comments: [], requests: [], refusals: [], readOnly: { is: false } };
  let api: GithubApi = { url: "", ...state };
  const server = createServer((request, response) => {
    answer(request, api).then(({ status, headers = {}, body }) =>
      send(response, { status, headers, body })
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    api = { ...state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` };
    await use(api);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

interface Answer extends Refusal {
  readonly body: unknown;
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function answer(request: IncomingMessage, api: GithubApi): Promise<Answer> {
  const text = await textOf(request);
  const { method = "", url = "" } = request;
  const { pathname, searchParams } = new URL(url, api.url);
  api.requests.push(`${method} ${url.replace(/^\/api/, "")}`);
  const refusal = api.refusals.shift();
  if (refusal !== undefined) return { ...refusal, body: { message: "no\n::error::no" } };
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
  const issues = "/api/repos/owner/name/issues";
  if (method === "GET" && pathname === `${issues}/7/comments`) return list(api, searchParams);
  if (api.readOnly.is) return { status: 403, body: {} };
  const { body } = JSON.parse(text) as { body: string };
  if (body.length > 65_536) return { status: 422, body: {} };
  if (method === "POST" && pathname === `${issues}/7/comments`) {
    const comment = { id: api.comments.length + 1, user: { login: "github-actions[bot]" }, body };
    api.comments.push(comment);
    return { status: 201, body: comment };
  }
  const id = /\/comments\/(\d+)$/.exec(pathname)?.[1];
  const found = api.comments.find((each) => `${each.id}` === id);
  if (method !== "PATCH" || found === undefined) return { status: 404, body: {} };
  found.body = body;
  return { status: 200, body: found };
}

function list({ comments, url }: GithubApi, search: URLSearchParams): Answer {
  const [size, page] = [Number(search.get("per_page") ?? 30), Number(search.get("page") ?? 1)];
  const next = comments.length > size * page;
  return {
    status: 200,
    headers: next
      ? { link: `<${url}/x?page=${page + 1}>; rel="next", <${url}/x>; rel="last"` }
      : {},
    body: comments.slice(size * (page - 1), size * page),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}
