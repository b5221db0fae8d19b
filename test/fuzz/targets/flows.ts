/** Flow files, their YAML, the configuration of a workspace, and what the process of scripts answers. */

import { readFlowTree } from '../../../src/service/flows/language/check-flows.ts'
import { COMMANDS } from '../../../src/service/flows/language/command-table.ts'
import { describeCommand } from '../../../src/service/flows/language/describe-command.ts'
import { flowLibrary } from '../../../src/service/flows/language/flow-library.ts'
import { planFlows } from '../../../src/service/flows/language/plan/plan-flows.ts'
import { looksLikeWorkspace, readWorkspace } from '../../../src/service/flows/language/plan/read-workspace.ts'
import { readFlow } from '../../../src/service/flows/language/read/read-flow.ts'
import { createFrameReader, encodeFrame } from '../../../src/service/flows/script/frames.ts'
import { memoryFlowFiles } from '../../support/flows/flow-files.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSameInPieces, expectThat, stateless, type Target } from '../target.ts'

const FLOW = `appId: com.example
name: Sign in
tags: [smoke, slow]
env:
  USER: ann
onFlowStart:
  - clearState
---
- launchApp:
    clearState: true
    permissions: { all: deny }
- tapOn:
    text: "Sign.*in"
    index: 1
    below: { id: title }
- inputText: \${USER}
- runFlow:
    when: { visible: Welcome, true: "\${1 > 0}" }
    commands:
      - back
- repeat:
    times: 3
    while: { notVisible: Done }
    commands: [scroll]
- assertVisible: &done
    text: Done
    enabled: true
- extendedWaitUntil: { visible: *done, timeout: 5000 }
- swipe: { start: "90%, 50%", end: "10%, 50%" }
- evalScript: \${output.x = 1}
- runFlow: other.yaml
`
const OTHER = 'appId: a\n---\n- runFlow: other.yaml\n- back\n'
const WORKSPACE = `flows: ["**", "!sub/*", "{a,b}[0-9]?.yaml"]
includeTags: [smoke]
excludeTags: slow
executionOrder:
  continueOnFailure: false
  flowsOrder: [a, b]
platform:
  android: { disableAnimations: true }
testOutputDir: out
`

const YAML_WORDS = [
  ...Object.keys(COMMANDS),
  ...['---\n', '- ', ': ', '\n  ', '\n    ', '&a ', '*a', '<<: ', '!!str ', '|\n', '>-\n', '? ', '"', "'", '# ', '\t'],
  ...[
    '${',
    '}',
    'when',
    'commands',
    'env',
    'visible',
    'point',
    'text',
    'id',
    'below',
    'childOf',
    'containsDescendants',
  ],
  ...['~', 'null', 'true', '50%', '50%, 50%', '.*', '(a+)+$', '[', '**/', '{a,b}', '?', '!'],
] as unknown as readonly [string, ...string[]]

const inYaml = mutateText(YAML_WORDS)
const mutateYaml = oneOf(inYaml, mutateLines(inYaml), mutateLines(inYaml), mutateBytes)

const expectProblems = (problems: readonly { message: string }[]): void => {
  expectThat(problems.length > 0, 'a refusal without a problem')
  for (const { message } of problems) {
    expectThat(/[.?]$/.test(message), `no sentence: ${message}`)
  }
}

export const flows: Target = {
  name: 'flows',
  seeds: [FLOW, OTHER],
  mutate: mutateYaml,
  open: stateless(async input => {
    const read = readFlow(input, '/w/a.yaml')
    looksLikeWorkspace(input, '/w/a.yaml')
    if (!read.ok) {
      expectProblems(read.problems)
      return 'refused'
    }
    for (const command of read.flow.commands) expectThat(describeCommand(command) !== '', 'a command without words')
    const files = memoryFlowFiles({ '/w/other.yaml': OTHER, '/w/a.yaml': input.toString('utf8') })
    await readFlowTree(flowLibrary(files), '/w/a.yaml')
    return 'accepted'
  }),
}

const FLOWS = Object.fromEntries(
  ['a1x', 'b', 'sub/c', 'sub/deep/d', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'].map(name => [
    `/w/${name}.yaml`,
    `appId: a\ntags: [smoke]\nname: ${name}\n---\n- back\n`,
  ]),
)

export const workspaces: Target = {
  name: 'workspaces',
  seeds: [WORKSPACE, 'flows: "*"', ''],
  mutate: mutateYaml,
  open: stateless(async input => {
    const read = readWorkspace(input, '/w/config.yaml')
    if (!read.ok) {
      expectProblems(read.problems)
      return 'refused'
    }
    const files = memoryFlowFiles({ ...FLOWS, '/w/config.yaml': input.toString('utf8') })
    const { flows: planned } = await planFlows(flowLibrary(files), { paths: ['/w'], includeTags: [], excludeTags: [] })
    expectThat(
      planned.every(({ file }) => file in FLOWS),
      'a flow that is not there',
    )
    return 'accepted'
  }),
}

export const scriptFrames: Target = {
  name: 'script-frames',
  seeds: [Buffer.concat([encodeFrame({ kind: 'done', value: 1 }, 'body'), encodeFrame(null)])],
  mutate: mutateBytes,
  open: stateless(input => {
    const frames = expectSameInPieces(input, pieces => {
      const read = createFrameReader()
      try {
        return pieces.flatMap(read)
      } catch (error) {
        // The process of scripts is ours: what it cannot have written ends it.
        if (error instanceof SyntaxError || (error instanceof Error && error.constructor === Error)) return undefined
        throw error
      }
    })
    return (frames ?? []).length > 0 ? 'accepted' : 'refused'
  }),
}
