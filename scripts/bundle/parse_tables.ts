import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Has the source in a folder parse each part of its tables when it is first asked for. As objects of code they would all be made, and
 * kept in V8's code cache, for every call; and making one takes twice as long as parsing it.
 */
export function parseTables(stage: string): void {
  const folder = join(stage, "defaults");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, `${name}.ts`), moduleOf(value));
  }
  for (const path of readdirSync(join(stage, "lib"), { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const text = readFileSync(join(stage, "lib", path), "utf8");
    const led = text.replace(
      /( from "[./]+\/defaults\/[\w-]+\.json)" with \{ type: "json" \};/g,
      '$1.ts";',
    );
    if (led !== text) writeFileSync(join(stage, "lib", path), led);
  }
}

/** A module whose default export is the value; the members of an object are parsed one by one, each once. */
export function moduleOf(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return `export default JSON.parse(${textOf(value)});\n`;
  }
  const members = Object.entries(value).map(([name, part]) => {
    const key = JSON.stringify(name);
    // A text is parsed with the file.
    if (typeof part === "string") return `[${key}]:${JSON.stringify(part)}`;
    return `get [${key}](){return own(this,${key},${textOf(part)})}`;
  });
  const own = "const own=(of,name,text)=>{const value=JSON.parse(text);" +
    "Object.defineProperty(of,name,{value,enumerable:true});return value};\n";
  return `${own}export default {${members.join(",")}};\n`;
}

function textOf(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}
