import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentName } from "../../../lib/agents/registry.ts";
import { EventFault } from "../../../lib/agents/hook/hook_protocol.ts";
import { MOST_NAMES } from "../../../lib/text/json_names.ts";
import { MOST_CALLS } from "../../../lib/agents/hook/listed_files.ts";
import { HOOKS } from "../../support/agents.ts";
import type { Json, JsonObject } from "../../../lib/model/call.ts";
import cases from "../../cases/agents/events.json" with { type: "json" };

/** The names of one field, in releases of an agent and in its editor. */
const SPELLINGS: Readonly<Partial<Record<AgentName, readonly (readonly string[])[]>>> = {
  cursor: [
    ["hook_event_name", "hookEventName"],
    ["workspace_roots", "workspaceRoots"],
    ["tool_name", "toolName"],
    ["tool_input", "toolInput"],
    ["file_path", "filePath"],
  ],
  copilot: [
    ["hook_event_name", "hookEventName"],
    ["toolName", "tool_name"],
    ["toolArgs", "tool_args", "tool_input", "toolInput"],
  ],
  grok: [
    ["workspaceRoot", "workspace_root"],
    ["toolName", "tool_name"],
    ["toolInput", "tool_input"],
  ],
};

interface Read {
  readonly name: string;
  readonly agent: AgentName;
  readonly event: JsonObject;
}

const read = (agent: AgentName, event: JsonObject) =>
  HOOKS[agent].read(event, { env: () => undefined });

/** The event with a member under another name, and in a list of files too. */
function renamed(event: JsonObject, name: string, other: string): JsonObject {
  const members = Object.entries(event).map(([key, value]): [string, Json] => [
    key === name ? other : key,
    key === "attachments" && Array.isArray(value)
      ? value.map((each) => renamed(each as JsonObject, name, other))
      : value,
  ]);
  return Object.fromEntries(members);
}

test("a field is read under each of its names, and under two that differ the event is refused", () => {
  const tried = new Set<string>();
  for (const { agent, event } of cases.read as unknown as readonly Read[]) {
    for (const names of SPELLINGS[agent] ?? []) {
      const name = names.find((each) => Object.hasOwn(event, each));
      if (name === undefined) continue;
      const expected = read(agent, event);
      for (const other of names.filter((each) => each !== name)) {
        assert.deepEqual(read(agent, renamed(event, name, other)), expected, `${agent} ${other}`);
        assert.deepEqual(read(agent, { ...event, [other]: event[name]! }), expected);
        const twice = { ...event, [other]: `${JSON.stringify(event[name])} ` };
        assert.throws(() => read(agent, twice), EventFault, `${agent} ${other}`);
        tried.add(`${agent} ${names[0]}`);
      }
    }
  }
  const all = Object.entries(SPELLINGS).flatMap(([agent, fields]) =>
    fields.map(([first]) => `${agent} ${first}`)
  );
  assert.deepEqual([...tried].toSorted(), all.toSorted());
});

test("an event holds as many files and members as are read, and with one more it is refused", () => {
  const files = (count: number): JsonObject => ({
    hook_event_name: "beforeReadFile",
    file_path: "/w/a",
    attachments: Array.from({ length: count }, (_, index) => ({ file_path: `/w/b${index}` })),
  });
  assert.equal(read("cursor", files(MOST_CALLS - 1)).calls.length, MOST_CALLS);
  assert.throws(() => read("cursor", files(MOST_CALLS)), EventFault);
  const members = (count: number): JsonObject => ({
    toolName: "bash",
    toolArgs: JSON.stringify({
      command: "ls",
      more: Object.fromEntries(Array.from({ length: count - 2 }, (_, index) => [`m${index}`, 1])),
    }),
  });
  assert.equal(read("copilot", members(MOST_NAMES)).calls.length, 1);
  assert.throws(() => read("copilot", members(MOST_NAMES + 1)), /more than 100000 members/);
});

test("an input that Grok cut off is refused, under either name of the mark", () => {
  const event = { toolName: "Bash", toolInput: { command: "ls" }, cwd: "/w" };
  for (const name of ["toolInputTruncated", "tool_input_truncated"]) {
    for (const mark of [false, null]) {
      assert.equal(read("grok", { ...event, [name]: mark }).calls.length, 1);
    }
    for (const mark of [true, "yes", 1]) {
      assert.throws(() => read("grok", { ...event, [name]: mark }), EventFault);
    }
  }
});

test("a patch in a command line is read from each folder that the line enters", () => {
  const patch = (...headers: readonly string[]) =>
    `apply_patch <<'E'\n*** Begin Patch\n${headers.join("\n")}\n*** End Patch\nE`;
  const edits = (command: string) => {
    const event = {
      hook_event_name: "PreToolUse",
      cwd: "/w",
      tool_name: "Bash",
      tool_input: { command },
    };
    const { calls, readings } = read("codex", event);
    const all = [...calls, ...readings];
    return all.flatMap(({ tool, input }) => tool === "Edit" ? [input["path"]] : []);
  };
  const headers = ["*** Update File: sub/a.ts", "*** Add File: /abs/b"];
  assert.deepEqual(edits(`cd one && cd 'two three' && ${patch(...headers)}`), [
    "sub/a.ts",
    "/abs/b",
    "one/sub/a.ts",
    "two three/sub/a.ts",
  ]);
  assert.deepEqual(edits(`cd "a\nb"; ${patch(...headers)}`), [
    "sub/a.ts",
    "/abs/b",
    "a\nb/sub/a.ts",
  ]);
  assert.deepEqual(edits(patch("*** Delete File: C:\\x")), ["C:\\x"]);
  assert.deepEqual(edits(`cd one; ${patch("*** Delete File: C:\\x")}`), ["C:\\x"]);
  assert.deepEqual(edits("cd one && ls"), []);
});

const FOLDER_FIELDS = [
  "cwd",
  "Cwd",
  "workdir",
  "working_directory",
  "workingDirectory",
  "working_dir",
  "directory",
  "dir_path",
];

test("a folder under a field of another agent is read as well, and never instead", () => {
  const folders = (input: JsonObject) => {
    const event = { hook_event_name: "PreToolUse", cwd: "/w", tool_name: "Bash" };
    const { calls, readings } = read("claude", {
      ...event,
      tool_input: { command: "ls", ...input },
    });
    return [...calls, ...readings].map(({ cwd }) => cwd);
  };
  assert.deepEqual(folders({}), ["/w"]);
  for (const field of FOLDER_FIELDS) {
    assert.deepEqual(folders({ [field]: "sub" }), ["/w", "/w/sub"], field);
    const toolArgs = { command: "dir", [field]: "sub" };
    const { calls } = read("copilot", { toolName: "powershell", toolArgs, cwd: "/w" });
    assert.deepEqual(calls.map(({ cwd }) => cwd), ["/w", "/w/sub"], field);
    assert.deepEqual(folders({ [field]: "" }), ["/w"], field);
  }
  assert.deepEqual(folders({ description: "sub" }), ["/w"]);
});

test("a patch counts in the command line of an agent that has such a tool, and in no other text", () => {
  const command = "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n*** End Patch\nE";
  const edits = (agent: AgentName, tool: string) => {
    const { calls, readings } = read(agent, {
      hook_event_name: "PreToolUse",
      cwd: "/w",
      tool_name: tool,
      tool_input: { command },
    });
    return [...calls, ...readings].filter((call) => call.tool === "Edit").length;
  };
  assert.equal(edits("codex", "Bash"), 1);
  for (const tool of ["mcp__x__y", "read_file", "web_search", "unheard"]) {
    assert.equal(edits("codex", tool), 0, tool);
  }
  assert.equal(edits("claude", "Bash"), 0);
});

test("the modes of Qwen Code are ours, in both spellings", () => {
  const mode = (permission_mode: string) => {
    const event = { hook_event_name: "PreToolUse", tool_name: "read_file", cwd: "/w" };
    return read("qwen", { ...event, tool_input: { absolute_path: "/w/a" }, permission_mode }).mode;
  };
  assert.equal(mode("auto-edit"), "acceptEdits");
  assert.equal(mode("auto_edit"), "acceptEdits");
  assert.equal(mode("plan"), "plan");
  assert.equal(mode("yolo"), "bypassPermissions");
});

test("what a text names is found in time that grows with its length", () => {
  const long = ["a".repeat(1_000_000), `${".".repeat(500_000)}x`].map((text) =>
    `${text}!x://${text}`
  );
  for (const prompt of long) {
    const start = performance.now();
    read("gemini", {
      hook_event_name: "BeforeTool",
      tool_name: "web_fetch",
      tool_input: { prompt },
    });
    assert.ok(performance.now() - start < 2_000);
  }
});
