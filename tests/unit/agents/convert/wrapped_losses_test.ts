import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { wrappedLosses } from "../../../../lib/agents/convert/wrapped_losses.ts";

const allow = (pattern: string) => ({ pattern, action: "allow" } as const);

/** The details of the losses of one rule, beside others that are no loss. */
function detailOf(pattern: string, ...others: readonly string[]): string | undefined {
  const rule = allow(pattern);
  return wrappedLosses([rule, ...others.map(allow)]).get(rule);
}

const INNER = (program: string) =>
  `in caliban the command inside "${program}" needs its own allow rule`;

test("an allow of a program that runs others says that what it runs needs a rule", () => {
  for (
    const text of ["ssh host", "docker exec", "docker run", "docker-compose exec", "nerdctl exec"]
  ) {
    assert.equal(detailOf(`Bash(${text}:*)`), INNER(text.split(" ")[0]!), text);
    assert.equal(detailOf(`Bash:${text} *`), INNER(text.split(" ")[0]!), text);
  }
  for (
    const name of ["sudo", "doas", "env", "time", "xargs", "watch", "su -c", "chroot", "flock"]
  ) {
    assert.equal(detailOf(`Bash(${name}:*)`), INNER(name.split(" ")[0]!), name);
  }
  for (const name of ["bash", "dash", "zsh", "psql"]) {
    const detail = `caliban asks where the effect of "${name}" is unknown`;
    assert.equal(detailOf(`Bash(${name}:*)`), detail);
  }
});

test("rules that cover what runs lose nothing", () => {
  const others = ["git", "ls", "npm run", "make", "find", "docker ps", "unheard-of", "date", "gh"];
  for (const text of [...others, "sudo apt update", "docker exec db ls", "timeout 5 npm test"]) {
    assert.equal(detailOf(`Bash(${text}:*)`), undefined, text);
  }
  for (const pattern of ["Bash", "Bash:ssh host uptime", "Bash:~ssh", "Read:x", "ssh(x:*)"]) {
    assert.equal(detailOf(pattern), undefined, pattern);
  }
  assert.equal(detailOf("Bash(ssh:*)", "Bash"), undefined);
  assert.equal(wrappedLosses([{ pattern: "Bash(ssh:*)", action: "deny" }]).size, 0);
});

test("of very many rules of one program each has the loss of the others", () => {
  const many = Array.from({ length: 700 }, (_, at) => allow(`Bash(ssh h${at}:*)`));
  assert.equal(wrappedLosses(many).size, 700);
});
