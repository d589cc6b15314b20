/** What a rule says about a call: run it, refuse it, or ask a person. */
export type Action = "allow" | "deny" | "ask";

/** The three actions, strictest first. */
export const ACTIONS: readonly Action[] = ["deny", "ask", "allow"];

/** Whether `text` is one of the three actions; case-sensitive. */
export function isAction(text: string): text is Action {
  return text === "allow" || text === "deny" || text === "ask";
}

/** How strict an action is: 0 for allow, 1 for ask, 2 for deny. */
export function strictness(action: Action): 0 | 1 | 2 {
  switch (action) {
    case "allow":
      return 0;
    case "ask":
      return 1;
    case "deny":
      return 2;
  }
}
