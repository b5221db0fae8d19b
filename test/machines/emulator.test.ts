import { describe, expect, test } from 'vitest'
import { emulator } from '../../machines/emulator.ts'
import { provision } from '../../machines/provision.ts'
import { given } from '../support/given.ts'

const ask = (name: string, requestId = 'r1') => ({
  type: `${name}.requested`,
  at: 1,
  requestId,
  registerBy: 60_001,
  bootBy: 180_001,
  goneBy: 30_001,
})
const seen = (finding: string, serial: string | null = null) => ({ type: 'avd.observed', at: 2, finding, serial })
const event = (type: string, more: Record<string, unknown> = {}) => ({ type, at: 3, ...more })

describe('what is there decides what a request does', () => {
  test.each([
    ['create', 'absent', 'busy.creating', null],
    ['create', 'stopped', 'exists', 'EMULATOR_ALREADY_EXISTS'],
    ['create', 'running', 'running', 'EMULATOR_ALREADY_EXISTS'],
    ['start', 'absent', 'none', 'EMULATOR_NOT_FOUND'],
    ['start', 'stopped', 'busy.starting.spawning', null],
    ['start', 'running', 'running', 'EMULATOR_ALREADY_RUNNING'],
    ['stop', 'absent', 'none', 'EMULATOR_NOT_FOUND'],
    ['stop', 'stopped', 'exists', 'EMULATOR_NOT_RUNNING'],
    ['stop', 'running', 'busy.stopping', null],
    ['delete', 'absent', 'none', 'EMULATOR_NOT_FOUND'],
    ['delete', 'stopped', 'busy.deleting', null],
    ['delete', 'running', 'running', 'EMULATOR_ALREADY_RUNNING'],
  ])('%s, %s: %s', (request, finding, state, code) => {
    const then = given(emulator, [ask(request)]).when(seen(finding))
    expect(then.state).toBe(state)
    expect(then.emitted.map(said => (said as { code?: string }).code)).toEqual(code === null ? [] : [code])
  })
})

describe('changes', () => {
  const starting = [ask('start'), seen('stopped')]
  const booting = [...starting, event('emulator.registered', { serial: 'emulator-5554' })]

  test('start waits for registration, boot and settings, and reports the serial', () => {
    expect(given(emulator, booting).when(event('boot.completed'))).toMatchObject({
      state: 'busy.starting.booting',
      emitted: [],
    })
    const then = given(emulator, [...booting, event('boot.completed')]).when(event('settings.enabled'))
    expect(then).toMatchObject({ state: 'running', emitted: [{ type: 'emulator.reported', serial: 'emulator-5554' }] })
  })

  test.each([
    ['early death', starting, event('process.died', { message: 'tail' }), 'EMULATOR_START_FAILED'],
    ['death while booting', booting, event('process.died', { message: 'tail' }), 'EMULATOR_START_FAILED'],
    ['no registration', starting, event('deadline.passed'), 'EMULATOR_START_FAILED'],
    [
      'a missing tool',
      starting,
      event('tool.failed', { code: 'ANDROID_SDK_TOOL_MISSING', message: 'x' }),
      'ANDROID_SDK_TOOL_MISSING',
    ],
  ])('%s', (_name, path, then, code) => {
    expect(given(emulator, path).when(then)).toMatchObject({ state: 'exists', emitted: [{ code }] })
  })

  test('create, stop and delete are reported', () => {
    expect(given(emulator, [ask('create'), seen('absent')]).when(event('avd.created')).state).toBe('exists')
    expect(given(emulator, [ask('stop'), seen('running', 's')]).when(event('emulator.gone')).state).toBe('exists')
    expect(given(emulator, [ask('delete'), seen('stopped')]).when(event('avd.deleted')).state).toBe('none')
  })

  test('a second request meanwhile is refused and disturbs nothing', () => {
    expect(given(emulator, starting).when(ask('delete', 'r2'))).toMatchObject({
      state: 'busy.starting.spawning',
      emitted: [{ requestId: 'r2', code: 'EMULATOR_BUSY' }],
    })
  })
})

describe('provision', () => {
  const wanted = (facts: Record<string, unknown> = {}) =>
    event('provision.requested', {
      requestId: 'p1',
      running: null,
      startable: null,
      derivedName: 'svc-pixel-12gb',
      derivedNameTaken: false,
      ...facts,
    })
  const started = (avdName: string) => event('emulator.started', { avdName, serial: 'emulator-5554' })

  test('reuses a running one', () => {
    const then = given(provision, []).when(wanted({ running: { avdName: 'n', serial: 's' }, startable: 'other' }))
    expect(then).toMatchObject({
      state: 'provisioned',
      emitted: [{ avdName: 'n', serial: 's', created: false, started: false, reused: true }],
    })
  })

  test('else starts one', () => {
    const then = given(provision, [wanted({ startable: 'n' })]).when(started('n'))
    expect(then.emitted).toMatchObject([{ avdName: 'n', created: false, started: true, reused: true }])
  })

  test('else makes and starts one', () => {
    expect(given(provision, []).when(wanted()).state).toBe('working.creating')
    const then = given(provision, [wanted(), event('avd.created', { avdName: 'svc-pixel-12gb' })]).when(started('x'))
    expect(then.emitted).toMatchObject([{ avdName: 'svc-pixel-12gb', created: true, started: true, reused: false }])
  })

  test('does not take a name that an unsupported AVD has', () => {
    const then = given(provision, []).when(wanted({ derivedNameTaken: true }))
    expect(then).toMatchObject({ state: 'failed', emitted: [{ code: 'EMULATOR_UNSUPPORTED' }] })
  })
})
