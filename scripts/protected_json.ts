import { parse } from "smol-toml";
import { z } from "zod";
import { SOURCES } from "../lib/policy/sources/source_order.ts";

const segment = /^\*?[^/*?[\]{}\\]+$/;

const schema = z.strictObject({
  verbs: z.array(z.string().regex(/^[a-z]+(?: [a-z]+)?(?: --[a-z]+)?$/)).min(1),
  writes: z.array(z.strictObject({
    commands: z.array(z.string().regex(/^[a-z][\w-]*(?: [\w-]+)*$/)).min(1),
    why: z.string().min(1),
    unless: z.array(z.string().min(1)).default([]),
  })).min(1),
  protected: z.array(z.strictObject({
    path: z.string().refine((path) => segmentsOf(path).every((name) => segment.test(name)), {
      error: "a path has no empty segments, and no wildcard but a * at the start of one",
    }),
    why: z.string().min(1),
    by_path: z.literal(true).optional(),
    not_by: z.array(z.enum(SOURCES.map(({ kind }) => kind))).default([]),
  })).min(1),
});

/** The text of defaults/protected.json for that of protected.toml. Throws Error on anything unexpected. */
export function protectedJson(toml: string): string {
  const checked = schema.safeParse(parse(toml));
  if (!checked.success) {
    throw new Error(`Cannot use protected.toml: ${z.prettifyError(checked.error)}`);
  }
  const { verbs, writes, protected: places } = checked.data;
  const paths = places.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw new Error(`Cannot use protected.toml: "${twice}" stands twice`);
  const json = {
    verbs: verbs.map((verb) => verb.split(" ")),
    writes,
    places: places.map(({ path, why, by_path, not_by }) => ({
      base: baseOf(path),
      names: segmentsOf(path),
      why,
      ...(by_path ? { byPath: true } : {}),
      notBy: not_by,
    })),
  };
  return JSON.stringify(json, null, 2) + "\n";
}

function baseOf(path: string): "any" | "home" | "root" {
  if (path.startsWith("~/")) return "home";
  return /^(?:\/|[A-Z]:\/)/.test(path) ? "root" : "any";
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/^(?:~\/|\/)/, "").split("/");
}
