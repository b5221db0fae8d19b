/** SKILL.md of a new skill: what its author fills in, and the rules that keep a skill from being flaky. */

import type { RegistryEntry } from '../../../contracts/registry.ts'
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skill-result.ts'

const recordingSection = (recording: string | undefined): string =>
  recording === undefined
    ? ''
    : `
## Recording

\`${recording}\` in this folder is the recording that this skill is to be made from.
`

export const skillMd = ({ id, applicationId, summary }: RegistryEntry, recording?: string): string => `---
name: ${id}
description: ${JSON.stringify(summary)}
---

# ${id}

${summary}

Application: \`${applicationId}\`
${recordingSection(recording)}
## What it does

To be written: the screen it starts from, the steps it takes, and the screen or value it ends with.

## Inputs

None yet. Arguments after the skill id reach \`scripts/run.js\` unchanged; with \`--device\` the device comes first.

## Steps

As it was made, the script takes one snapshot and says which application is in front. Replace that in \`scripts/run.js\`
with the steps of this skill, each with a checkpoint.

## Rules

1. No fixed sleeps. A sleep is too short on a slow day and wasted on every other one: wait for what you need to see.
2. \`open_app\` guarantees only that the package is in the foreground, not that its content is there. Wait for a node of
   the screen before you act on it.
3. Prefer \`wait_for_node\`, \`read_text\` and \`snapshot\`. Where none of them says what you must know, poll: a short loop with
   a limit of rounds *and* of time, and a failure that names what did not come.
4. Give every wait its own timeout, shorter than the run's (120000 ms unless the caller says otherwise). A larger
   \`--timeout\` does not make a skill faster.
5. A failed action ends its execution. Read \`errorCode\` and \`data.error\`; do not send the same thing again blindly when it
   may have happened.
6. Read what you conclude from the screen: report what was observed, never what was expected.
7. Exactly one terminal frame, and nothing after it: the line \`${SKILL_RESULT_MARKER}\`, then one SkillResult as a JSON
   object (\`contractVersion\` \`${SKILL_RESULT_VERSION}\`). It has no \`source\`: the runner adds it. Logs go to stderr.
8. Exit 0 when the steps were done, other than 0 when they were not; the frame says \`failed\` then as well.

## Terminal verification

None yet. When the end can be proved on the screen, declare it as \`contract.verification\`, in \`skill.json\` and in the
registry entry alike, and report what was seen as \`terminalVerification\` in the frame.

## Try it

\`\`\`sh
svc skills validate ${id} --dry-run
svc skills run ${id} --device <serial>
\`\`\`

Without a phone, \`svc simulate\` gives you a device that is always the same.
`
