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
  ["ls", "ls"],
];

for (const [command, kept] of CASES) {
  test(`kept of a command: ${JSON.stringify(kept)}`, () => {
    assert.equal(withoutHereDocuments(command).text, kept);
  });
}

test("many here-documents cost no more than their length", () => {
  const start = performance.now();
  withoutHereDocuments("cat <<A\nx\nA\n".repeat(20_000));
  withoutHereDocuments("cat <<A <<B <<C\n".repeat(20_000) + "B\n");
  assert.ok(performance.now() - start < 2000);
});
