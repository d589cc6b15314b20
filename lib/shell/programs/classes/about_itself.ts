import type { Word } from "../../parse/tree.ts";
import { aboutAnswers, aboutForms } from "../texts/program_texts.ts";

/** A folder of the system before a name. */
const OF_SYSTEM = /^\/(?:usr\/)?s?bin\/(?=[^/]+$)/;

/** The most words of a command that asks a program about itself. */
const MOST_WORDS = 4;

/**
 * True if a command only asks a program, or a sub-command of it, about itself, in a form that it is known to answer without a
 * look at any file of the folder or the home: `nmap --version`. The name has no folder, or one of the system.
 */
export function onlyAsksAbout(words: readonly Word[]): boolean {
  if (words.length < 2 || words.length > MOST_WORDS) return false;
  const form = words[words.length - 1]!.shape;
  if (byForm === undefined && !mayBeForm(form)) return false;
  const lists = answersBy().get(form);
  if (lists === undefined) return false;
  let entry = ",";
  for (let at = 0; at < words.length - 1; at++) {
    const { shape } = words[at]!;
    const name = at === 0 && shape.startsWith("/") ? shape.replace(OF_SYSTEM, "") : shape;
    if (!NAME.test(name)) return false;
    entry += at === 0 ? name : ` ${name}`;
  }
  entry += ",";
  return lists.some((programs) => programs.includes(entry));
}

/** A form that may stand in the lists. */
const FORM = /^(?:-\w|--?[a-z]+|help|version)$/;

/** False for a word that no list has, without a look at the lists: many options are no form. */
function mayBeForm(form: string): boolean {
  return FORM.test(form) && aboutForms().includes(` ${form} `);
}

/** A name of a program or a sub-command, which the line fixes. */
const NAME = /^[\w.+-]+$/;

let byForm: ReadonlyMap<string, readonly string[]> | undefined;

/** The programs that answer each form. */
function answersBy(): ReadonlyMap<string, readonly string[]> {
  if (byForm !== undefined) return byForm;
  const lists = new Map<string, string[]>();
  for (const [forms, programs] of Object.entries(aboutAnswers())) {
    for (const form of forms.split(" ").filter((each) => FORM.test(each))) {
      const list = lists.get(form);
      if (list === undefined) lists.set(form, [programs]);
      else list.push(programs);
    }
  }
  return byForm = lists;
}
