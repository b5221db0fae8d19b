/** POST /execute, /snapshot and /screenshot as routes: what reaches the executions, and what their answers become. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FAILURES, type FailureCode } from '../../../../src/contracts/failures/failures.ts'
import { LinkError } from '../../../../src/device/link/link.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { refusedWith, successOf } from '../../../support/executions/fake-executions.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { type CallOptions, call, codeOf } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
const policy = { relativeTo: folder, newFilesIn: join(folder, 'new') }
let fake: FakeServer
let accepted: FakeServer['executions']['answer']
beforeAll(async () => {
  fake = await startFake({ screenshots: policy, operatorPackage: 'com.from.environment' })
  accepted = fake.executions.answer
  writeFileSync(join(folder, 'notes.txt'), 'mine')
})
afterAll(async () => {
  await fake.server.close({ graceMs: 1_000 })
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  fake.executions.answer = accepted
  fake.executions.answerOnce = undefined
  fake.executions.requests = []
})

const snap = { id: 'a', type: 'snapshot' }
const post = (path: string, body: unknown, options: CallOptions = {}) =>
  call(`${fake.url}${path}`, { body, ...options })
const execute = (body: object, options: CallOptions = {}) =>
  post('/execute', { execution: payloadOf([snap]), ...body }, options)

describe('what the executions get', () => {
  test('the payload with its aliases resolved, and the server screenshots', async () => {
    await post('/execute', { execution: payloadOf([{ id: 'a', type: 'tap', params: { node: { textEquals: 'x' } } }]) })
    expect(fake.executions.requests[0]).toMatchObject({
      execution: { actions: [{ type: 'click', params: { matcher: { textEquals: 'x' } } }] },
      screenshots: policy,
      listener: 'serve:test',
    })
  })

  test('the operator package: verbatim, else the default of the server', async () => {
    await execute({ operatorPackage: ' com.odd ' })
    await execute({})
    await post('/snapshot', {})
    expect(fake.executions.requests.map(({ operatorPackage }) => operatorPackage)).toEqual([
      ' com.odd ',
      'com.from.environment',
      'com.from.environment',
    ])
  })

  test('a snapshot', async () => {
    await post('/snapshot', { deviceId: 'd7' })
    const [request] = fake.executions.requests
    expect(request?.deviceId).toBe('d7')
    expect(request?.execution).toEqual({
      commandId: expect.stringMatching(/^serve-snap-\d{13}$/),
      taskId: expect.stringMatching(/^serve-snap-\d{13}$/),
      source: 'serve-api',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 30_000,
      actions: [{ id: 'snap', type: 'snapshot' }],
    })
  })

  test('a screenshot, with a path only when one was given', async () => {
    await post('/screenshot', {})
    await post('/screenshot', { path: join(folder, 'a.png') })
    await post('/screenshot', { path: 'b.png' })
    const actions = fake.executions.requests.map(({ execution }) => execution.actions[0])
    expect(actions).toEqual([
      { id: 'shot', type: 'take_screenshot' },
      { id: 'shot', type: 'take_screenshot', params: { path: join(folder, 'a.png') } },
      { id: 'shot', type: 'take_screenshot', params: { path: 'b.png' } },
    ])
    expect(fake.executions.requests[0]?.execution.commandId).toMatch(/^serve-shot-\d{13}$/)
  })
})

describe('answers', () => {
  test('success: exactly the documented shape, and the name of the receipt', async () => {
    const answer = await execute({ deviceId: 'd1' })
    const request = fake.executions.requests[0]
    expect(answer.status).toBe(200)
    expect(answer.headers['svc-execution-id']).toMatch(/^e\d+$/)
    expect(answer.json).toEqual(request && successOf(request))
    expect(Object.keys(answer.json as object)).toEqual(['ok', 'deviceId', 'terminalSource', 'envelope'])
  })

  test('a failed envelope is passed on with 200', async () => {
    fake.executions.answer = request => {
      const result = successOf(request)
      if (result.ok) Object.assign(result.envelope, { status: 'failed', errorCode: 'NODE_NOT_FOUND' })
      return { executionId: 'e', deviceId: 'd1', result }
    }
    expect(await execute({})).toMatchObject({
      status: 200,
      json: { ok: true, envelope: { status: 'failed', errorCode: 'NODE_NOT_FOUND' } },
    })
  })

  const shared = (Object.keys(FAILURES) as FailureCode[]).filter(code => FAILURES[code].layer === 'execution')
  test.each(shared)('%s has its status', async code => {
    fake.executions.answer = () => refusedWith(code, { executionId: 'e9', deviceId: 'd1' })
    const answer = await execute({})
    expect([answer.status, codeOf(answer)]).toEqual([FAILURES[code].http, code])
    expect(answer.headers['svc-execution-id']).toBe('e9')
    expect(answer.json).toMatchObject({ error: { details: { executionId: 'e9' } } })
  })

  test('a code that nobody knows is a 500, and before acceptance there is no receipt to name', async () => {
    fake.executions.answer = () => refusedWith('SOMETHING_NEW')
    const answer = await execute({})
    expect([answer.status, codeOf(answer), answer.headers['svc-execution-id']]).toEqual([
      500,
      'SOMETHING_NEW',
      undefined,
    ])
    expect(answer.text).not.toContain('executionId')
  })

  test('what the failure already says is kept', async () => {
    fake.executions.answer = () => ({
      executionId: 'e1',
      result: {
        ok: false,
        error: { code: 'DEVICE_LINK_LOST', message: 'm', details: { dispatched: true }, hint: 'h.', retriable: false },
      },
    })
    expect((await execute({})).json).toEqual({
      ok: false,
      error: {
        code: 'DEVICE_LINK_LOST',
        message: 'm',
        details: { dispatched: true, executionId: 'e1' },
        hint: 'h.',
        retriable: false,
      },
    })
  })

  test('what is thrown', async () => {
    const thrown = async (error: unknown) => {
      fake.executions.answer = () => Promise.reject(error)
      const { status, json } = await execute({})
      return [status, (json as { error: { code: string } }).error.code]
    }
    expect(await thrown(new JournalError('full', 'the disk is full'))).toEqual([500, 'JOURNAL_UNAVAILABLE'])
    expect(await thrown(new LinkError('ADB_NOT_FOUND', 'no adb'))).toEqual([500, 'ADB_NOT_FOUND'])
    expect(await thrown(new Error('oops'))).toEqual([500, 'INTERNAL_ERROR'])
    expect(await thrown('not even an error')).toEqual([500, 'INTERNAL_ERROR'])
    expect(fake.notes.join()).toContain('oops')
  })
})

test('a screenshot that cannot be written is INVALID_PATH, or an invalid execution', async () => {
  const path = join(folder, 'x', '..', 'notes.txt')
  const alone = await post('/screenshot', { path })
  expect([alone.status, codeOf(alone)]).toEqual([400, 'INVALID_PATH'])
  const actions = [snap, { id: 'shot', type: 'screenshot', params: { output_path: path } }]
  const inside = await post('/execute', { execution: payloadOf(actions) })
  expect(inside.json).toMatchObject({
    error: { details: { path: 'actions.1.params.path', actionId: 'shot', actionType: 'take_screenshot' } },
  })
  expect(fake.executions.requests).toEqual([])
})

describe('Idempotency-Key', () => {
  const once = (key: string) => execute({}, { headers: { 'Idempotency-Key': key } })

  test('goes to executeOnce', async () => {
    expect((await once('key-1')).status).toBe(200)
    expect(fake.executions.keys).toEqual(['key-1'])
    await execute({})
    expect(fake.executions.keys).toEqual(['key-1'])
  })

  test('a replay names the first receipt', async () => {
    fake.executions.answerOnce = (_, request) => ({
      kind: 'replayed',
      executionId: 'first',
      deviceId: 'd1',
      result: successOf(request),
    })
    const answer = await once('key-2')
    expect([answer.status, answer.headers['svc-execution-id']]).toEqual([200, 'first'])
  })

  test.each(['', 'two words', 'tab\there', 'x'.repeat(256), '\u00e9'])('%j is not a key', async key => {
    const answer = await once(key)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_BODY'])
    expect(fake.executions.requests).toEqual([])
  })

  test('255 visible characters are one', async () => {
    expect((await once('~'.repeat(255))).status).toBe(200)
  })

  test('is for /execute alone', async () => {
    fake.executions.keys = []
    await post('/snapshot', {}, { headers: { 'Idempotency-Key': 'k' } })
    expect(fake.executions.keys).toEqual([])
  })
})

describe('a caller over the network', () => {
  const within = (ms: string, body = {}) => execute(body, { headers: { 'svc-answer-within': ms } })

  test('may name a deadline, from the timeoutMs of its execution on', async () => {
    const timeoutMs = 20_000
    const execution = { ...payloadOf([snap]), timeoutMs }
    const short = await within('3000', { execution })
    expect([short.status, codeOf(short)]).toEqual([400, 'INVALID_BODY'])
    expect(fake.executions.requests).toEqual([])
    expect((await within(String(timeoutMs), { execution })).status).toBe(200)
    expect(fake.executions.requests).toMatchObject([{ answerBy: expect.any(Number) }])
  })

  test.each(['', '0', '-1', '1e5', 'soon'])('cannot name the deadline %j', async ms => {
    expect(codeOf(await within(ms))).toBe('INVALID_BODY')
  })

  test('cannot say that nobody named an operator, who asks, or under which id', async () => {
    const headers = {
      'svc-operator-unnamed': '1',
      'svc-caller': 'cli',
      'svc-confirmed': 'any',
      'svc-execution-id': '01890a5d-ac96-774b-bcce-b302099a8057',
      'svc-fleet-from': 'b',
      'svc-fleet-epoch': '9',
    }
    expect((await execute({}, { headers })).status).toBe(200)
    const [request] = fake.executions.requests
    expect(request).toMatchObject({ operatorPackage: 'com.from.environment', caller: 'http' })
    for (const key of ['confirmed', 'executionId', 'epoch', 'isSent'] as const) expect(request?.[key]).toBeUndefined()
  })
})
