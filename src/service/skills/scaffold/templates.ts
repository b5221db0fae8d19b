/** The texts of a new skill: SKILL.md with what its author fills in, and a script that runs. */
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skills/skill-result.ts'

/** An id holds letters, digits, dots, dashes and underscores only; it is quoted all the same. */
export const runJs = ({ id, applicationId }: RegistryEntry): string => `#!/usr/bin/env node
// Runs ${id}: does its steps on the device through SVC_BIN, and ends with one terminal frame.
// Imports are dynamic so that this file loads whether or not a package.json around it says "type": "module".

const SKILL_ID = ${JSON.stringify(id)}
const APPLICATION_ID = ${JSON.stringify(applicationId)}
const TIMEOUT_MS = 30000 // of one execution
const CALL_MS = TIMEOUT_MS + 15000 // until a call that does not come back is ended
const OUTPUT_BYTES = 64 * 1024 * 1024

const { argv, env, execPath, stdout } = process
const { SVC_BIN = 'svc', SVC_DEVICE_ID, SVC_OPERATOR_PACKAGE } = env

// With --device the device is the first argument, and the caller's own follow.
const args = argv.slice(2)
const inputs = SVC_DEVICE_ID && args[0] === SVC_DEVICE_ID ? args.slice(1) : args

const checkpoints = []

/** Calls svc and resolves to the JSON it prints; SVC_BIN is a program, or a script for this Node. */
const svc = async (words, stdin = '') => {
  const { execFile } = await import('node:child_process')
  const target = [
    ...(SVC_DEVICE_ID ? ['--device', SVC_DEVICE_ID] : []),
    ...(SVC_OPERATOR_PACKAGE ? ['--operator-package', SVC_OPERATOR_PACKAGE] : []),
  ]
  const script = /\\.[cm]?js$/.test(SVC_BIN) ? [SVC_BIN] : []
  const program = script.length > 0 ? execPath : SVC_BIN
  const options = { timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES }
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...script, ...words, ...target], options, (error, answer) => {
      try {
        resolve(JSON.parse(answer))
      } catch {
        reject(new Error(\`\${SVC_BIN} \${words[0]} printed no result: \${error ? error.message : 'no JSON'}\`))
      }
    })
    child.stdin.on('error', () => {}) // a program that could not be started reads nothing
    child.stdin.end(stdin)
  })
}

/** One execution: its actions in order. Resolves to the data of each step by its id; the first failed step throws. */
const exec = async actions => {
  const execution = {
    commandId: SKILL_ID,
    taskId: SKILL_ID,
    source: 'skill',
    expectedFormat: 'android-ui-automator',
    timeoutMs: TIMEOUT_MS,
    actions,
  }
  const { envelope, code, message } = await svc(['exec', '-'], JSON.stringify(execution))
  if (!envelope) throw new Error(\`\${code}: \${message}\`)
  if (envelope.status !== 'success') {
    throw new Error(\`\${envelope.errorCode}: \${envelope.error ? envelope.error.message : 'the execution failed'}\`)
  }
  return Object.fromEntries(envelope.stepResults.map(step => [step.id, step.data]))
}

/** The steps of the skill. Returns its result; every step worth knowing about leaves a checkpoint. */
const run = async () => {
  // A usual beginning: open the application, then wait for something that only its loaded screen shows.
  //
  //   await exec([
  //     { id: 'open', type: 'open_app', params: { applicationId: APPLICATION_ID } },
  //     { id: 'ready', type: 'wait_for_node', params: { matcher: { textContains: '...' }, timeoutMs: 15000 } },
  //   ])
  //   checkpoints.push({ id: 'opened', status: 'ok' })

  const { screen } = await exec([{ id: 'screen', type: 'snapshot' }])
  checkpoints.push({ id: 'screen', status: 'ok' })
  const foreground = screen.foreground_package || null
  const nodes = (screen.text.match(/<node /g) || []).length
  return { kind: 'json', value: { foreground, isInFront: foreground === APPLICATION_ID, nodes, inputs } }
}

/** The last thing on stdout, once. */
const finish = conclusion => {
  const frame = { contractVersion: '${SKILL_RESULT_VERSION}', skillId: SKILL_ID, ...conclusion, checkpoints }
  stdout.write(\`${SKILL_RESULT_MARKER}\\n\${JSON.stringify(frame)}\\n\`)
}

run().then(
  result => finish({ result, status: 'success' }),
  error => {
    process.exitCode = 1
    finish({ result: null, status: 'failed', diagnostics: { warnings: [String(error.message || error)] } })
  },
)
`

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
