/** On one machine, every door refuses the same request with one code, one `details` and a hint. */
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import {
  type Asked,
  cancel,
  execute,
  executionOf,
  lookUp,
  MISSING,
  NO_ID,
  nap,
  type Outcome,
  resume,
  runSkill,
  same,
  UNSENT,
} from './doors.ts'
import { CONNECTED, localOfTests, REGISTRY, SKILL } from './doors-local.ts'

const OFFLINE = '127.0.0.1:9'
const here = localOfTests({ offline: OFFLINE })
const phone = () => here().phone(0)

const refused = (code: string, details: object): Outcome => ({ code, details: { ...details }, ...UNSENT })
const notFound = (details: object = { executionId: 'ID' }) => refused('EXECUTION_NOT_FOUND', details)
const unknownSkill = refused('SKILL_NOT_FOUND', { skillId: 'com.example.none', registryPath: REGISTRY })
const offline = refused('DEVICE_OFFLINE', { state: 'offline', ...CONNECTED })
const absent = refused('DEVICE_NOT_FOUND', CONNECTED)

/** The outcome has the problems in words, which each door takes from the same place. */
const invalid = (path: string, more: object = {}): Outcome => ({
  code: 'EXECUTION_VALIDATION_FAILED',
  details: expect.objectContaining({ path, ...more }),
  ...UNSENT,
})

const click = (matcher: object) => execute(executionOf([{ id: 'tap', type: 'click', params: { matcher } }]), phone())
const ofTap = { actionId: 'tap', actionType: 'click' }
const MATCHER = 'actions.0.params.matcher'

const fromStep = (executionId: string, step: string): Asked => {
  const { http, cli = [] } = resume(executionId)
  return {
    http: { path: http?.path ?? '', body: { fromStep: step } },
    cli: [...cli, '--from-step', step],
  }
}

const since = (executionId: string): Asked => ({
  http: { path: '/snapshot', body: { since: executionId, deviceId: phone() } },
  cli: ['snapshot', '--since', executionId, '--device', phone()],
  mcp: ['snapshot', { since: executionId, device: phone() }],
})

const lookAt = (device: string): Asked => ({
  http: { method: 'GET', path: `/devices/${device}` },
  mcp: ['device', { device }],
})

const reserve = (device?: string): Asked => ({
  ...(device === undefined ? {} : { http: { path: '/leases', body: { forMs: 1_000, device } } }),
  cli: ['lease', ...(device === undefined ? [] : [device]), '--for', '1s'],
  mcp: ['lease', { action: 'create', forMs: 1_000, ...(device === undefined ? {} : { device }) }],
})

const skill = (id: string): Asked => ({
  http: { method: 'GET', path: `/skills/${id}` },
  cli: ['skills', 'get', id],
  mcp: ['skills_get', { id }],
})

const trace = (executionId: string): Asked => ({
  http: { method: 'GET', path: `/executions/${executionId}/trace` },
  cli: ['executions', 'timeline', executionId],
})

const withoutOperator = (): Asked => {
  const { http, cli } = execute(executionOf([nap(1)]), phone())
  const operatorPackage = 'com.example.none'
  return {
    http: { ...http, body: { ...(http.body as object), operatorPackage } },
    cli: [...cli, '--operator-package', operatorPackage],
  }
}

const succeeded = () => here().ran(executionOf([nap(1)]))
const failed = () => here().ran(executionOf([MISSING]))

describe('refused alike', () => {
  test.each<[string, () => Asked | Promise<Asked>, Outcome]>([
    ['cancelling what nobody has', () => cancel(NO_ID), notFound()],
    ['resuming what nobody has', () => resume(NO_ID), notFound()],
    [
      'resuming what succeeded',
      async () => resume(await succeeded()),
      refused('RESUME_REFUSED', { executionId: 'ID' }),
    ],
    [
      'resuming at a step that there is not',
      async () => fromStep(await failed(), 'none'),
      refused('EXECUTION_VALIDATION_FAILED', { executionId: 'ID', path: 'fromStep', steps: ['tap'] }),
    ],
    ['resuming on an unknown device', async () => resume(await failed(), 'none'), absent],
    ['the trace of what nobody has', () => trace(NO_ID), notFound()],
    ['a look since what nobody has', () => since(NO_ID), notFound({ since: 'ID', executionId: 'ID' })],
    ['an unknown skill', () => skill('com.example.none'), unknownSkill],
    ['a run of an unknown skill', () => runSkill('com.example.none', phone()), unknownSkill],
    ['a run of a skill on a device that is offline', () => runSkill(SKILL, OFFLINE), offline],
    ['a device that is offline', () => execute(executionOf([nap(1)]), OFFLINE), offline],
    ['a look at a device that is offline', () => lookAt(OFFLINE), offline],
    ['a look at an unknown device', () => lookAt('none'), absent],
    ['a reservation of an unknown device', () => reserve('none'), absent],
    [
      'a reservation of none of several devices',
      () => reserve(),
      refused('MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', CONNECTED),
    ],
    ['an operator that is not installed', withoutOperator, refused('OPERATOR_NOT_INSTALLED', { executionId: 'ID' })],
    ['a matcher without keys', () => click({}), invalid(MATCHER, ofTap)],
    [
      'a matcher with an unknown key',
      () => click({ textEqual: 'x' }),
      invalid(MATCHER, { ...ofTap, invalidKeys: ['textEqual'] }),
    ],
    ['a ref that another key stands beside', () => click({ ref: '@1.1', textEquals: 'x' }), invalid(MATCHER, ofTap)],
    ['a malformed ref', () => click({ ref: 'x' }), invalid(`${MATCHER}.ref`, ofTap)],
    [
      'a ref of an unknown screen',
      () => click({ ref: '@999.1' }),
      refused('REF_STALE', { ref: '@SCREEN.1', reason: expect.any(String), executionId: 'ID' }),
    ],
    [
      'a timeout below the bound',
      () => execute(executionOf([nap(1)], { timeoutMs: 10 }), phone()),
      invalid('timeoutMs'),
    ],
    [
      'a timeout above the bound',
      () => execute(executionOf([nap(1)], { timeoutMs: 1_000_000 }), phone()),
      invalid('timeoutMs'),
    ],
    ['no actions', () => execute(executionOf([]), phone()), invalid('actions')],
    [
      'an unknown action',
      () => execute(executionOf([{ id: 'a', type: 'clik' }]), phone()),
      invalid('actions.0.type', { actionId: 'a', actionType: 'clik' }),
    ],
    [
      'an unknown field',
      () => execute(executionOf([nap(1)], { timeout: 5 }), phone()),
      invalid('execution', { invalidKeys: ['timeout'] }),
    ],
  ])('%s', async (_name, ask, outcome) => void (await same(here().withDaemon, ask, outcome)))
})

test('an id that was cancelled ahead is the same to whoever asks for it', async () => {
  const id = systemIds().at(systemClock().now())
  const cancelled = notFound({ executionId: 'ID', cancelled: true })
  await same(here().withDaemon, () => cancel(id), cancelled)
  await same(here().withDaemon, () => lookUp(id), cancelled)
})

test('a key that was used with another body says what to do', async () => {
  const ask = (ms: number): Asked => {
    const { http } = execute(executionOf([nap(ms)]), phone())
    return { http: { ...http, headers: { 'idempotency-key': 'used' } } }
  }
  const { HTTP } = here().doors
  await HTTP(ask(1))
  await same({ HTTP }, () => ask(2), refused('IDEMPOTENCY_KEY_REUSED', {}))
})

test('an actor that nobody has says where the others are', async () => {
  const { HTTP } = here().doors
  const show: Asked = { http: { method: 'GET', path: '/actors/device:none' } }
  await same({ HTTP }, () => show, refused('ACTOR_NOT_FOUND', { id: 'device:none' }))
})
