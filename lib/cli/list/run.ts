import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import type { Color } from "../../report/color.ts";
import { painted } from "../../report/decision_text.ts";
import { ruleJson } from "../../report/decision_json.ts";
import { COLUMNS } from "../../report/layout.ts";
import { type Folders, placeText } from "../../report/place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";
import { colorFor } from "../output/choose_color.ts";
import { EXIT } from "../errors/errors.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const policy = await openPolicyFor(invocation, runtime);
  const kind = flagValue(invocation, "source");
  const rules = policy.rules.filter((rule) => kind === undefined || rule.source.kind === kind);
  if (hasFlag(invocation, "json")) {
    await runtime.write("stdout", JSON.stringify(rules.map(ruleJson), null, 2) + "\n");
    return EXIT.ok;
  }
  const color = colorFor(invocation, runtime);
  if (rules.length === 0) await runtime.write("stderr", "No rules\n");
  await runtime.write("stdout", listText(rules, { color, folders: policy.location }));
  return EXIT.ok;
}

const MARGIN = 12;

/** Columns between the pattern and its place. */
const GAP = 2;

/** A rule a line: its index, action, pattern and place; the place below where the pattern is long. */
function listText(
  rules: readonly Rule[],
  { color, folders }: { color: Color; folders: Folders },
): string {
  const widths = rules.map((rule) => textWidth(visible(rule.pattern)));
  const places = rules.map((rule) => textWidth(placeText(rule.source, folders)));
  const room = COLUMNS - MARGIN - GAP - places.reduce((most, each) => Math.max(most, each), 0);
  const width = widths.reduce((most, each) => each > room ? most : Math.max(most, each), 0);
  return rules.map((rule) => {
    const pattern = visible(rule.pattern);
    const head = `${String(rule.index).padStart(3)}  ${painted(rule.action, color)}${
      " ".repeat(7 - rule.action.length)
    }`;
    const place = color.dim(placeText(rule.source, folders));
    const pad = width - textWidth(pattern);
    return pad < 0
      ? `${head}${pattern}\n${" ".repeat(MARGIN)}${place}\n`
      : `${head}${pattern}${" ".repeat(pad + GAP)}${place}\n`;
  }).join("");
}
