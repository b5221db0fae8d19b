/** What is answered of an execution that is cancelled, whenever it ends meanwhile and whichever process runs it. */
import { expect, test } from 'vitest'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { heldOperator } from '../../support/executions/device-host.ts'
import { phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const running = async () => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock)
  const { held, operator } = heldOperator()
  const here = svcProcess({ journal, clock, link, operator: operator as never })
  const other = svcProcess({ journal, clock, link, pid: 2 })
  const running = here.execute(pressHome())
  await settled()
  const [port] = held
  if (!port) throw new Error('nothing runs')
  const { executionId } = port
  await port.send({ type: 'execution.dispatched', executionId, segment: 0 })
  const envelope = { commandId: 'c', taskId: 't', status: 'success', stepResults: [], error: null }
  const body = { ok: true, deviceId: 'd1', terminalSource: 'svc_result', operatorPackage: 'svc.shell', envelope }
  /** The phone has answered. */
  const end = () => port.send({ type: 'execution.settled', executionId, ok: true, body })
  return { clock, journal, here, other, executionId, end, running, body }
}

test.each(['here', 'other'] as const)(
  'one that ends in the moment of its cancellation is settled with its result, %s',
  async place => {
    const { [place]: process, executionId, end, body, running: answer, ...bench } = await running()
    const cancelled = process.executions.cancel(executionId)
    await end()
    expect(await answer).toMatchObject({ result: body })
    if (place === 'other') bench.clock.advance(1_000)
    expect(await cancelled).toMatchObject({ kind: 'settled', receipt: { executionId, state: 'settled', result: body } })
  },
)

test('one that is cancelled is told as cancelled to both who cancel it, and to its caller', async () => {
  const { here, executionId, running: answer } = await running()
  const both = await Promise.all([here.executions.cancel(executionId), here.executions.cancel(executionId)])
  expect(both).toMatchObject([{ kind: 'cancelled' }, { kind: expect.stringMatching(/cancelled|settled/) }])
  expect(await answer).toMatchObject({ result: { ok: false, error: { code: 'EXECUTION_CANCELLED' } } })
  expect(await here.executions.cancel(executionId)).toMatchObject({ kind: 'settled' })
})
