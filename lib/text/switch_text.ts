/** The state that a variable of the environment sets. */
export type SwitchState = "on" | "off" | "unknown";

const STATES: Readonly<Record<string, SwitchState>> = {
  "1": "on",
  "true": "on",
  "yes": "on",
  "on": "on",
  "": "off",
  "0": "off",
  "false": "off",
  "no": "off",
  "off": "off",
};

/** Reads a variable that switches something on or off, in any case; `off` if it is not set. */
export function switchOf(value: string | undefined): SwitchState {
  const word = (value ?? "").trim().toLowerCase();
  return Object.hasOwn(STATES, word) ? STATES[word]! : "unknown";
}
