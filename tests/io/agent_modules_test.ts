import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { HOOKS, SETTINGS } from "../support/agents.ts";
import { inScene, type Scene } from "../support/agent_scene.ts";

/** An answer of pi's event before a tool. */
interface Blocked {
  readonly block?: boolean;
  readonly reason?: string;
}

interface PiContext {
  readonly hasUI: boolean;
  readonly ui?: { confirm(title: string, message: string): Promise<boolean> };
}

/** Loads the extension with a command as pi does, and calls it about `ls`. */
async function callInPi(
  scene: Scene,
  { command, name, context = { hasUI: false } }: {
    readonly command: string;
    readonly name: string;
    readonly context?: PiContext;
  },
): Promise<Blocked | undefined> {
  const path = join(scene.elsewhere, `${name}.mjs`);
  writeFileSync(path, SETTINGS.pi.install(undefined, { command }));
  const { default: load } = await import(pathToFileURL(path).href);
  const handlers: ((event: object, context: object) => Promise<Blocked | undefined>)[] = [];
  load({
    on(event: string, handler: typeof handlers[number]) {
      assert.equal(event, "tool_call");
      handlers.push(handler);
    },
  });
  const event = { type: "tool_call", toolName: "bash", input: { command: "ls" } };
  return await handlers[0]!(event, { cwd: scene.project, ...context });
}

function said(answer: object): string {
  return `cat >/dev/null; echo '${JSON.stringify(answer)}'`;
}

test("pi's extension blocks or throws for everything but a clear answer, and asks where it can", () =>
  inScene(async (scene) => {
    const event = join(scene.elsewhere, "event.json");
    const kept = `cat > '${event.replaceAll("'", `'\\''`)}'; echo '{"decision":"none"}'`;
    assert.equal(await callInPi(scene, { command: kept, name: "a" }), undefined);
    const { calls, folders } = HOOKS.pi.read(JSON.parse(readFileSync(event, "utf8")), {
      env: () => undefined,
    });
    assert.deepEqual(calls, [{ tool: "Bash", input: { command: "ls" }, cwd: scene.project }]);
    assert.deepEqual(folders, []);
    const denied = await callInPi(scene, {
      command: said({ decision: "deny", reason: "no" }),
      name: "b",
    });
    assert.deepEqual(denied, { block: true, reason: "no" });
    const ask = said({ decision: "ask", reason: "sure?" });
    const alone = await callInPi(scene, { command: ask, name: "c" });
    assert.deepEqual(alone, { block: true, reason: "sure?; nobody allowed it" });
    for (const isAllowed of [true, false]) {
      const texts: string[] = [];
      const confirm = (title: string, message: string) => {
        texts.push(title, message);
        return Promise.resolve(isAllowed);
      };
      const answer = await callInPi(scene, {
        command: ask,
        name: `d${isAllowed}`,
        context: { hasUI: true, ui: { confirm } },
      });
      assert.deepEqual(texts, ["Run bash?", "sure?"]);
      assert.equal(answer?.block === true, !isAllowed);
    }
    const unclear = [said({}), said([]), said({ decision: "allow" })];
    for (const [index, command] of unclear.entries()) {
      const answer = await callInPi(scene, { command, name: `e${index}` });
      assert.equal(answer?.block, true, command);
    }
    const broken = ["exit 2", "exit 1", "true", "echo x", "kill -9 $$", "/nowhere"];
    for (const [index, command] of broken.entries()) {
      await assert.rejects(callInPi(scene, { command, name: `f${index}` }), Error, command);
    }
  }));

test("Kilo's plugin is opencode's", () => {
  const own = (agent: "kilo" | "opencode") =>
    SETTINGS[agent].install(undefined, { command: "x" }).split("\n").slice(1).join("\n");
  assert.equal(own("kilo"), own("opencode"));
});
