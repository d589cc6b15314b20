import type { AskQuestion, AskScope } from "../model/verdict.ts";
import type { Color } from "../report/color.ts";
import { textWidth, visible } from "../text/visible.ts";
import { cut } from "../text/call_text.ts";
import { choicesOf, type PromptState, suggestionsOf } from "./prompt_state.ts";
import type { TextField } from "./text_field.ts";

/** The options of `promptScreen`. */
export interface ScreenOptions {
  readonly question: AskQuestion;
  /** The style. */
  readonly color: Color;
  /** The terminal's width. */
  readonly columns: number;
}

/** Lines on a terminal, and where its cursor belongs. */
export interface Screen {
  /** The lines, each narrower than the terminal. */
  readonly lines: readonly string[];
  /** The cursor's line, from 0. */
  readonly row: number;
  /** The cursor's column, from 0. */
  readonly column: number;
}

const SCOPES: Readonly<Record<AskScope, string>> = {
  session: "this session only, in memory",
  project: "this project, for everyone who works on it",
  user: "all of your projects",
  local: "this project, for you alone",
};

/** The screen of a state; empty once the question is answered. */
export function promptScreen(asking: PromptState, options: ScreenOptions): Screen {
  const { question } = options;
  switch (asking.step) {
    case "choose":
      return menu(
        { title: "Esc denies once", selected: asking.selected },
        choicesOf(question).map(({ letter, title }) => `${letter}  ${visible(title)}`),
        options,
      );
    case "scope":
      return menu(
        { title: "Where to save the rule? Esc denies once", selected: asking.selected },
        question.scopes.map((scope, index) => `${index + 1}  ${SCOPES[scope]}`),
        options,
      );
    case "pattern": {
      const count = suggestionsOf(question).length;
      const which = count === 1 ? "Pattern" : `Pattern ${asking.index + 1} of ${count}`;
      const advice = count === 1 ? "Enter accepts it" : "Enter accepts it; an empty one is skipped";
      const title = `${which} for calls to be ${
        asking.kind === "allow-always" ? "allowed" : "denied"
      } from now on (${advice})`;
      return field({ title, line: asking.line, problem: asking.problem }, options);
    }
    case "comment": {
      const title = asking.kind === "deny-once"
        ? "What should the agent do instead? (Enter to skip)"
        : "A comment for the rule (Enter to skip)";
      return field({ title, line: asking.line }, options);
    }
    case "answered":
      return { lines: [], row: 0, column: 0 };
  }
}

function menu(
  { title, selected }: { readonly title: string; readonly selected: number },
  rows: readonly string[],
  { color, columns }: ScreenOptions,
): Screen {
  const lines = rows.map((row, index) => {
    const text = cut(`${index === selected ? ">" : " "} ${row}`, columns - 1);
    return index === selected ? color.cyan(text) : text;
  });
  return { lines: [color.dim(cut(title, columns - 1)), ...lines], row: selected + 1, column: 0 };
}

function field(
  { title, line, problem }: {
    readonly title: string;
    readonly line: TextField;
    readonly problem?: string | undefined;
  },
  { color, columns }: ScreenOptions,
): Screen {
  const { text, column } = windowOf(line, columns - 4);
  const lines = [
    color.dim(cut(title, columns - 1)),
    `> ${text}`,
    ...(problem === undefined ? [] : [color.red(cut(visible(problem), columns - 1))]),
  ];
  return { lines, row: 1, column: column + 2 };
}

/** The part of a line round its cursor that fits that many columns, and the cursor's column in it. */
function windowOf(
  line: TextField,
  columns: number,
): { readonly text: string; readonly column: number } {
  const shown = line.characters.map(visible);
  let from = line.cursor;
  let column = 0;
  while (from > 0 && column + textWidth(shown[from - 1] ?? "") < columns) {
    from--;
    column += textWidth(shown[from] ?? "");
  }
  let text = shown.slice(from, line.cursor).join("");
  let width = column;
  for (const character of shown.slice(line.cursor)) {
    width += textWidth(character);
    if (width > columns) break;
    text += character;
  }
  return { text, column };
}
