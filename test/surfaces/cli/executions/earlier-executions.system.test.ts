/** `svc executions show` of a look: it says what the execution before it of the same task did. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

let lab: Lab
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  lab = await startLab()
  env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices.map(({ serial }) => serial).join(',') }
})
afterAll(() => lab.close())

const CLICK = { id: 'a', type: 'click', params: { coordinate: { x: 5, y: 200 } } }
const LOOK = { id: 'a', type: 'snapshot' }

const idOf = async (action: object): Promise<string> => (await lab.execute([action])).executionId ?? ''
const shown = async (named: string): Promise<string> => {
  const { stdout } = await runCliHere(['executions', 'show', named, '--output', 'text'], { env })
  return stdout.replace(/[\u2066-\u2069]/g, '')
}

test('names the click that a look followed, and how it ended', async () => {
  const first = await idOf(LOOK)
  expect(await shown('last')).not.toContain('acted')
  const click = await idOf(CLICK)
  await idOf(LOOK)
  await idOf(LOOK)
  const text = await shown('last')
  expect(text).toContain(`This one only looks. Before it, ${click} of the same task acted. Yes: `)
  expect(await shown(click)).not.toContain('only looks')
  expect(await shown(first)).not.toContain('only looks')
})
