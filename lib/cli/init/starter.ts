/** The policy that `caliban init` writes. It allows nothing that could change a file or reach a network. */
export const STARTER = `#:schema ./permissions.schema.json
#
# What a coding agent may do. The rules are tried from the top, and the first that fits a call
# decides. Where none fits, the built-in rules do: reading is allowed, everything else asks.
#
#   caliban perms explain Bash 'git push'          what would happen, and why
#   caliban perms add 'Bash(npm test:*)' allow     one more rule
#
# pattern   Tool, Tool(spec) or Tool:spec; in a command * is anything, and "npm test:*" is
#           "npm test" with any arguments
# action    allow, deny or ask
# comment   for people
# reason    on a deny: told to the agent, so that it can try something else

[[permissions.rules]]
pattern = "Read(**/.env)"
action = "deny"
comment = "Secrets stay out of the conversation"
reason = "Secrets are not to be read; ask the user for what you need"

[[permissions.rules]]
pattern = "Bash(git push:*)"
action = "ask"
comment = "Others see what is pushed"

[[permissions.rules]]
pattern = "Bash(git status:*)"
action = "allow"
`;
