/** Requests of a client that call no tool: they are passed on, and their results come back as they are, but for `tools/list`. */
export const PASSED_REQUESTS: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "tasks/cancel",
  "tasks/get",
  "tasks/list",
  "tasks/result",
  "tools/list",
]);

/** Notifications of a client, which call no tool. */
export const PASSED_NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/cancelled",
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "notifications/tasks/status",
]);

/** Requests that a server does not make: a client is asked for no tool. */
export const NOT_OF_SERVERS: ReadonlySet<string> = new Set(["tools/call", "tools/list"]);
