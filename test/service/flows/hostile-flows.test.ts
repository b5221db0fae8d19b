// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A flow that asks for too much is a fault of the suite: the whole run fails with a clear error, whoever asks for it. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestRun } from '../../../src/contracts/flows/test-run.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { type FlowLab, startFlowLab, suiteScenario } from '../../support/flows/flow-lab.ts'
import { labDeps, listen, type ServedApp } from '../../support/http/http-server.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const root = temporary('svc-hostile-flows-')
const HEADER = 'appId: com.example\n---\n'
const LEVELS = 3_000

const nested = (open: string, inner: string, close: string) => open.repeat(LEVELS) + inner + close.repeat(LEVELS)
const aliases = Array.from(
  { length: 12 },
  (_, at) => `a${at}: &a${at} [${Array(10).fill(at === 0 ? 'x' : `*a${at - 1}`)}]`,
)

const HOSTILE: readonly (readonly [name: string, yaml: string, message: RegExp])[] = [
  ['a long random text', '- inputRandomText: {length: 1e9}', /length must be a whole number of at most 10000/],
  ['one by expression', '- inputRandomText: {length: "${1e9}"}', /length must be a whole number of at most 10000/],
  ['deep runFlow', `- ${nested('runFlow: {commands: [', 'back', ']}')}`, /nested deeper than 64 levels/],
  ['deep maps', `- tapOn: ${nested('{below: ', 'a', '}')}`, /nested deeper than 64 levels/],
  ['deep lists', `- tapOn: ${nested('[', 'a', ']')}`, /nested deeper than 64 levels/],
  ['deep blocks', nested('- ', 'back', ''), /nested deeper than 64 levels/],
  ['deep templates', `- inputText: '${nested('${', '1', '}')}'`, /script failed|SyntaxError/],
  ['deep templates in backticks', `- inputText: '${nested('${`', '1', '`}')}'`, /script failed/],
  ['deep brackets', `- inputText: '\${${nested('[', '1', ']')}}'`, /./],
  ['deep brackets of a condition', `- runFlow: {when: {true: '\${${nested('(', '1', ')')}}'}, commands: [back]}`, /./],
  [
    'a deep value',
    "- assertTrue: '${(() => { let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; JSON.stringify(a) })()}'",
    /script failed/,
  ],
  ['a value in a circle', "- inputText: '${(() => { const a = {}; a.a = a; throw a })()}'", /./],
  ['aliases of aliases', `- runFlow: {commands: *a11}`, /more than 10000 values|10000 values/],
  ['a pattern that is too long', '- tapOn: \'${"(a+)+".repeat(5000)}\'', /at most 10000 characters/],
]

let lab: FlowLab
let served: ServedApp
beforeAll(async () => {
  lab = await startFlowLab({ scenario: suiteScenario('test/fixtures/flows/suite.scenario.json'), count: 1 })
  served = await listen(labDeps(lab))
})
afterAll(async () => {
  await served.server.close({ graceMs: 1_000 })
  await lab.close()
})

const yamlOf = (name: string, lines: string) =>
  `${name.startsWith('aliases') ? `appId: com.example\n${aliases.join('\n')}\n---\n` : HEADER}${lines}\n`

const FAULT = /^(FLOW_INVALID|SCRIPT_FAILED)$/

type Failure = { verdict: TestRun['verdict']; error: TestRun['error'] }

/** What cannot run is refused with the same error that a run of it would end with. */
const posted = async (yaml: string): Promise<Failure> => {
  const headers = { 'content-type': 'application/json' }
  const url = `${served.url}/test-runs`
  const begun = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ yaml }) })).json()
  if (!begun.ok) return { verdict: 'failed', error: begun.error }
  let run: TestRun | undefined
  await until(async () => {
    run = ((await (await fetch(`${url}/${begun.testRunId}`)).json()) as { testRun: TestRun }).testRun
    return run.state === 'ended'
  }, 'the run to end')
  if (run === undefined) throw new Error('no run')
  return failureOf(run)
}

const failureOf = ({ verdict, error, flows }: TestRun): Failure => ({
  verdict,
  error: error ?? flows[0]?.attempts[0]?.error,
})

test.each(HOSTILE)('%s', async (name, lines, message) => {
  const { verdict, error } = await posted(yamlOf(name, lines))
  expect({ verdict, code: error?.code }, error?.message).toEqual({
    verdict: 'failed',
    code: expect.stringMatching(FAULT),
  })
  expect(error?.message).toMatch(message)
  const { line } = (error ?? {}) as { line?: number }
  expect(line ?? Number(/:(\d+)(?::\d+)?: /.exec(error?.message ?? '')?.[1])).toBe(name.startsWith('aliases') ? 2 : 3)
})

test.each(HOSTILE.slice(0, 3))('svc test: %s', async (name, lines, message) => {
  const folder = mkdtempSync(join(root(), 'flow-'))
  writeFileSync(join(folder, 'main.yaml'), yamlOf(name, lines))
  const scenario = resolve('test/fixtures/flows/suite.scenario.json')
  const args = ['test', 'main.yaml', `--simulate=${scenario}`, '--json']
  const { code, stdout } = await runCliHere(args, { cwd: folder, env: { HOME: folder } })
  const { verdict, error } = failureOf(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').testRun)
  expect({ code, verdict }, stdout).toEqual({ code: 1, verdict: 'failed' })
  expect(error?.message).toMatch(message)
})
