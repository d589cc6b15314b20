import { findFacts } from "../../io/load/find_facts.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { policyOptions } from "../policy_flags.ts";
import type { Invocation } from "../verb.ts";

/** Gives the paths of all test files that the line means, as one text. */
export function listingFor(invocation: Invocation, runtime: Runtime): () => Promise<string> {
  const { absolute } = pathStyle(runtime.platform);
  const named = invocation.operands.map((word) => absolute(word, runtime.cwd()));
  return async () => {
    // Loads the Node layer, which a bundle has in files of its own.
    const { findTestFiles, testFilesBelow } = await import("../../io/load/find_test_files.ts");
    const paths = named.length > 0
      ? named.flatMap((path) => runtime.stat(path) === "directory" ? testFilesBelow(path) : [path])
      : findTestFiles(findFacts(runtime, policyOptions(invocation)).workspace);
    return paths.join("\n");
  };
}
