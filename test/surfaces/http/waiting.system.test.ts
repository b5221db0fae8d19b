/** `waitMs` over HTTP and MCP: requests wait in their order, and leave the queue with their connection or their call. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { type ServingHere, startServeHere } from '../../support/cli/serve.ts'
import { HOLDING, letGo } from '../../support/executions/held-phone.ts'
import { type Lab, payloadOf, startLab } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { connectHttp } from '../../support/mcp-client.ts'
import { until } from '../../support/until.ts'

let lab: Lab
let served: ServingHere
beforeAll(async () => {
  lab = await startLab({ count: 4 })
  const serials = lab.fleet.devices.map(({ serial }) => serial).join(',')
  served = await startServeHere({ env: { HOME: lab.home, SVC_TCP_DEVICES: serials } })
})
afterAll(async () => {
  await served?.end()
  await lab.close()
})

const serialOf = (device: number) => lab.fleet.devices[device]?.serial ?? ''
const seenBy = (device: number) => lab.fleet.devices[device]?.phone.executions() ?? []

const receiptsOn = async (device: number): Promise<Receipt[]> => {
  const { json } = await call(`${served.url}/executions?deviceId=${encodeURIComponent(serialOf(device))}`)
  return (json as { executions: Receipt[] }).executions
}
const waiting = (device: number, count: number) =>
  until(
    async () => (await receiptsOn(device)).filter(({ state }) => state === 'waiting').length === count,
    `${count} requests to wait`,
  )

/** The answer of the request that has the phone until it is let go. */
const hold = async (device: number) => {
  const answer = call(`${served.url}/execute`, { body: { execution: HOLDING, deviceId: serialOf(device) } })
  await until(() => seenBy(device).length === 1, 'the phone to be busy')
  return answer
}

const idOf = (json: unknown) => (json as { executionId?: string }).executionId

test('execute, snapshot, screenshot and resume wait, and run in the order in which they came', async () => {
  const deviceId = serialOf(0)
  const failed = payloadOf([
    { id: 'a', type: 'snapshot' },
    { id: 'b', type: 'click', params: { matcher: { textEquals: 'nowhere' } } },
  ])
  const before = await call(`${served.url}/execute`, { body: { execution: failed, deviceId } })
  const failedId = (await receiptsOn(0))[0]?.executionId ?? ''
  expect([before.status, idOf(before.json) ?? failedId]).toEqual([200, failedId])
  const count = seenBy(0).length
  const holding = call(`${served.url}/execute`, { body: { execution: HOLDING, deviceId } })
  await until(() => seenBy(0).length === count + 1, 'the phone to be busy')
  const body = { deviceId, waitMs: 60_000 }
  const requests: [string, object][] = [
    ['/execute', { ...body, execution: payloadOf([{ id: 'h', type: 'press_key', params: { key: 'home' } }]) }],
    ['/snapshot', body],
    ['/screenshot', body],
    [`/executions/${failedId}/resume`, { ...body, fromStep: 'b' }],
  ]
  const answers: Promise<{ status: number }>[] = []
  for (const [index, [path, sent]] of requests.entries()) {
    answers.push(call(`${served.url}${path}`, { body: sent }))
    await waiting(0, index + 1)
  }
  const queued = (await receiptsOn(0)).filter(({ state }) => state === 'waiting').reverse()
  const places = await Promise.all(queued.map(({ executionId }) => call(`${served.url}/executions/${executionId}`)))
  expect(places.map(({ json }) => (json as { execution: Receipt }).execution.place)).toEqual([1, 2, 3, 4])
  letGo(lab.fleet, 0)
  expect((await Promise.all([holding, ...answers])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const begun = (await receiptsOn(0))
    .filter(({ waitedMs }) => waitedMs !== undefined)
    .sort((a, b) => a.acceptedAt - b.acceptedAt)
  expect(begun.map(({ executionId }) => executionId)).toEqual(queued.map(({ executionId }) => executionId))
})

test('a request leaves the queue with its connection, and is over by DELETE', async () => {
  const holding = await Promise.race([
    hold(1).then(() => 'over'),
    until(() => seenBy(1).length === 1, 'the phone').then(() => 'held'),
  ])
  expect(holding).toBe('held')
  const body = JSON.stringify({ deviceId: serialOf(1), waitMs: 60_000 })
  const headers = { 'Content-Type': 'application/json' }
  const leaving = request(`${served.url}/snapshot`, { method: 'POST', headers })
  leaving.on('error', () => {})
  leaving.end(body)
  await waiting(1, 1)
  const cancelled = call(`${served.url}/snapshot`, { body: JSON.parse(body) })
  await waiting(1, 2)
  const [second, first] = await receiptsOn(1)
  leaving.destroy()
  await waiting(1, 1)
  expect((await call(`${served.url}/executions/${second?.executionId}`, { method: 'DELETE' })).status).toBe(200)
  expect((await cancelled).json).toMatchObject({
    error: {
      code: 'EXECUTION_CANCELLED',
      details: { dispatched: false, holder: { executionId: second?.executionId } },
    },
  })
  letGo(lab.fleet, 1)
  await until(async () => (await receiptsOn(1)).every(({ state }) => state === 'settled'), 'all to be over')
  expect(await receiptsOn(1)).toMatchObject([
    { accepted: false },
    { executionId: first?.executionId, accepted: false },
    {},
  ])
  expect(seenBy(1)).toHaveLength(1)
})

test('over MCP it says its place, and leaves when the call is cancelled', async () => {
  void hold(2).catch(() => {})
  await until(() => seenBy(2).length === 1, 'the phone to be busy')
  const caller = await connectHttp(served.url, 'legacy')
  const said: string[] = []
  const args = { key: 'home', device: serialOf(2), waitMs: 60_000 }
  const first = caller.call('press', args, { onprogress: message => void said.push(message) })
  await waiting(2, 1)
  const cancel = new AbortController()
  const second = caller.call('press', args, { signal: cancel.signal })
  second.catch(() => {})
  await waiting(2, 2)
  cancel.abort()
  await expect(second).rejects.toThrow()
  await waiting(2, 1)
  letGo(lab.fleet, 2)
  expect(await first).toMatchObject({ isError: false })
  expect(said).toContain(`execution.waiting: place 1 for device ${serialOf(2)}`)
  expect(said.filter(message => message.startsWith('execution.requested'))).toHaveLength(1)
  expect(seenBy(2)).toHaveLength(2)
  await caller.close()
})
