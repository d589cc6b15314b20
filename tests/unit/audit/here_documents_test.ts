import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutHereDocuments } from "../../../lib/audit/here_documents.ts";

const CASES: readonly (readonly [command: string, kept: string])[] = [
  ["cat > f <<EOF\na\nb\nEOF\nls", "cat > f <<EOF\n[2 lines left out]\nEOF\nls"],
  ["cat <<'E F' > f\na\nE F", "cat <<'E F' > f\n[1 line left out]\nE F"],
  ['cat <<-"X"\n\ta\n\tX\nls', 'cat <<-"X"\n[1 line left out]\n\tX\nls'],
  ["cat <<\\EOF\n\nEOF", "cat <<\\EOF\n[1 line left out]\nEOF"],
  ["cat <<A <<B\na\nA\nb\nB\nls", "cat <<A <<B\n[1 line left out]\nA\n[1 line left out]\nB\nls"],
  ["cat <<EOF\nEOF\nls", "cat <<EOF\nEOF\nls"],
  ["cat <<EOF\r\na\r\nEOF\r\nls", "cat <<EOF\r\n[1 line left out]\nEOF\r\nls"],
  ["cat <<EOF\nno end", "cat <<EOF\n[1 line left out]"],
  ['cat <<E"O"F\na\nEOF\nls', 'cat <<E"O"F\n[1 line left out]\nEOF\nls'],
  ["cat <<$'E'\na\nE", "cat <<$'E'\n[1 line left out]\nE"],
  ["cat <<1\na\n1\nls", "cat <<1\n[1 line left out]\n1\nls"],
  ["cat <<''\na\n\nls", "cat <<''\n[1 line left out]\n\nls"],
  ['git commit -m "$(cat <<E\na\nb', 'git commit -m "$(cat <<E\n[2 lines left out]'],
  ["echo '<<E'\nrm x", "echo '<<E'\nrm x"],
  ["cat <<<EOF\nrm x\nEOF", "cat <<<EOF\nrm x\nEOF"],
  ["echo $((1<<2))\nrm x", "echo $((1<<2))\nrm x"],
  ['echo "<<E"\nrm x', 'echo "<<E"\nrm x'],
  ['echo "$(cat <<E\na', 'echo "$(cat <<E\n[1 line left out]'],
  ["cat <<\"A$'\"\na\nA$'\nls", "cat <<\"A$'\"\n[1 line left out]\nA$'\nls"],
  ["ls", "ls"],
  // A longer line ends none.
  ...[200, 201].map((length) => {
    const [head, end] = [`cat <<${"E".repeat(length)}`, "E".repeat(length)];
    const kept = length === 200 ? `[1 line left out]\n${end}\nls` : "[3 lines left out]";
    return [`${head}\na\n${end}\nls`, `${head}\n${kept}`] as const;
  }),
];

for (const [command, kept] of CASES) {
  test(`kept of a command: ${JSON.stringify(kept).slice(0, 80)}`, () => {
    assert.equal(withoutHereDocuments(command).text, kept);
  });
}

test("the bodies are told apart, in order", () => {
  const command = "cat <<A <<B\n1\n2\nA\n3\nB\ncat <<C\nC\ncat <<D\n4";
  assert.deepEqual(withoutHereDocuments(command).bodies, ["1\n2", "3", "4"]);
});

test("many here-documents cost no more than their length", () => {
  const start = performance.now();
  withoutHereDocuments("cat <<A\nx\nA\n".repeat(20_000));
  withoutHereDocuments("cat <<A <<B <<C\n".repeat(20_000) + "B\n");
  assert.ok(performance.now() - start < 2000);
});
