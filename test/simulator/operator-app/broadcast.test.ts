import { describe, expect, test } from 'vitest'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import {
  assembled,
  broadcast,
  chunksIn,
  envelopesIn,
  NONCE,
  operatorLines,
  phoneOf,
  requestOf,
} from '../../support/simulator/simulated-phone.ts'
import { until } from '../../support/until.ts'

const OPEN = { type: 'open_app', params: { applicationId: 'com.android.settings' } }
const SLEEP = { type: 'sleep', params: { durationMs: 0 } }

const answered = async (phone: ReturnType<typeof phoneOf>, count = 1) => {
  await until(() => envelopesIn(operatorLines(phone)).length >= count, 'the answer')
  return envelopesIn(operatorLines(phone))
}

describe('a short answer', () => {
  test('is one line with the ids and the nonce of the request', async () => {
    const phone = phoneOf()
    expect(broadcast(phone, requestOf('id-1.0', [SLEEP]))).toBe(1)
    const [envelope] = await answered(phone)
    expect(envelope).toEqual({
      commandId: 'id-1.0',
      taskId: 'task',
      nonce: NONCE,
      status: 'success',
      stepResults: [{ id: 'step-0', actionType: 'sleep', success: true, data: { duration_ms: '0' } }],
      error: null,
    })
    expect(operatorLines(phone)).toHaveLength(1)
    expect(phone.log.entries().at(-1)).toMatchObject({ level: 'I', tag: 'SvcOperator' })
  })

  test('of a failed step says which one, and leaves out the rest', async () => {
    const phone = phoneOf()
    broadcast(phone, requestOf('id-1.0', [OPEN, { type: 'click', params: { matcher: { textEquals: 'x' } } }, SLEEP]))
    const [envelope] = await answered(phone)
    expect(envelope).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_FOUND', error: { code: 'NODE_NOT_FOUND' } })
    expect(envelope?.stepResults.map(({ success }) => success)).toEqual([true, false])
    expect(envelope?.error?.message).toContain('step-1')
  })
})

describe('a long answer', () => {
  test('comes in chunks of the announced length and digest', async () => {
    const phone = phoneOf()
    broadcast(phone, requestOf('id-1.3', [OPEN, { type: 'snapshot' }]))
    const chunks = () => chunksIn(operatorLines(phone))
    await until(() => chunks().length > 1 && chunks().length === chunks()[0]?.count, 'all chunks')
    expect(chunks().map(({ index }) => index)).toEqual(chunks().map((_, index) => index))
    expect(chunks().every(({ commandId, nonce }) => commandId === 'id-1.3' && nonce === NONCE)).toBe(true)
    expect(
      chunks()
        .slice(0, -1)
        .every(({ data }) => Buffer.from(data, 'base64').length === 2_700),
    ).toBe(true)
    expect(operatorLines(phone).every(line => Buffer.byteLength(line) < 4_000)).toBe(true)
    expect(assembled(chunks()).stepResults[1]?.data.text).toContain('com.android.settings:id/wifi_switch')
  })

  test('is paced', async () => {
    const phone = phoneOf({ pace: { lines: 1, ms: 30 } })
    broadcast(phone, requestOf('id-1.0', [OPEN, { type: 'snapshot' }]))
    const chunks = () => chunksIn(operatorLines(phone))
    await until(() => chunks().length > 0, 'a chunk')
    expect(chunks().length).toBeLessThan(chunks()[0]?.count ?? 0)
    await until(() => chunks().length === chunks()[0]?.count, 'all chunks')
    const [first, last] = [phone.log.entries()[1], phone.log.entries().at(-1)]
    expect((last?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30 * (chunks().length - 2))
  })
})

describe('a request', () => {
  test('may lie in a file', async () => {
    const phone = phoneOf()
    const path = '/data/local/tmp/svc-id-1.0.json'
    phone.files.write(path, Buffer.from(JSON.stringify(requestOf('id-1.0', [SLEEP]))))
    const extras = { payloadFile: path }
    phone.broadcast({ action: 'com.svc.operator.ACTION_AGENT_COMMAND', packageName: 'com.svc.operator', extras })
    expect(await answered(phone)).toMatchObject([{ commandId: 'id-1.0', status: 'success' }])
  })

  test.each<[string, string | object, object]>([
    ['no JSON', '{"commandId":"id-1.0","nonce":"n", oops', { commandId: 'id-1.0', nonce: 'n' }],
    ['nothing', '', { commandId: '', nonce: '' }],
    ['no object', '[]', { commandId: '' }],
    [
      'an unknown action',
      requestOf('id-1.0', [{ type: 'fly' }]),
      { commandId: 'id-1.0', taskId: 'task', nonce: NONCE },
    ],
    ['an unknown key', requestOf('id-1.0', [SLEEP], { extra: 1 }), { commandId: 'id-1.0' }],
    ['a later protocol', requestOf('id-1.0', [SLEEP], { protocol: 2 }), { commandId: 'id-1.0' }],
    ['no wire id', requestOf('id', [SLEEP]), { commandId: 'id', nonce: NONCE }],
  ])('that is %s is answered too', async (_, payload, address) => {
    const phone = phoneOf()
    broadcast(phone, payload)
    const [envelope] = await answered(phone)
    expect(envelope).toMatchObject({ ...address, status: 'failed', errorCode: 'EXECUTION_VALIDATION_FAILED' })
    expect(envelope).toMatchObject({ stepResults: [], error: { code: 'EXECUTION_VALIDATION_FAILED' } })
  })

  test('for steps that need a shell is refused by the step', async () => {
    const phone = phoneOf()
    broadcast(phone, requestOf('id-1.0', [{ type: 'close_app', params: { applicationId: 'com.android.settings' } }]))
    expect(await answered(phone)).toMatchObject([{ status: 'failed', errorCode: 'EXECUTION_ACTION_UNSUPPORTED' }])
  })

  test('waits for the one before it, and each is seen once', async () => {
    const phone = phoneOf()
    broadcast(phone, requestOf('id-1.0', [{ type: 'sleep', params: { durationMs: 2_000 } }]))
    broadcast(phone, requestOf('id-2.0', [SLEEP]))
    broadcast(phone, requestOf('id-3.0', [OPEN]))
    expect((await answered(phone, 3)).map(({ commandId }) => commandId)).toEqual(['id-1.0', 'id-2.0', 'id-3.0'])
    expect(phone.executions().map(({ wireId, way }) => [wireId, way])).toEqual([
      ['id-1.0', 'broadcast'],
      ['id-2.0', 'broadcast'],
      ['id-3.0', 'broadcast'],
    ])
    expect(phone.executions().every(({ at, finishedAt = 0 }) => finishedAt >= at)).toBe(true)
  })

  test('that arrives again is performed and answered once', async () => {
    const phone = phoneOf()
    for (const id of ['id-1.0', 'id-1.0', 'id-2.0']) broadcast(phone, requestOf(id, [SLEEP]))
    expect((await answered(phone, 2)).map(({ commandId }) => commandId)).toEqual(['id-1.0', 'id-2.0'])
    expect(phone.executions().map(({ wireId }) => wireId)).toEqual(['id-1.0', 'id-2.0'])
    expect(phone.arrivals().map(({ wireId }) => wireId)).toEqual(['id-1.0', 'id-1.0', 'id-2.0'])
  })

  test('is turned away when too many wait', async () => {
    const phone = phoneOf()
    broadcast(phone, requestOf('id-0.0', [{ type: 'sleep', params: { durationMs: 100_000 } }], { timeoutMs: 120_000 }))
    for (let i = 1; i <= 80; i += 1) broadcast(phone, requestOf(`id-${i}.0`, [SLEEP]))
    const [refused] = await answered(phone)
    expect(refused).toMatchObject({ commandId: 'id-64.0', errorCode: DEVICE_CONFLICT })
    expect(phone.executions()).toHaveLength(64)
    phone.close()
  })
})

describe('the accessibility service', () => {
  const noAccessibility = () => {
    const scenario = defaultScenario()
    const operator = { ...scenario.device.operator, accessibility: false }
    return phoneOf({ scenario: { ...scenario, device: { ...scenario.device, operator } } })
  }

  test('switched off is said', async () => {
    const phone = noAccessibility()
    broadcast(phone, requestOf('id-1.0', [SLEEP]))
    expect(await answered(phone)).toMatchObject([
      { status: 'failed', errorCode: 'SERVICE_UNAVAILABLE', stepResults: [] },
    ])
  })

  test('can be switched off and on in the settings', async () => {
    const phone = phoneOf()
    phone.settings.set('secure/accessibility_enabled', '0')
    broadcast(phone, requestOf('id-1.0', [SLEEP]))
    expect(await answered(phone)).toMatchObject([{ errorCode: 'SERVICE_UNAVAILABLE' }])
    phone.settings.set('secure/accessibility_enabled', '1')
    broadcast(phone, requestOf('id-2.0', [SLEEP]))
    expect(await answered(phone, 2)).toMatchObject([{}, { status: 'success' }])
  })
})

test('a broadcast that is not for the operator is nobody’s', () => {
  const phone = phoneOf()
  const send = (action: string, packageName?: string) =>
    phone.broadcast({ action, extras: {}, ...(packageName === undefined ? {} : { packageName }) })
  expect(send('com.svc.operator.ACTION_AGENT_COMMAND', 'com.nobody')).toBeUndefined()
  expect(send('com.svc.operator.ACTION_AGENT_COMMAND', 'com.android.settings')).toBe(0)
  expect(send('something.ELSE', 'com.svc.operator')).toBe(0)
  expect(send('something.ELSE')).toBe(0)
  expect(send('com.svc.operator.ACTION_AGENT_COMMAND')).toBe(1)
})
