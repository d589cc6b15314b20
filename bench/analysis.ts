import { parseArgs } from "node:util";
import {
  changedPolicy,
  checkPair,
  checkPolicy,
  newTally,
  randomPolicy,
} from "../tests/laws/analysis_brute.ts";
import { WORLDS } from "../tests/laws/analysis_worlds.ts";
import { randomFrom } from "../tests/support/random.ts";

/** `deno run -A bench/analysis.ts --count 50000`: random small policies against every call up to a length. */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    world: { type: "string" },
    pairs: { type: "string", default: "0" },
  },
});
const random = randomFrom(Number(values.seed));
const worlds = WORLDS.filter(({ name }) => values.world === undefined || name === values.world);
for (const world of worlds) {
  const start = performance.now();
  const tally = newTally();
  const count = Math.ceil(Number(values.count) / worlds.length);
  for (let index = 0; index < count; index++) {
    const old = randomPolicy(world, random);
    if (index % 4 > Number(values.pairs)) checkPolicy(old, { world, tally });
    else checkPair(old, { now: changedPolicy(old, { world, random }), world, tally });
  }
  const answers = [...tally.answers].sort().map(([key, number]) => `${key} ${number}`).join(", ");
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${world.name}: ${tally.policies} policies, ${seconds} s, ${tally.wrong.length} wrong`,
  );
  console.log(`  ${answers}`);
  for (const line of tally.wrong.slice(0, 8)) console.log(`  ${line}`);
  if (tally.wrong.length > 0) Deno.exitCode = 1;
}
