/** Skills: registries, skill.json, recipes, and the frames that scripts print. */
import * as v from 'valibot'
import { isObject } from '../../../src/contracts/json/json.ts'
import { SkillAgent, SkillContract } from '../../../src/contracts/skills/skill-json.ts'
import { SKILL_RESULT_MARKER } from '../../../src/contracts/skills/skill-result.ts'
import { parseJsonText } from '../../../src/service/executions/parse-json.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { completeRecipe, derivedIds, fillPlaceholders } from '../../../src/service/skills/compile/recipe.ts'
import { sameJson } from '../../../src/service/skills/read-json.ts'
import { checkRegistry } from '../../../src/service/skills/registry/load.ts'
import { createTerminalText, lastLineOf, plainLine } from '../../../src/service/skills/result/failure-reason.ts'
import { createFrameReader } from '../../../src/service/skills/result/frame-reader.ts'
import { parseSkillResult } from '../../../src/service/skills/result/parse-result.ts'
import { readInputs } from '../../../src/service/skills/result/verification.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectThat, type Mutate, stateless, type Target } from '../target.ts'

const ENTRY = {
  id: 'a.b.open',
  applicationId: 'a.b',
  intent: 'open',
  summary: 'Opens it.',
  path: 'skills/a.b.open',
  skillFile: 'skills/a.b.open/SKILL.md',
  scripts: ['skills/a.b.open/scripts/run.js'],
  artifacts: ['skills/a.b.open/artifacts/open.recipe.json'],
  keywords: ['open'],
}

const parsed = (input: Buffer): unknown => {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}

export const registries: Target = {
  name: 'skill-registries',
  seeds: [
    JSON.stringify({ skills: [ENTRY, { ...ENTRY, id: 'a.b.close', contract: { inputs: [] } }] }),
    '{"skills":[]}',
  ],
  mutate: mutateJson,
  open: stateless(input => {
    const read = checkRegistry(parsed(input))
    if (!read.ok) {
      expectThat(read.problem.startsWith('Invalid registry'), 'a refusal without a reason')
      return 'refused'
    }
    // Entries are printed and compared with what they are checked against.
    const again = checkRegistry(JSON.parse(JSON.stringify({ skills: read.skills })))
    expectThat(again.ok, 'a registry that was accepted, written and then refused')
    if (again.ok)
      expectThat(
        again.skills.every((entry, at) => sameJson(entry, read.skills[at])),
        'another entry',
      )
    for (const entry of read.skills) expectThat(entry.id !== '', 'a skill without an id')
    return 'accepted'
  }),
}

const CONTRACT = {
  inputs: { name: 'string', times: 'integer[1,5]' },
  goal: { kind: 'open', more: [1] },
  verification: { kind: 'node_text_matches', matcher: 'Hello {name}' },
}

export const skillFiles: Target = {
  name: 'skill-json',
  seeds: [
    JSON.stringify({ ...ENTRY, contract: CONTRACT, agent: { cli: 'claude', timeoutMs: 1_000 } }),
    JSON.stringify({ contract: { inputs: { n: 'integer' } }, agent: { cli: 'x', cliPath: '/x' } }),
  ],
  mutate: mutateJson,
  open: stateless(input => {
    const file = parsed(input)
    if (!isObject(file)) return 'refused'
    const agent = v.safeParse(SkillAgent, file.agent)
    const contract = v.safeParse(SkillContract, file.contract)
    if (contract.success) {
      readInputs(contract.output.inputs, ['--name', 'x', '--n', '1e999', '--__proto__', 'y'])
    }
    return agent.success || contract.success ? 'accepted' : 'refused'
  }),
}

const RECIPE = {
  commandId: 'c',
  taskId: 't',
  source: 'skill-artifact',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [
    { id: 's1', type: 'open_app', params: { applicationId: 'a.b' } },
    { id: 's2', type: 'click', params: { matcher: { textEquals: '{{NAME}}' } } },
    { id: 's3', type: 'enter_text', params: { text: '{{ TEXT }} and {{{{literal}}}}', submit: '{{ON}}' } },
  ],
}
const VARS = { NAME: '{{TEXT}}', TEXT: 'x', ON: true, __proto__: 'p' }

export const recipes: Target = {
  name: 'recipes',
  seeds: [JSON.stringify(RECIPE), JSON.stringify({ actions: [] })],
  mutate: mutateJson,
  open: stateless(input => {
    const read = parseJsonText(input.toString('utf8'), { what: 'open.recipe.json' })
    if (!read.ok) return 'refused'
    const filled = fillPlaceholders(read.value, VARS, 100_000)
    if (!filled.ok) return 'refused'
    const validated = validateExecution(completeRecipe(filled.value, derivedIds('a.b.open', 'open', VARS)))
    if (!validated.ok) {
      expectThat(validated.error.message !== '', 'a refusal without a reason')
      return 'refused'
    }
    const again = validateExecution(JSON.parse(JSON.stringify(validated.execution)))
    expectThat(again.ok, 'an execution that was accepted, written and then refused')
    if (again.ok) expectSame('the execution', again.execution, validated.execution)
    return 'accepted'
  }),
}

const RESULT = {
  contractVersion: '1.0.0',
  skillId: 'a.b.open',
  goal: { kind: 'open' },
  inputs: {},
  result: { kind: 'text', text: 'done' },
  status: 'success',
  checkpoints: [{ id: 'c1', status: 'ok', evidence: { kind: 'json', value: { a: [1] } }, note: null }],
  terminalVerification: { status: 'verified', expected: { kind: 'text', text: 'x' } },
  diagnostics: { runtimeState: 'healthy', warnings: ['w'] },
}
const MARKER = SKILL_RESULT_MARKER

const textsIn = (input: Buffer, size: number): string[] => {
  const text = input.toString('utf8')
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}

/** The JSON behind the marker. */
const mutateResult: Mutate = (input, tools) => {
  const at = input.indexOf(MARKER)
  const from = at < 0 ? 0 : at + MARKER.length + 1
  return Buffer.concat([input.subarray(0, from), mutateJson(input.subarray(from), tools)])
}

export const skillOutput: Target = {
  name: 'skill-output',
  seeds: [
    `working\n${MARKER}\n${JSON.stringify(RESULT)}\n`,
    `${MARKER}\n${JSON.stringify(RESULT, null, 2)}`,
    `\u001b[31mred\u001b[0m\r\n${MARKER}\r\n{}`,
  ],
  mutate: oneOf(
    mutateText([MARKER, '\n', '\r\n', '{', '}', '"', '\u001b[2K', '\r', '\u001b]0;']),
    mutateResult,
    mutateBytes,
  ),
  open: stateless(input => {
    const read = (size: number, columns?: number) => {
      const reader = createFrameReader(columns)
      let shown = ''
      for (const text of textsIn(input, size)) shown += reader.push(text)
      return { shown, frame: reader.end(), held: reader.held() }
    }
    const whole = read(Number.MAX_SAFE_INTEGER)
    for (const size of [1, 13]) {
      if (input.length > 4_096) continue
      const cut = read(size)
      expectSame('the frame', cut.frame, whole.frame)
      expectSame('the output', cut.shown + cut.held, whole.shown + whole.held)
    }
    read(Number.MAX_SAFE_INTEGER, 80)
    const text = input.toString('utf8')
    lastLineOf(text)
    plainLine(text)
    createTerminalText().push(text)
    if (whole.frame.kind !== 'framed') return 'refused'
    const source = { kind: 'script' } as never
    return parseSkillResult(whole.frame.json, { skillId: RESULT.skillId, source }).ok ? 'accepted' : 'refused'
  }),
}
