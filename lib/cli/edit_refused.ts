import { decodePolicy } from "../policy/decode/decode_policy.ts";
import type { EditResult } from "../policy/edit/edit_rules.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { commandLine } from "../text/quote.ts";

/** Why a file was not edited; for one of an older shape with the commands that convert it. */
export function editRefused(
  { problem, about }: Extract<EditResult, { ok: false }>,
  path: string,
): PolicyError {
  const { shape, problems } = decodePolicy(about);
  const older = problems.length === 0 && (shape === "buckets" || shape === "rule-array");
  const help = problem.hint === undefined && older
    ? { hint: "Convert it (its comments stay behind):", command: conversion(path) }
    : {};
  return new PolicyError([{ ...problem, ...help, path, text: about }]);
}

function conversion(path: string): string {
  const next = `${path}.new`;
  const [exported, target] = [
    commandLine(["caliban", "perms", "export", path]),
    commandLine([next]),
  ];
  return `${exported} > ${target} && ${commandLine(["mv", next, path])}`;
}
