/** Secrets of a run of flows: typed as they are, in no journal, and in nobody else's hands while the run goes on. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import { attemptOf, type FlowLab, startFlowLab, suiteScenario } from '../../support/flows/flow-lab.ts'
import { until } from '../../support/until.ts'

const SCENARIO = 'test/fixtures/flows/suite.scenario.json'
const OPEN_FORM = join(process.cwd(), 'test/fixtures/flows/suite/subflows/open-form.yaml')
const TOKEN = /\[secret \w+ [0-9a-f]{12}\]/

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const start = async (count = 1) => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05, count })
  return lab
}

const flowFile = (commands: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-secrets-')), 'types.yaml')
  writeFileSync(file, `appId: com.example.depot\n---\n${commands}`)
  return file
}

/** Everything that the journal has, bodies as they were written. */
const recordedIn = ({ services }: FlowLab): string => {
  const journal = services.journal()
  const records = journal.actors({ limit: 1_000 }).flatMap(({ actor }) => journal.records({ actor }))
  return records
    .map(record => JSON.stringify([record, record.digest === null ? null : journal.body(record)]))
    .join('\n')
}

test('secrets that are words of svc, or of tokens, are typed as they are, and the flow passes', async () => {
  const words = ['enter_text', 'success', 'text', 'wait_for_node', 'secret', 'params', 'settled', 'button', 'home']
  words.push('actions', 'step-1', 'executionId', 'down', 'hidden')
  const env = Object.fromEntries(words.map((word, at) => [`S${at}`, word]))
  const typed = words.flatMap((_, at) => [
    `- eraseText: 30`,
    `- inputText: \${S${at}}`,
    `- assertVisible: "Typed: \${S${at}}"`,
  ])
  const file = flowFile([`- runFlow: ${OPEN_FORM}`, '- tapOn: Name', ...typed, '- pressKey: Home'].join('\n'))
  const { run } = await (await start()).run([file], { env, secrets: Object.keys(env) })
  expect(attemptOf(run, 'types')).toMatchObject({ verdict: 'passed' })
})

test('a secret is in no record, however a text spells it, and a link has it as the flow has spelled it', async () => {
  const secret = `p&"w' ü/1`
  const own = await start()
  const file = flowFile(
    [
      `- runFlow: ${OPEN_FORM}`,
      '- tapOn: Name',
      '- inputText: ${PW}',
      '- assertVisible: "Typed: ${PW}"',
      '- copyTextFrom: "Typed:.*"',
      '- takeScreenshot: "shot-${PW.length}"',
      '- openLink: "depot://list?p=${encodeURIComponent(PW)}"',
      '- assertVisible: "Missing ${PW}"',
    ].join('\n'),
  )
  const { run } = await own.run([file], { env: { PW: secret }, secrets: ['PW'] })
  const attempt = attemptOf(run, 'types')
  expect(attempt.error).toMatchObject({ message: expect.stringMatching(TOKEN) })
  const recorded = recordedIn(own)
  expect(recorded).toMatch(TOKEN)
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), 'p&amp;', 'cCYidycg']
  for (const spelling of spellings) expect(`${recorded}${JSON.stringify(run)}`).not.toContain(spelling)
})

test('whoever sends a token while the run goes on has it typed as it stands', async () => {
  const own = await start(2)
  const [ran, other] = own.fleet.devices
  if (!ran || !other) throw new Error('there are no two phones')
  const waiting = '- extendedWaitUntil: { visible: "The other caller is done", timeout: 600000 }'
  const file = flowFile([`- runFlow: ${OPEN_FORM}`, '- tapOn: Name', '- inputText: ${PW}', waiting].join('\n'))
  const runs = await own.services.testRuns()
  const begun = await runs.start({
    ...{ paths: [file], cwd: process.cwd(), caller: 'cli', devices: [ran.serial], outputFolder: own.output },
    ...{ env: { PW: 'hunter2' }, secrets: ['PW'] },
  })
  if (!begun.ok) throw new Error(begun.error.message)
  await until(() => TOKEN.test(recordedIn(own)), 'the token to be recorded')
  const [token = ''] = TOKEN.exec(recordedIn(own)) ?? []
  const typed = await own.execute(
    [
      { id: 'o', type: 'open_uri', params: { uri: 'depot://form' } },
      { id: 't', type: 'enter_text', params: { matcher: { role: 'textfield', textEquals: 'Name' }, text: token } },
      { id: 's', type: 'snapshot' },
    ],
    { deviceId: other.serial, operatorPackage: 'svc.shell' },
  )
  expect(JSON.stringify(typed)).toContain(token)
  const shown = [...walk(other.phone.tree()?.roots ?? [])].map(({ node }) => node.text)
  expect(shown).toContain(token)
  expect(shown.join(' ')).not.toContain('hunter2')
  await runs.cancel(begun.testRunId)
  await begun.ended
})
