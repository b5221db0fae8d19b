/** A skill that runs a flow: its script calls `svc test`, and its frame says the verdict. */
import { posix } from 'node:path'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import { SECRET_WORDS } from '../record/secret-fields.ts'
import type { SkillContent } from './new-skill.ts'
import { SCRIPT_ENDING, SCRIPT_INPUTS } from './script-parts.ts'

export interface SkillFlow {
  /** The main flow, below the folder of the skill. */
  readonly file: string
  /** With every file that it reads, by their paths below the folder of the skill. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The variables that nobody sets but the caller. */
  readonly variables: readonly string[]
}

interface FlowInput {
  readonly name: string
  readonly variable: string
  /** The value goes to svc in the environment, which keeps it out of the journal and of reports. */
  readonly isSecret: boolean
}

const inputsOf = (variables: readonly string[]): FlowInput[] =>
  variables.map(variable => ({ name: variable, variable, isSecret: SECRET_WORDS.test(variable) }))

export const inputFlag = (variable: string): string => `--${variable.replace(/_+/g, '-').toLowerCase()}`

const json = (value: unknown) => JSON.stringify(value)

const runJs = ({ id }: RegistryEntry, file: string, inputs: readonly FlowInput[]): string => `#!/usr/bin/env node
// Runs ${id}: its flow, with svc test through SVC_BIN, and ends with one terminal frame.
// Imports are dynamic so that this file loads whether or not a package.json around it says "type": "module".

const SKILL_ID = ${json(id)}
const FLOW = ${json(posix.join('..', file))} // from this folder
const INPUTS = ${json(inputs)}
const CALL_MS = 3600000 // until a call that does not come back is ended; the timeout of the skill run ends it earlier
const OUTPUT_BYTES = 64 * 1024 * 1024

const { argv, env, execPath, stderr, stdout } = process
const { SVC_BIN = 'svc', SVC_DEVICE_ID, SVC_OPERATOR_PACKAGE } = env

// With --device the device is the first argument, and the caller's own follow.
const all = argv.slice(2)
const args = SVC_DEVICE_ID && all[0] === SVC_DEVICE_ID ? all.slice(1) : all

const checkpoints = []

${SCRIPT_INPUTS}

/** Runs the flow, and resolves to the JSON that svc test prints; SVC_BIN is a program, or a script for this Node. */
const test = async inputs => {
  const { execFile } = await import('node:child_process')
  const { dirname, resolve } = await import('node:path')
  const secrets = INPUTS.filter(({ isSecret }) => isSecret)
  const words = [
    'test',
    resolve(dirname(argv[1]), FLOW),
    ...INPUTS.flatMap(({ name, variable, isSecret }) => ['-e', isSecret ? variable : \`\${variable}=\${inputs[name]}\`]),
    ...(SVC_DEVICE_ID ? ['--device', SVC_DEVICE_ID] : []),
    ...(SVC_OPERATOR_PACKAGE ? ['--operator-package', SVC_OPERATOR_PACKAGE] : []),
    '--output',
    'json',
  ]
  const script = /\\.[cm]?js$/.test(SVC_BIN) ? [SVC_BIN] : []
  const program = script.length > 0 ? execPath : SVC_BIN
  const own = { ...env, ...Object.fromEntries(secrets.map(({ name, variable }) => [variable, inputs[name]])) }
  const options = { env: own, timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES }
  return new Promise((done, reject) => {
    const child = execFile(program, [...script, ...words], options, (error, answer) => {
      try {
        done(JSON.parse(answer))
      } catch {
        reject(new Error(\`\${SVC_BIN} test printed no result: \${error ? error.message : 'no JSON'}\`))
      }
    })
    child.stderr.pipe(stderr)
    child.stdin.on('error', () => {}) // a program that could not be started reads nothing
    child.stdin.end()
  })
}

const reasonOf = ({ code, message }) => \`\${code}: \${message}\`

const run = async inputs => {
  const { testRun, ...refused } = await test(inputs)
  if (!testRun) throw new Error(reasonOf(refused))
  const { testRunId, verdict, flows, error } = testRun
  const [flow] = flows
  const attempt = flow && flow.attempts[flow.attempts.length - 1]
  const broke = error || (attempt && attempt.error)
  const isPassed = verdict === 'passed'
  checkpoints.push({ id: 'flow', status: isPassed ? 'ok' : 'failed', ...(broke ? { note: reasonOf(broke) } : {}) })
  if (!isPassed) {
    process.exitCode = 1
    stderr.write(\`\${broke ? reasonOf(broke) : \`the flow is \${verdict}\`}\\n\`)
  }
  return {
    status: isPassed ? 'success' : verdict === 'indeterminate' ? 'indeterminate' : 'failed',
    result: { kind: 'json', value: { testRunId, verdict, flowRunId: attempt ? attempt.flowRunId : null } },
    ...(broke ? { diagnostics: { warnings: [reasonOf(broke)], ...(broke.hint ? { hints: [broke.hint] } : {}) } } : {}),
  }
}

${SCRIPT_ENDING}
`

const inputRow = ({ variable, isSecret }: FlowInput): string =>
  `- \`${inputFlag(variable)} <text>\` (required): \`\${${variable}}\` of the flow.${
    isSecret
      ? ' Its value stays out of journal and reports; the frame of a run repeats it, as it repeats every input.'
      : ''
  }`

const skillMd = ({ id, applicationId, summary }: RegistryEntry, file: string, inputs: readonly FlowInput[]): string => {
  const flags = inputs.map(({ variable }) => ` ${inputFlag(variable)} <text>`).join('')
  return `---
name: ${id}
description: ${json(summary)}
---

# ${id}

${summary}

Application: \`${applicationId}\`

\`scripts/run.js\` runs the flow \`${file}\` with \`svc test\`. Change what the skill does in that file; whatever it reads is
beside it.

## Inputs

${inputs.length === 0 ? 'None.' : inputs.map(inputRow).join('\n')}

## Result

\`{testRunId, verdict, flowRunId}\`. The skill succeeds when the flow has passed. \`svc executions list --skill-run <flowRunId>\`
lists what it did.

## Terminal verification

None: the assertions of the flow prove its end. To have svc compare a text as well, declare it as \`contract.verification\` in
\`skill.json\` and in the registry entry alike, and report what was seen as \`terminalVerification\` in the frame.

## Try it

\`\`\`sh
svc skills validate ${id} --dry-run
svc test ${file} --validate-only
svc skills run ${id} --device <serial>${flags}
\`\`\`

A run ends after 120000 ms unless the caller gives more time: \`--timeout <ms>\`.
`
}

export const flowSkill =
  ({ file, files, variables }: SkillFlow) =>
  (plain: RegistryEntry): SkillContent => {
    const inputs = inputsOf(variables)
    const contract = {
      inputs: Object.fromEntries(inputs.map(({ name }) => [name, 'string'])),
      goal: { kind: 'flow' },
      verification: null,
    }
    const entry: RegistryEntry = { ...plain, contract }
    return { entry, texts: { skillMd: skillMd(entry, file, inputs), runJs: runJs(entry, file, inputs), more: files } }
  }
