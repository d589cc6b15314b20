// The gate of an MCP server as a process: what it starts, passes on, remembers and leaves behind.
import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { test } from "node:test";
import type { JsonObject } from "../../lib/model/call.ts";
import {
  commandOf,
  type Ended,
  endOf,
  finish,
  HERE,
  start,
  starter,
  TRIED,
  without,
} from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const SERVER_FILE = join(REPO, "tests/support/mcp_server.ts");

/** The command that starts the server of the tests. */
const SERVER = HERE === "deno"
  ? [
    commandOf("deno"),
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    "--allow-read",
    SERVER_FILE,
  ]
  : [commandOf("bun"), SERVER_FILE];

const POLICY = `[[permissions.rules]]
pattern = "mcp__demo__danger"
action = "deny"

[[permissions.rules]]
pattern = "mcp__demo__*"
action = "allow"
`;

/** A client with its server behind the gate. */
class Client {
  readonly folder: string;
  readonly ended: Promise<Ended>;
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  #id = 0;

  constructor(
    folder: string,
    { program, server = [...SERVER, "read", "danger"] }: {
      program: typeof TRIED[number];
      server?: readonly string[];
    },
  ) {
    this.folder = folder;
    const words = starter(program, ["read", "env", "write", "run"]);
    this.child = start([...words, "mcp", "--server", "demo", "--", ...server], placeIn(folder));
    this.#reader = createInterface({ input: this.child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.ended = endOf(this.child);
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async next(): Promise<JsonObject> {
    const { value, done } = await this.#lines.next();
    return done === true ? {} : JSON.parse(value);
  }

  async request(method: string, params: object = {}): Promise<JsonObject> {
    this.send({ id: ++this.#id, method, params });
    const answer = await this.next();
    assert.equal(answer.id, this.#id, JSON.stringify(answer));
    return answer;
  }

  /** Begins, and asks for the tools. */
  async begin(capabilities: object = {}): Promise<readonly string[]> {
    await this.request("initialize", { capabilities });
    const { result } = await this.request("tools/list");
    return (result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);
  }

  /** `ran`, or why not. */
  async call(name: string): Promise<string> {
    const { result } = await this.request("tools/call", { name, arguments: {} });
    const { isError, content } = result as unknown as {
      isError?: true;
      content: { text: string }[];
    };
    return isError ? content[0]!.text : "ran";
  }

  async end(): Promise<Ended> {
    this.child.stdin.end();
    return await this.ended;
  }
}

function placeIn(folder: string) {
  return { cwd: join(folder, "work"), env: { HOME: join(folder, "home") } };
}

function policyFile(folder: string): string {
  return join(folder, "home/.config/caliban/permissions.toml");
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  await withTempDir(async (folder) => {
    mkdirSync(join(folder, "work/.git"), { recursive: true });
    mkdirSync(dirname(policyFile(folder)), { recursive: true });
    writeFileSync(policyFile(folder), POLICY);
    await use(folder);
  });
}

/** True while a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(
      existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "",
    );
  } catch {
    return false;
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let times = 0; times < 100 && isAlive(pid); times++) {
    await new Promise((go) => setTimeout(go, 50));
  }
  return !isAlive(pid);
}

/** A server that writes its process id and that of a child of its, and then behaves as the script says. */
function shellServer(folder: string, script: string): readonly string[] {
  const text = `sleep 600 & echo "$$ $!" > "${folder}/pids"; ${script}`;
  return ["/bin/sh", "-c", text];
}

/** Writes messages without end. */
const FLOOD =
  'while :; do echo \'{"jsonrpc":"2.0","method":"notifications/message","params":{}}\'; done';

async function pidsIn(folder: string): Promise<readonly number[]> {
  const path = join(folder, "pids");
  while (!existsSync(path) || !readFileSync(path, "utf8").endsWith("\n")) {
    await new Promise((go) => setTimeout(go, 20));
  }
  return readFileSync(path, "utf8").trim().split(" ").map(Number);
}

for (const program of TRIED) {
  const options = { skip: without(program), timeout: 60_000 };

  test(
    `calls are decided, the rest passes, and the policy is read again: ${program}`,
    options,
    () =>
      inFolder(async (folder) => {
        const client = new Client(folder, { program });
        assert.deepEqual(await client.begin(), ["read"]);
        assert.equal(await client.call("read"), "ran");
        assert.match(await client.call("danger"), /^caliban: the deny rule `mcp__demo__danger`/);
        writeFileSync(policyFile(folder), "rules = [");
        assert.match(
          await client.call("read"),
          /^caliban: the call is stopped without a decision: \S+:1:/,
        );
        writeFileSync(policyFile(folder), '[permissions]\ndeny = ["mcp__demo__read"]\n');
        assert.match(await client.call("read"), /the deny rule `mcp__demo__read`/);
        writeFileSync(policyFile(folder), POLICY);
        assert.equal(await client.call("read"), "ran");
        const { status, stderr } = await client.end();
        assert.equal(status, 0);
        assert.match(stderr, /^the server is here$/m);
        assert.deepEqual(stderr.match(/^called .*$/gm), ["called read", "called read"]);
      }),
  );

  test(
    `tools are pinned until a person accepts another definition: ${program}`,
    options,
    () =>
      inFolder(async (folder) => {
        const first = new Client(folder, { program });
        await first.begin();
        await first.end();
        const server = [...SERVER, "read", "danger"];
        const changed = [...SERVER.slice(0, -1), join(folder, "server.ts"), "read", "danger"];
        // The command is the same, and what it starts has changed.
        writeFileSync(join(folder, "server.ts"), readFileSync(SERVER_FILE, "utf8"));
        const pinned = new Client(folder, { program, server: changed });
        await pinned.begin();
        assert.equal(await pinned.call("read"), "ran");
        await pinned.end();
        writeFileSync(
          join(folder, "server.ts"),
          readFileSync(SERVER_FILE, "utf8").replace(
            "name, description,",
            'name, description: "Send all",',
          ),
        );
        const next = new Client(folder, { program, server: changed });
        await next.begin();
        assert.match(
          await next.call("read"),
          /has changed its definition.*"caliban mcp trust --server demo"/,
        );
        const words = starter(program, ["read", "env", "write"]);
        const shown = await finish([...words, "mcp", "trust", "--yes"], placeIn(folder));
        assert.equal(shown.status, 0, shown.stderr);
        assert.match(
          shown.stdout,
          /The tool "read" of demo .* has changed:\n[^]*\+ *"description": "Send all"/,
        );
        assert.equal(await next.call("read"), "ran", "accepted while it runs");
        await next.end();
        const other = new Client(folder, { program, server });
        await other.begin();
        assert.equal(await other.call("read"), "ran", "another command is another server");
        await other.end();
      }),
  );

  test(`a person is asked by the client: ${program}`, options, () =>
    inFolder(async (folder) => {
      writeFileSync(policyFile(folder), '[permissions]\nask = ["mcp__demo__read"]\n');
      const client = new Client(folder, { program });
      await client.begin({ elicitation: {} });
      for (const answer of ["yes, this once", "no"]) {
        client.send({ id: answer, method: "tools/call", params: { name: "read" } });
        const { id, method } = await client.next();
        assert.equal(method, "elicitation/create");
        client.send({ id, result: { action: "accept", content: { answer } } });
        const { result } = await client.next();
        assert.equal((result as JsonObject).isError === true, answer === "no");
      }
      await client.end();
    }));

  test(
    `a server that dies ends the gate with its status: ${program}`,
    options,
    () =>
      inFolder(async (folder) => {
        const client = new Client(folder, { program, server: [...SERVER, "die"] });
        await client.begin();
        client.send({ id: 9, method: "tools/call", params: { name: "die" } });
        assert.equal((await client.ended).status, 7);
      }),
  );

  test(
    `a last line without a newline is decided too: ${program}`,
    options,
    () =>
      inFolder(async (folder) => {
        const words = starter(program, ["read", "env", "write", "run"]);
        const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "danger" } };
        const ended = await finish([...words, "mcp", "--server", "demo", "--", "cat"], {
          ...placeIn(folder),
          input: `{"jsonrpc":"2.0","id":2,"method":"ping"}\n${JSON.stringify(call)}`,
        });
        assert.equal(ended.status, 0);
        // The server sends back what it gets.
        assert.deepEqual(ended.stdout.split("\n").filter((line) => line.includes('"method"')), [
          '{"jsonrpc":"2.0","id":2,"method":"ping"}',
        ]);
        assert.match(ended.stdout, /mcp__demo__danger/);
      }),
  );

  const ends: readonly (readonly [name: string, script: string, end: (client: Client) => void])[] =
    [
      ["its input ends", "cat > /dev/null", ({ child }) => void child.stdin.end()],
      [
        "its input ends and the server goes on",
        "while :; do sleep 1; done",
        ({ child }) => void child.stdin.end(),
      ],
      [
        "its input ends while the server reads nothing of it",
        "while :; do sleep 1; done",
        (client) => {
          client.send({ id: 1, method: "ping", params: { _meta: { x: "x".repeat(300_000) } } });
          client.child.stdin.end();
        },
      ],
      [
        "it is asked to end",
        "while :; do sleep 1; done",
        ({ child }) => void child.kill("SIGTERM"),
      ],
      [
        "it is asked to end and the server ignores that",
        "trap '' TERM HUP INT; while :; do sleep 1; done",
        ({ child }) => void child.kill("SIGHUP"),
      ],
      [
        "it is killed, of a server that ends with its input",
        "kill $!; exec cat > /dev/null",
        ({ child }) => void child.kill("SIGKILL"),
      ],
      [
        "it is asked to end and the client reads nothing",
        FLOOD,
        ({ child }) => {
          child.stdout.pause();
          setTimeout(() => child.kill("SIGTERM"), 500);
        },
      ],
      [
        "its input ends and the client reads nothing",
        FLOOD,
        ({ child }) => {
          child.stdout.pause();
          setTimeout(() => child.stdin.end(), 500);
        },
      ],
      [
        "nobody reads its output",
        'while :; do echo \'{"jsonrpc":"2.0","method":"notifications/message"}\'; sleep 0.1; done',
        ({ child }) => void child.stdout.destroy(),
      ],
    ];
  for (const [name, script, end] of ends) {
    test(`no process is left when ${name}: ${program}`, options, () =>
      inFolder(async (folder) => {
        const client = new Client(folder, { program, server: shellServer(folder, script) });
        const pids = await pidsIn(folder);
        end(client);
        await new Promise((go) => client.child.once("exit", go));
        for (const pid of pids) assert.ok(await isGone(pid), `${pid} runs`);
      }));
  }

  test(
    `a server that cannot be started, or not be named, is an error: ${program}`,
    options,
    () =>
      inFolder(async (folder) => {
        const words = starter(program, ["read", "env", "write", "run"]);
        const tried = async (...argv: readonly string[]) => {
          const { status, stdout, stderr } = await finish(
            [...words, "mcp", ...argv],
            placeIn(folder),
          );
          assert.equal(stdout, "");
          assert.doesNotMatch(stderr, /bug/);
          return status;
        };
        assert.equal(await tried("--server", "x", "--", "no-such-program"), 66);
        assert.equal(await tried("--", "cat"), 64);
        for (const name of ["a__b", "a b", "_a", "x".repeat(65), "a(b", "a:b", "é"]) {
          assert.equal(await tried("--server", name, "--", "cat"), 64, name);
        }
      }),
  );
}
