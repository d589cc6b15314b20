import type { OwnCommand, OwnTools } from "../../suggest/own_tools.ts";
import { counted } from "../diff/diff_report.ts";
import { cut } from "../../text/call_text.ts";
import { tomlString } from "../../text/toml_text.ts";
import { visible } from "../../text/visible.ts";

/** Commands that are shown of each list; `--json` has all. */
const SHOWN = 10;

/** The lines of permissions.toml for programs without a table: a person must know that they are right. The comments have at most those columns. */
export function ownToolsToml(
  { wrappers, project, ...own }: OwnTools,
  columns: number,
): readonly string[] {
  // One that comes once is no tool that somebody uses.
  const others = own.others.filter(({ asks }) => asks > 1);
  if (wrappers.length + project.length + others.length === 0) return [];
  return [
    ...(wrappers.length === 0 ? [] : [
      "[shell]",
      `wrappers = [${
        wrappers.slice(0, SHOWN).map(({ command }) => tomlString(command)).join(", ")
      }]`,
    ]),
    ...(project.length === 0 ? [] : [
      "[shell.classes]",
      "project = [",
      ...project.slice(0, SHOWN).map(({ command, asks }) =>
        `  ${tomlString(`${command} *`)}, # ${counted(asks, "ask")}`
      ),
      "]",
    ]),
    ...otherLines(others, columns),
  ];
}

/** The commands whose names do not tell a class, as comments. */
function otherLines(others: readonly OwnCommand[], columns: number): readonly string[] {
  const more = others.length - SHOWN;
  return [
    ...others.slice(0, SHOWN).map(({ command, asks }) =>
      cut(
        `# ${visible(command)}  ${counted(asks, "ask")}: read, project or service-read?`,
        columns,
      )
    ),
    ...(more > 0 ? [`# and ${more} more; --json prints all of them`] : []),
  ];
}
