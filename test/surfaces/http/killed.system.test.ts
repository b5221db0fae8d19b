/** A server that is killed in mid-execution: the next one says what became of it, and the device saw it once. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lab, payloadOf, startLab } from '../../support/executions/lab.ts'
import { call, readEvents } from '../../support/http/http-client.ts'
import { startHttpProcess } from '../../support/http/http-process.ts'
import { until } from '../../support/until.ts'

let lab: Lab
const children: ChildProcess[] = []
beforeEach(async () => {
  lab = await startLab()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  }
  await lab.close()
})

const serve = () => startHttpProcess({ home: lab.home, serial: lab.fleet.devices[0]?.serial ?? '', children })

const execution = (durationMs: number) =>
  payloadOf([{ id: 'z', type: 'sleep', params: { durationMs } }], { commandId: 'doomed' })
const seen = () => lab.fleet.devices[0]?.phone.executions() ?? []

interface Outcome {
  deviceId: string
  input: unknown
  result: {
    ok: boolean
    error: { code: string; message: string; details: { executionId: string; dispatched: boolean } }
  }
}

test('kill -9: interrupted, with the right doubt, on the receipt and to those who come back', async () => {
  const first = await serve()
  const reader = await readEvents(`${first.url}/events`)
  await reader.have(1)
  const lost = expect(call(`${first.url}/execute`, { body: { execution: execution(8_000) } })).rejects.toThrow()
  await until(() => seen().length === 1, 'the device to have it')
  first.child.kill('SIGKILL')
  await first.ended
  await lost

  const second = await serve()
  const back = await readEvents(`${second.url}/events`, { 'Last-Event-ID': reader.events[0]?.id ?? '' })
  await back.have(2)
  const [told] = back.events.slice(1).map(({ event, data }) => ({ event, ...(data as Outcome) }))
  if (!told) throw new Error('nothing was told')
  const { event, deviceId, input, result } = told
  expect([event, deviceId, input]).toEqual(['svc:execution', lab.fleet.devices[0]?.serial, execution(8_000)])
  expect(result).toMatchObject({ ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } })
  const { executionId } = result.error.details
  const receipt = await call(`${second.url}/executions/${executionId}`)
  const { code, message, details } = result.error
  // A receipt that is looked at also tells which steps are known to have run, and what the others would have changed.
  const known = 'No step is known to have run. Whatever else may have run changes nothing on the device.'
  const knowing = {
    ok: false,
    error: { code, details, message: `${message.replace('; it may have executed.', '.')} ${known}` },
  }
  expect(receipt.json).toMatchObject({
    execution: { executionId, commandId: 'doomed', state: 'interrupted', result: knowing },
  })

  // The device is still at it, and nothing else is sent there before it is done.
  const refused = await call(`${second.url}/snapshot`, { body: {} })
  expect(refused).toMatchObject({ status: 423, json: { error: { details: { interrupted: { executionId } } } } })
  const next = await call(`${second.url}/snapshot`, { body: { waitMs: 30_000 } })
  expect(next.status).toBe(200)
  expect(seen().filter(({ wireId }) => wireId.startsWith(`${executionId}.`))).toHaveLength(1)
  await back.have(5)
  // The interrupted one, the refused one, and the result of the next.
  const outcomes = ['svc:execution', 'svc:execution', 'svc:result', 'svc:execution']
  expect(back.events.map(one => one.event)).toEqual(['heartbeat', ...outcomes])
  back.close()
})

test('SIGTERM: an execution in flight is finished and answered, streams end, and the process is gone', async () => {
  const { child, ended, url } = await serve()
  const reader = await readEvents(`${url}/events`)
  const answer = call(`${url}/execute`, { body: { execution: execution(1_000) } })
  await until(() => seen().length === 1, 'the device to have it')
  child.kill('SIGTERM')
  expect((await answer).status).toBe(200)
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await until(() => reader.isOver(), 'the stream to end')
})
