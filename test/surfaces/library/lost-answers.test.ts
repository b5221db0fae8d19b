/** A lost answer: asked for again where that acts once, and told as unknown where it does not. */
import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import type { Door } from '../../../src/surfaces/library/door.ts'
import { createSvc, type Svc } from '../../../src/surfaces/library/svc.ts'
import { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { connectHere, EXECUTION_ID, executed, json, startStubServer } from './stub-server.ts'

const failureOf = async (call: Promise<unknown>): Promise<SvcError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SvcError)
  return error as SvcError
}

test('an execution is asked for again with the same key and the same bytes, and its answer is the first one', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    if (asked.length < 3) outgoing.destroy()
    else json(outgoing, executed({ key: 'back' }), { 'Svc-Execution-Id': EXECUTION_ID })
  })
  const svc = await connectHere({ url })
  expect(await svc.device('phone-1').back()).toEqual({ executionId: EXECUTION_ID, data: { key: 'back' } })
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1)
  expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
})

test('the same key of a caller makes the same payload in another call', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, executed()))
  const svc = await connectHere({ url })
  await svc.device('phone-1').click('Pay', { idempotencyKey: 'order-7' })
  await svc.device('phone-1').click('Pay', { idempotencyKey: 'order-7' })
  await svc.device('phone-1').click('Pay')
  expect(asked[0]?.body).toBe(asked[1]?.body)
  expect(asked[0]?.body).not.toBe(asked[2]?.body)
})

test('without a key of the caller, a request for any phone is sent once', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => void outgoing.destroy())
  const svc = await connectHere({ url })
  const error = await failureOf(svc.device('any:model=pixel').click('Pay'))
  expect(error).toMatchObject({ code: 'ANSWER_LOST', dispatched: 'unknown', retriable: false })
  expect(error.details.commandId).toMatch(/^lib-/)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.headers['idempotency-key']).toBeUndefined()
})

test('what acts and has no key is sent once', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => void outgoing.destroy())
  const svc = await connectHere({ url })
  const error = await failureOf(svc.lease('phone-1', { forMs: 1_000 }))
  expect(error.toJSON()).toMatchObject({ name: 'SvcError', code: 'ANSWER_LOST', dispatched: 'unknown' })
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /leases'])
})

test('what only looks is asked again', async () => {
  const { url, asked } = await startStubServer((_, outgoing) =>
    asked.length < 2 ? void outgoing.destroy() : json(outgoing, { ok: true, devices: [], unanswered: [] }),
  )
  const svc = await connectHere({ url })
  expect(await svc.devices.list()).toEqual([])
  expect(asked).toHaveLength(2)
})

test('half an answer is a lost one', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    if (asked.length > 1) return json(outgoing, executed({ key: 'back' }))
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    outgoing.write('{"ok":true,')
    setImmediate(() => outgoing.destroy())
  })
  const svc = await connectHere({ url })
  expect((await svc.device('phone-1').back()).data).toEqual({ key: 'back' })
  expect(asked).toHaveLength(2)
})

test('a server that is not there was sent nothing', async () => {
  const { url, server, asked } = await startStubServer(() => {})
  const svc = await connectHere({ url })
  server.close()
  server.closeAllConnections()
  const error = await failureOf(svc.device('phone-1').back())
  expect(error).toMatchObject({ code: 'SERVER_UNREACHABLE', dispatched: false, retriable: true })
  expect(asked).toEqual([])
})

test('an error says whether anything was done', async () => {
  const errors = [
    { code: 'NO_DEVICES', message: 'None.' },
    { code: 'DEVICE_LINK_LOST', message: 'Broken.', details: { dispatched: true } },
    { code: 'DEVICE_LINK_LOST', message: 'Broken.', details: { dispatched: false } },
    { code: 'RESULT_ENVELOPE_TIMEOUT', message: 'Late.' },
    { code: 'A_CODE_OF_A_LATER_VERSION', message: 'New.' },
  ]
  const { url, asked } = await startStubServer((_, outgoing) =>
    json(outgoing, { ok: false, error: errors[asked.length - 1] }, { 'Svc-Execution-Id': EXECUTION_ID }, 500),
  )
  const svc = await connectHere({ url })
  const told = []
  for (const _ of errors) told.push((await failureOf(svc.device('phone-1').back())).dispatched)
  expect(told).toEqual([false, true, false, 'unknown', 'unknown'])
})

test('a step that fails was sent to the phone, and the error has the envelope', async () => {
  const failed = executed()
  Object.assign(failed.envelope, {
    status: 'failed',
    errorCode: 'NODE_NOT_FOUND',
    error: { code: 'NODE_NOT_FOUND', message: 'No node.', hint: 'Look.', details: { foreground: 'app' } },
  })
  const { url } = await startStubServer((_, outgoing) => json(outgoing, failed, { 'Svc-Execution-Id': EXECUTION_ID }))
  const svc = await connectHere({ url })
  expect(await failureOf(svc.device('phone-1').click('Pay'))).toMatchObject({
    code: 'NODE_NOT_FOUND',
    hint: 'Look.',
    dispatched: true,
    executionId: EXECUTION_ID,
    details: { foreground: 'app', envelope: { status: 'failed' } },
  })
})

test.each([
  ['no journal', () => undefined],
  ['another journal', (times: number) => `journal-${times}`],
] as const)('an execution whose answer was lost is not sent to a server that has %s', async (_, nameOf) => {
  let times = 0
  const journal = () => {
    times += 1
    return nameOf(times)
  }
  const { url, asked } = await startStubServer((_, outgoing) => void outgoing.destroy(), { journal })
  const svc = await connectHere({ url })
  const error = await failureOf(svc.device('phone-1').click('Pay', { idempotencyKey: 'order-7' }))
  expect(error).toMatchObject({ code: 'ANSWER_LOST', dispatched: 'unknown', retriable: false })
  expect(asked).toHaveLength(1)
})

/** A daemon of a home, which loses each answer, and of which nothing is found again. */
const lostDaemon = async () => {
  const { url, asked } = await startStubServer((_, outgoing) => void outgoing.destroy())
  const door: Door = {
    name: 'daemon.sock',
    mayChooseIds: true,
    sharesFiles: true,
    async place() {
      if (asked.length === 0) return { url: new URL(url), headers: {} }
      throw new SvcError({ code: 'DAEMON_START_FAILED', message: 'No daemon.', dispatched: false, retriable: true })
    },
    running: async () => undefined,
    forget: () => true,
    unreachable: why => new SvcError({ code: 'DAEMON_START_FAILED', message: why, dispatched: false }),
  }
  return createSvc({
    door,
    clock: hurried(systemClock()),
    memory: 'journal-1',
    device: 'p',
    operatorPackage: undefined,
  })
}

/** Thirty seconds of asking again pass within one. */
const SPEED = 40
const hurried = ({ now, at, ...rest }: Clock): Clock => {
  const began = now()
  return {
    ...rest,
    now: () => began + (now() - began) * SPEED,
    at: (time, run, options) => at(began + (time - began) / SPEED, run, options),
  }
}

test('a daemon that cannot be started again says nothing about what was sent to the one before', async () => {
  const svc = await lostDaemon()
  const error = await failureOf(svc.device().click('Pay'))
  expect(error).toMatchObject({ code: 'ANSWER_LOST', dispatched: 'unknown', retriable: false })
  expect(error.executionId).toMatch(/^[0-9a-f-]{36}$/)
})

test('a call goes on to its end when its connection is closed meanwhile, and no call begins', async () => {
  let svc: Svc | undefined
  const { url, asked } = await startStubServer((_, outgoing) => {
    if (asked.length > 1) return json(outgoing, executed({ key: 'back' }))
    void svc?.close().then(() => outgoing.destroy())
  })
  svc = await connectHere({ url })
  expect((await svc.device('phone-1').back()).data).toEqual({ key: 'back' })
  expect(await failureOf(svc.device('phone-1').back())).toMatchObject({ code: 'USAGE', dispatched: false })
  expect(asked).toHaveLength(2)
})
