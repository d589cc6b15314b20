import { pluginHook } from "../hook/plugin_form.ts";

/** The protocol of our own plugin in opencode. It throws for every answer but silence. */
export const hook = pluginHook({ agent: "opencode", event: "tool.execute.before" });
