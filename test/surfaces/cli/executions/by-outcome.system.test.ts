/** `svc executions list --outcome`: the words of receipts, beside the other filters. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ReceiptOutcome } from '../../../../src/contracts/executions/evidence.ts'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { executions } from '../../../../src/surfaces/cli/commands/executions.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { recordCrashes } from '../../../support/cli/crashed-home.ts'
import { actionsOf, TAP } from '../../../support/executions/recorded-execution.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-by-outcome-')
let env: Record<string, string>
beforeAll(async () => {
  const home = mkdtempSync(join(folder(), 'h-'))
  env = { SVC_HOME: home, ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' }
  const actions = actionsOf(TAP)
  await recordCrashes(home, [
    { executionId: 'doubt', actions },
    { executionId: 'told', actions, evidence: { source: 'operator', at: Date.now(), outcome: 'done' } },
  ])
})

const idsOf = async (...args: string[]) => {
  const { executions: listed, ...rest } = (await runCliHere(['executions', 'list', ...args], { env })).json<{
    executions: Receipt[]
  }>()
  return { ...rest, ids: listed.map(({ executionId }) => executionId) }
}

test('lists those with the outcome', async () => {
  expect(await idsOf('--outcome', 'unknown')).toEqual({ count: 1, ids: ['doubt'] })
  expect(await idsOf('--outcome', 'done')).toEqual({ count: 1, ids: ['told'] })
  expect(await idsOf('--outcome', 'done', '--device', 'lost-0')).toEqual({ count: 0, ids: [] })
  const { stdout } = await runCliHere(['executions', 'list', '--outcome', 'failed', '--output', 'text'], { env })
  expect(stdout).toContain('No execution matches.')
})

test('refuses another word, and names the four', async () => {
  const { code, json } = await runCliHere(['executions', 'list', '--outcome', 'don'], { env })
  expect([code, json()]).toMatchObject([
    1,
    { code: 'USAGE', message: expect.stringMatching(/done, failed, not_sent, unknown.*Did you mean done\?/) },
  ])
})

test('help and completion have the words that receipts have', () => {
  const flag = executions
    .find(({ path }) => path.join(' ') === 'executions list')
    ?.flags?.find(({ name }) => name === 'outcome')
  expect(flag?.value?.split('|')).toEqual(ReceiptOutcome.options)
})
