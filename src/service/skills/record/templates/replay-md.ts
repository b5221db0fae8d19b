/** SKILL.md of a recorded skill: what it does, what it takes, what it proves and why that was chosen. */
import type { Action } from '../../../../contracts/executions/action.ts'
import type { RegistryEntry } from '../../../../contracts/skills/registry.ts'
import type { Input } from '../extract-inputs.ts'
import type { IdentifyingText } from '../identifying-text.ts'

interface ReplayDescription {
  entry: RegistryEntry
  actions: readonly Action[]
  inputs: readonly Input[]
  verification: IdentifyingText | undefined
  executions: readonly string[]
  notes: readonly string[]
  /** In the folder of the skill, or an absolute path. */
  scenario: string | undefined
  /** In the folder of the skill. */
  flowFile: string | undefined
}

/** Fit for one line of a list: what was recorded may hold anything. */
const plain = (text: string) => text.replace(/[\s\p{Cc}`]+/gu, ' ').trim()

const TOLD = 160

const actionText = ({ type, params }: Action): string => {
  const values = params === undefined ? '' : ` \`${plain(JSON.stringify(params)).slice(0, TOLD)}\``
  return `${type}${values}`
}

const shellValue = ({ secret, value }: Input) => (secret ? '<value>' : `'${plain(value).replaceAll("'", "'\\''")}'`)
const flagsOf = (inputs: readonly Input[]) => inputs.map(input => ` --${input.name} ${shellValue(input)}`).join('')

const inputRow = (input: Input) =>
  input.secret
    ? `- \`--${input.name} <text>\` (required): typed into a password field. Its value is not in this folder. The frame of a run\n  repeats it, as it repeats every input.`
    : `- \`--${input.name} <text>\` (required): was \`${plain(input.value)}\` when this was recorded.`

const verificationText = (anchor: IdentifyingText | undefined): string =>
  anchor === undefined
    ? `None: nothing that was seen after the last step is a text that stays the same on another day. Record again with a
\`svc snapshot\` at the end, or declare \`contract.verification\` in \`skill.json\` and in the registry entry alike.`
    : `The text \`${plain(anchor.expected)}\` is read from the last screen (\`${plain(JSON.stringify(anchor.read))}\`) and compared. It was
chosen because ${anchor.reasons.map(plain).join(', and ')}. It has no number, date or time in it, and is not merely the value of a
parameter. It is a proposal: if another text says more about the outcome, put that into \`contract.verification\` in \`skill.json\`
and in the registry entry alike, and into \`VERIFICATION\` and the recipe \`verify\`.`

const scenarioText = ({ entry, inputs, scenario }: ReplayDescription): string =>
  scenario === undefined
    ? ''
    : `
Without a phone, on the screens that were seen while it was recorded (in this folder):

\`\`\`sh
svc simulate --scenario ${scenario} --port 41001 &
SVC_TCP_DEVICES=127.0.0.1:41001 svc skills run ${entry.id} --device 127.0.0.1:41001${flagsOf(inputs)}
\`\`\`

That phone knows one way through the app: the recorded one.
`

/** A secret comes from the environment; a value in the command line would be in the journal. */
const variableFlags = (inputs: readonly Input[]): string =>
  inputs.map(input => (input.secret ? ` -e ${input.variable}` : ` -e ${input.variable}=${shellValue(input)}`)).join('')

const flowText = ({ inputs, flowFile }: ReplayDescription): string =>
  flowFile === undefined
    ? ''
    : `
The same steps as a flow of Maestro, which asserts where it ends (in this folder):

\`\`\`sh
svc test ${flowFile}${variableFlags(inputs)}
\`\`\`
`

export const replayMd = (description: ReplayDescription): string => {
  const { entry, actions, inputs, verification, executions, notes } = description
  return `---
name: ${entry.id}
description: ${JSON.stringify(entry.summary)}
---

# ${entry.id}

${entry.summary}

Application: \`${entry.applicationId}\`

A replay: one fixed path, recorded from executions that succeeded (${executions.length}; the first is \`${executions[0] ?? ''}\`).
\`scripts/run.js\` compiles the recipes in \`artifacts/\` with the inputs and runs them.

## Inputs

${inputs.length === 0 ? 'None.' : inputs.map(inputRow).join('\n')}

## Steps

${actions.map((action, index) => `${index + 1}. ${actionText(action)}`).join('\n')}

Where time had passed before a step when it was recorded, the recipe waits for the node that the step needs.
${notes.length === 0 ? '' : `\nTo know:\n\n${notes.map(note => `- ${plain(note)}.`).join('\n')}\n`}
## Terminal verification

${verificationText(verification)}

## Try it

\`\`\`sh
svc skills validate ${entry.id} --dry-run
svc skills run ${entry.id} --device <serial>${flagsOf(inputs)}
\`\`\`
${scenarioText(description)}${flowText(description)}`
}
