/** An abort: nothing is sent after it, and what was sent is cancelled. */
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { connectHere, EXECUTION_ID, executed, json, startStubServer } from './stub-server.ts'

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: { toJSON(): unknown }) => error.toJSON(),
  )

test('a call that was aborted before is not sent', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, executed()))
  const svc = await connectHere({ url })
  expect(await errorOf(svc.device('p').back({ signal: AbortSignal.abort() }))).toMatchObject({
    code: 'EXECUTION_CANCELLED',
    dispatched: false,
  })
  expect(await errorOf(svc.devices.list({ signal: AbortSignal.abort() }))).toMatchObject({ dispatched: false })
  expect(asked).toEqual([])
})

const receipt = (more: object) => ({
  executionId: EXECUTION_ID,
  commandId: 'c',
  taskId: 't',
  deviceId: 'p',
  acceptedAt: 1,
  ...more,
})

/** A server whose execution never answers; its receipt after the cancellation is `cancelled`. */
const silent = (cancelled: object | undefined) =>
  startStubServer(({ method, path }, outgoing) => {
    if (method === 'POST') return
    if (path.startsWith('/executions?'))
      return json(outgoing, { ok: true, executions: [receipt({ state: 'dispatched' })], count: 1, unanswered: [] })
    if (cancelled) return json(outgoing, { ok: true, execution: receipt(cancelled) })
    json(outgoing, { ok: false, error: { code: 'EXECUTION_NOT_FOUND', message: 'None.' } }, {}, 404)
  })

test.each([
  ['has run a step', { state: 'settled', dispatchedAt: 2, executedSteps: ['step-1'] }, true],
  ['may have been sent', { state: 'settled', dispatchedAt: 2 }, 'unknown'],
  ['was never dispatched', { state: 'settled' }, false],
  ['goes on', { state: 'accepted' }, 'unknown'],
  ['was never accepted', undefined, false],
] as const)('an execution that %s is cancelled by its id, and the error says so', async (_, cancelled, dispatched) => {
  const { url, asked } = await silent(cancelled)
  const svc = await connectHere({ url })
  const controller = new AbortController()
  const call = errorOf(svc.device('p').back({ signal: controller.signal }))
  await until(() => asked.length === 1, 'the execution to be sent')
  controller.abort()
  expect(await call).toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched })
  const { commandId } = JSON.parse(asked[0]?.body ?? '').execution
  expect(asked.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /executions?commandId=${commandId}&limit=1`,
    `DELETE /executions/${EXECUTION_ID}`,
  ])
})

test('an execution that had ended is told as what it was', async () => {
  const controller = new AbortController()
  const { url } = await startStubServer(({ method, path }, outgoing) => {
    if (method !== 'POST')
      return json(outgoing, { ok: false, error: { code: 'EXECUTION_NOT_FOUND', message: path } }, {}, 404)
    controller.abort()
    setTimeout(() => json(outgoing, executed(), { 'Svc-Execution-Id': EXECUTION_ID }), 50)
  })
  const svc = await connectHere({ url })
  expect(await errorOf(svc.device('p').back({ signal: controller.signal }))).toMatchObject({
    code: 'EXECUTION_CANCELLED',
    dispatched: true,
    executionId: EXECUTION_ID,
    details: { envelope: { status: 'success' } },
  })
})

test('the wait for an execution that was dispatched says that it goes on', async () => {
  const { url, asked } = await startStubServer((_, outgoing) =>
    json(outgoing, { ok: true, execution: receipt({ state: 'dispatched', dispatchedAt: 2 }) }),
  )
  const svc = await connectHere({ url })
  const controller = new AbortController()
  const wait = errorOf(svc.receipts.wait(EXECUTION_ID, { signal: controller.signal }))
  await until(() => asked.length > 0, 'the receipt to be read')
  controller.abort()
  expect(await wait).toMatchObject({ code: 'EXECUTION_CANCELLED', executionId: EXECUTION_ID })
  const { dispatched, hint } = (await wait) as { dispatched: unknown; hint: string }
  expect(dispatched).not.toBe(false)
  expect(hint).toContain('svc.receipts.wait')
})

test('an abort leaves alone what another call with the same key had begun', async () => {
  const { url, asked } = await silent({ state: 'settled', dispatchedAt: 2 })
  const svc = await connectHere({ url })
  const controller = new AbortController()
  const options = { idempotencyKey: 'order-7', signal: controller.signal }
  const call = errorOf(svc.device('p').click('Pay', options))
  await until(() => asked.some(({ method }) => method === 'POST'), 'the execution to be sent')
  controller.abort()
  expect(await call).toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched: 'unknown' })
  expect(asked.filter(({ method }) => method === 'DELETE')).toEqual([])
})

test('a wait goes on to its end when its connection is closed meanwhile', async () => {
  const { url, asked } = await startStubServer((_, outgoing) =>
    json(outgoing, { ok: true, execution: receipt({ state: asked.length > 2 ? 'settled' : 'dispatched' }) }),
  )
  const svc = await connectHere({ url })
  const wait = svc.receipts.wait(EXECUTION_ID)
  await until(() => asked.length > 0, 'the receipt to be read')
  await svc.close()
  expect(await wait).toMatchObject({ state: 'settled' })
})
