/** scripts/run.sh of a new skill: the same steps and the same frame, for callers that start shell scripts. */
export const runSh = (): string => `#!/bin/sh
# The steps are in run.js beside this file; its frame ends the output of both.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "\${NODE:-node}" "$here/run.js" "$@"
`
