/**
 * The shell that a line is read for. `posix`: bash and zsh, and the quoting of dash and busybox `sh`; a part that they read
 * differently is unknown.
 */
export type Shell = "posix" | "bash" | "zsh" | "sh";

/** True if zsh may run the line. */
export function mayBeZsh(shell: Shell): boolean {
  return shell === "posix" || shell === "zsh";
}

/** True if dash or busybox `sh` may run the line. */
export function mayBeSh(shell: Shell): boolean {
  return shell === "posix" || shell === "sh";
}

/** The shell of that name; undefined for another program. */
export function shellNamed(name: string): Shell | undefined {
  switch (name) {
    case "bash":
    case "rbash":
      return "bash";
    case "zsh":
    case "rzsh":
      return "zsh";
    case "sh":
    case "dash":
    case "ash":
      return "sh";
    default:
      return undefined;
  }
}
