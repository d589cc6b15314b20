import type { ModeName, Unmatched } from "../../model/call.ts";
import type { Located } from "../../model/problem.ts";
import type { FileSettings, Notice, RuleSource, Settings, SourceEntry } from "../../model/rule.ts";
import {
  ignored,
  isUntrusted,
  isWorkspaceFile,
  type Objection,
  onlyAboveWorkspace,
  ownerOf,
  sourceAt,
  type Standing,
  untrusted,
  usableFile,
} from "./entry_text.ts";
import { mergeClasses, mergeNames } from "./merge_names.ts";

/** The settings that count, and what did not count. */
export interface MergedSettings {
  readonly settings: Settings;
  /** True unless a managed or user file lets a project's allow rules and default mode count without trust. */
  readonly requireTrust: boolean;
  /** Notices about what did not count, setting by setting. */
  readonly notices: readonly Notice[];
}

/** Takes each setting from the highest entry in which it counts; `entries` stand highest first. */
export function mergeSettings(entries: readonly SourceEntry[]): MergedSettings {
  const notices: Notice[] = [];
  // Most files set nothing.
  const setting = entries.filter((entry) => Object.keys(usableFile(entry)?.settings ?? {})[0]);
  const highest = <T>(
    pick: (settings: FileSettings) => Located<T> | undefined,
    objection: Objection<T> = () => undefined,
  ): Standing<T> | undefined => {
    const standings = setting.flatMap((entry) => standingIn(entry, pick));
    return standings.filter(({ entry, standing }) => {
      const notice = objection(entry, standing);
      if (notice !== undefined) notices.push(notice);
      return notice === undefined;
    })[0]?.standing;
  };
  const requireTrust = highest((s) => s.requireTrust, onlyAboveWorkspace("require_trust"));
  const trusting = { requireTrust: requireTrust?.value ?? true };
  const enforce = highest((s) => s.enforce, onlyAboveWorkspace("enforce"));
  const managedOnly = highest((s) => s.managedOnly, onlyManaged);
  const ownMode =
    valueIn(setting.filter((entry) => !isHeldBack(entry, trusting)), (s) => s.defaultMode) ??
      "default";
  const defaultMode = highest((s) => s.defaultMode, (entry, { value, source }) => {
    return isNoLooser(value, ownMode)
      ? undefined
      : trustObjection(entry, { what: "default_mode", source, ...trusting });
  });
  const auditLog = highest((s) => s.auditLog, auditObjection(entries));
  const shell = highest((s) => s.shell, shellObjection(entries, trusting));
  const unmatched = highest((s) => s.unmatched, unmatchedObjection(entries));
  const isManagedOnly = managedOnly?.value ?? false;
  const wrappers = mergeNames(setting, { key: "wrappers", managedOnly: isManagedOnly });
  const variables = mergeNames(setting, { key: "variables", managedOnly: isManagedOnly });
  const classes = mergeClasses(setting, { managedOnly: isManagedOnly });
  const repositories = mergeNames(setting, { key: "repositories", managedOnly: isManagedOnly });
  const settings: Settings = {
    ...(defaultMode && { defaultMode }),
    ...(enforce && { enforce }),
    ...(auditLog && { auditLog }),
    shell: shell?.value ?? "parsed",
    wrappers: wrappers.names,
    variables: variables.names,
    classes: classes.commands,
    repositories: repositories.names,
    enforceExpiry: highest((s) => s.enforceExpiry, trustedOnly("enforce_expiry"))?.value ?? false,
    managedOnly: isManagedOnly,
    ...(unmatched && { unmatched }),
  };
  return {
    settings,
    ...trusting,
    notices: [
      ...notices,
      ...wrappers.notices,
      ...variables.notices,
      ...classes.notices,
      ...repositories.notices,
    ],
  };
}

/** Allow rules or a start mode that may need trust. */
export interface TrustQuestion {
  /** Its name, for people. */
  readonly what: string;
  /** Its place. */
  readonly source: RuleSource;
  /** False if a managed or user file lets the project's rules count without trust. */
  readonly requireTrust: boolean;
}

/** True for a file whose allow rules and default mode do not count until somebody trusts it. */
export function isHeldBack(
  entry: SourceEntry,
  { requireTrust }: { readonly requireTrust: boolean },
): boolean {
  return isUntrusted(entry) && (requireTrust || entry.repository !== undefined);
}

/** The notice that allow rules or a start mode count only after trust; undefined if they count. */
export function trustObjection(
  entry: SourceEntry,
  { what, source, requireTrust }: TrustQuestion,
): Notice | undefined {
  const { repository } = entry;
  if (!isHeldBack(entry, { requireTrust })) return undefined;
  if (repository === undefined) return untrusted(what, source);
  return untrusted(what, source, { why: `its folder is above the repository "${repository}"` });
}

/** The modes in which each allows no call that the one before asks about or denies; auto's lists deny too. */
const CHAIN: readonly ModeName[] = ["plan", "default", "acceptEdits", "dontAsk"];

/** True if a start mode answers no call more leniently than another does. */
function isNoLooser(mode: ModeName, than: ModeName): boolean {
  if (mode === than) return true;
  return CHAIN.includes(mode) && CHAIN.indexOf(mode) < CHAIN.indexOf(than);
}

/** The value of the highest of these entries that has it. */
function valueIn<T>(
  entries: readonly SourceEntry[],
  pick: (settings: FileSettings) => Located<T> | undefined,
): T | undefined {
  return entries.flatMap((entry) => standingIn(entry, pick))[0]?.standing.value;
}

/** True if a managed file was read, broken or not. */
export function hasManaged(entries: readonly SourceEntry[]): boolean {
  return entries.some(({ kind, state }) => kind === "managed" && state === "read");
}

function standingIn<T>(
  entry: SourceEntry,
  pick: (settings: FileSettings) => Located<T> | undefined,
): readonly { entry: SourceEntry; standing: Standing<T> }[] {
  const located = pick(usableFile(entry)?.settings ?? {});
  if (located === undefined) return [];
  const { value, span } = located;
  return [{ entry, standing: { value, source: sourceAt(entry, span) } }];
}

/** Built-in questions are a person's to switch off, and the administrator's where a managed file is. */
function unmatchedObjection(entries: readonly SourceEntry[]): Objection<Unmatched> {
  const managed = hasManaged(entries);
  return (entry, { value, source }) => {
    const what = `unmatched = "${value}"`;
    if (managed && entry.kind !== "managed") {
      return ignored(what, { source, why: "a managed file decides this setting" });
    }
    return onlyAboveWorkspace(what)(entry, { value, source });
  };
}

/** A setting that ends or revives the rules of other sources, so that a clone needs trust to set it. */
function trustedOnly(name: string): Objection<boolean> {
  return (entry, { value, source }) =>
    isUntrusted(entry) ? untrusted(`${name} = ${value}`, source) : undefined;
}

const onlyManaged: Objection<boolean> = ({ kind }, { source }) => {
  const why = "it is read from managed files only";
  return kind === "managed" ? undefined : ignored("managed_only", { source, why });
};

/** A workspace never switches off a log that a person switched on, trusted or not. */
function auditObjection(entries: readonly SourceEntry[]): Objection<boolean> {
  const owners = entries.filter(({ kind }) => !isWorkspaceFile(kind));
  const owner = owners.find((entry) => usableFile(entry)?.settings.auditLog?.value === true);
  return ({ kind }, { value, source }) => {
    if (value || owner === undefined || !isWorkspaceFile(kind)) return undefined;
    const why = `${ownerOf(owner.kind)} switched the audit log on`;
    return ignored("audit_log = false", { source, why });
  };
}

/** Each reading of commands allows lines that the other asks about, so that a clone needs trust to choose one. */
function shellObjection(
  entries: readonly SourceEntry[],
  trusting: { readonly requireTrust: boolean },
): Objection<"parsed" | "literal"> {
  const managed = hasManaged(entries);
  const own = valueIn(entries.filter((entry) => !isUntrusted(entry)), (s) => s.shell) ?? "parsed";
  return (entry, { value, source }) => {
    const what = `shell = "${value}"`;
    if (managed && entry.kind !== "managed") {
      return ignored(what, { source, why: "a managed file decides this setting" });
    }
    const matters = value !== own && (value === "literal" || isHeldBack(entry, trusting));
    return matters && isUntrusted(entry) ? untrusted(what, source) : undefined;
  };
}
