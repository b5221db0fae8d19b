import { describe, expect, test } from 'vitest'
import { emulator } from '../../machines/emulator/emulator.ts'
import type { DeadlineInput } from '../../machines/port.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const limits = { installMs: 300, createMs: 120, registerMs: 60, bootMs: 180, prepareMs: 30, goneMs: 30 }
const spec = { image: 'i', deviceProfile: 'pixel_7', storageGb: 12 }
const options = { wipe: false, window: true }
const ask = (name: string, requestId = 'r1', more: object = {}): StoredEvent => ({
  type: `${name}.requested`,
  at: 1_000,
  requestId,
  limits,
  ...(name === 'create' ? { spec } : {}),
  ...(name === 'start' ? { options } : {}),
  ...(name === 'repair' ? { resume: true } : {}),
  ...more,
})
const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const seen = (finding: string, serial: string | null = null) => event('avd.observed', { finding, serial })
const failed = (code = 'ANDROID_SDK_TOOL_MISSING') => event('tool.failed', { code, message: 'm', details: { d: 1 } })

const process = { pid: 7, started: 's', log: '/l' }
const starting = [ask('start'), seen('stopped')]
const registering = [...starting, event('process.spawned', process)]
const booting = [...registering, event('emulator.registered', { serial: 'emulator-5554' })]
const preparing = [...booting, event('boot.completed')]
const installing = [ask('create'), seen('absent')]
const creating = [...installing, event('image.installed')]
const making = [...creating, event('avd.making')]
const deadline = event('deadline.passed')
const AWAITING = 'busy.starting.awaiting'

describe('what is there decides what a request does', () => {
  test.each([
    ['create', 'absent', 'busy.installing', null],
    ['create', 'stopped', 'resting.exists', 'EMULATOR_ALREADY_EXISTS'],
    ['create', 'running', 'resting.running', 'EMULATOR_ALREADY_EXISTS'],
    ['start', 'absent', 'resting.none', 'EMULATOR_NOT_FOUND'],
    ['start', 'stopped', 'busy.starting.spawning', null],
    ['start', 'running', 'resting.running', 'EMULATOR_ALREADY_RUNNING'],
    ['stop', 'absent', 'resting.none', 'EMULATOR_NOT_FOUND'],
    ['stop', 'stopped', 'resting.exists', 'EMULATOR_NOT_RUNNING'],
    ['stop', 'running', 'busy.stopping', null],
    ['delete', 'absent', 'resting.none', 'EMULATOR_NOT_FOUND'],
    ['delete', 'stopped', 'busy.deleting', null],
    ['delete', 'running', 'resting.running', 'EMULATOR_ALREADY_RUNNING'],
  ])('%s, %s: %s', (request, finding, state, code) => {
    const then = given(emulator, [ask(request)]).when(seen(finding))
    expect(then.state).toBe(state)
    expect(then.emitted.map(said => (said as { code?: string }).code)).toEqual(code === null ? [] : [code])
  })

  test.each(['absent', 'stopped', 'running'])('a repair of what is %s has nothing to do', finding => {
    expect(given(emulator, [ask('repair')]).when(seen(finding)).emitted).toMatchObject([{ done: null, adopted: false }])
  })
})

describe('changes', () => {
  test('start goes from the process over registration, boot and settings to the serial', () => {
    expect([starting, registering, booting, preparing].map(path => given(emulator, path).state)).toEqual([
      'busy.starting.spawning',
      `${AWAITING}.registering`,
      `${AWAITING}.booting`,
      `${AWAITING}.preparing`,
    ])
    const then = given(emulator, preparing).when(event('settings.enabled'))
    expect(then).toMatchObject({
      state: 'resting.running',
      emitted: [
        { type: 'emulator.reported', requestIds: ['r1'], ask: 'start', serial: 'emulator-5554', adopted: false },
      ],
      context: { request: null, process, last: { requestId: 'r1', ok: true, serial: 'emulator-5554' } },
    })
  })

  test('each wait has its own limit, counted from the phase before', () => {
    const limit = (path: StoredEvent[]) => {
      const { snapshot } = given(emulator, path.slice(0, -1)).when(path.at(-1) as StoredEvent)
      const child = snapshot.children['phase-deadline']?.getSnapshot() as { input: DeadlineInput } | undefined
      return child && child.input.since + child.input.ms
    }
    expect([registering, booting, preparing].map(limit)).toEqual([2_060, 2_180, 2_030])
  })

  test('create, stop and delete are reported', () => {
    expect(given(emulator, making).when(event('avd.created'))).toMatchObject({
      state: 'resting.exists',
      emitted: [{ ask: 'create' }],
    })
    const gone = given(emulator, [ask('stop'), seen('running', 's')]).when(event('emulator.gone'))
    expect(gone).toMatchObject({ state: 'resting.exists', context: { serial: null, process: null } })
    expect(given(emulator, [ask('delete'), seen('stopped')]).when(event('avd.deleted')).state).toBe('resting.none')
  })
})

describe('what fails', () => {
  test.each([
    ['for want of a tool', starting, failed(), 'unclear', 'ANDROID_SDK_TOOL_MISSING'],
    [
      'to install',
      installing,
      failed('ANDROID_SYSTEM_IMAGE_INSTALL_FAILED'),
      'unclear',
      'ANDROID_SYSTEM_IMAGE_INSTALL_FAILED',
    ],
    ['because somebody else made it', making, event('avd.taken'), 'exists', 'EMULATOR_ALREADY_EXISTS'],
    ['to end', [ask('stop'), seen('running')], failed('EMULATOR_STOP_FAILED'), 'unclear', 'EMULATOR_STOP_FAILED'],
    [
      'to be deleted',
      [ask('delete'), seen('stopped')],
      failed('ANDROID_AVD_DELETE_FAILED'),
      'unclear',
      'ANDROID_AVD_DELETE_FAILED',
    ],
  ])('%s is answered, and nothing is left to repair', (_name, path, then, state, code) => {
    expect(given(emulator, path).when(then)).toMatchObject({
      state: `resting.${state}`,
      emitted: [{ requestIds: ['r1'], code }],
      context: { cut: null, last: { ok: false, failure: { code } } },
    })
  })

  test.each([
    ['no registration', registering, deadline, /did not list the emulator in time/],
    ['no boot', booting, deadline, /did not boot in time/],
    ['no settings', preparing, deadline, /developer settings/],
    ['an early death', booting, event('process.died', { message: 'm', details: { output: 'tail' } }), /m/],
    ['a tool that is gone', registering, failed(), /m/],
    ['a driver that breaks', booting, event('port.failed', { port: 'boot', message: 'm' }), /m/],
  ])('a start ends its process before it is answered: %s', (_name, path, then, message) => {
    expect(given(emulator, path).when(then)).toMatchObject({ state: 'busy.starting.abandoning', emitted: [] })
    const ended = given(emulator, [...path, then]).when(event('process.ended', { details: { output: 'tail' } }))
    expect(ended).toMatchObject({
      state: 'resting.exists',
      emitted: [{ requestIds: ['r1'], message: expect.stringMatching(message), details: expect.anything() }],
      context: { process: null, failure: null, last: { ok: false } },
    })
  })

  test.each([
    ['before anything was made', creating, false],
    ['after', making, true],
  ])('a create is undone, %s', (_name, path, isMaking) => {
    const undoing = given(emulator, path).when(failed('ANDROID_AVD_CREATE_FAILED'))
    expect(undoing).toMatchObject({ state: 'busy.undoing', emitted: [], context: { request: { making: isMaking } } })
    const undone = given(emulator, [...path, failed('ANDROID_AVD_CREATE_FAILED')]).when(event('avd.undone'))
    expect(undone).toMatchObject({
      state: 'resting.none',
      emitted: [{ code: 'ANDROID_AVD_CREATE_FAILED', details: { d: 1 } }],
    })
  })
})

describe('requests that meet', () => {
  test('the same change is joined, and one answer is for both', () => {
    const both = [...preparing, ask('start', 'r2')]
    expect(given(emulator, preparing).when(ask('start', 'r2'))).toMatchObject({
      state: `${AWAITING}.preparing`,
      emitted: [],
    })
    expect(given(emulator, both).when(event('settings.enabled')).emitted).toMatchObject([{ requestIds: ['r1', 'r2'] }])
    const failing = [...both, event('process.died', { message: 'm', details: null })]
    const over = given(emulator, failing).when(event('process.ended', { details: null }))
    expect(over.emitted).toMatchObject([{ requestIds: ['r1', 'r2'] }])
  })

  test.each([
    ['another change', starting, ask('delete', 'r2')],
    ['a start of another kind', starting, ask('start', 'r2', { options: { wipe: true, window: true } })],
    ['a second create', creating, ask('create', 'r2')],
    ['a start during a repair that waits for nothing yet', [ask('repair')], ask('start', 'r2')],
  ])('%s is refused and disturbs nothing', (_name, path, request) => {
    const { state } = given(emulator, path)
    expect(given(emulator, path).when(request)).toMatchObject({
      state,
      emitted: [{ requestIds: ['r2'], code: 'EMULATOR_BUSY' }],
    })
  })
})

describe('a host that dies', () => {
  const cut = event('request.interrupted')
  /** What it left is cleaned up, and then the AVD is looked at. */
  const repaired = (goesOn = true) => event('leftovers.repaired', { process: goesOn ? process : null, done: 'd' })
  const wiping = (id: string) => ask('start', id, { options: { wipe: true, window: true } })

  test.each([
    ['looking', [ask('stop')]],
    ['installing', installing],
    ['creating', making],
    ['creating', [...making, failed()]],
    ['spawning', starting],
    ['registering', registering],
    ['booting', booting],
    ['preparing', preparing],
    ['abandoning', [...booting, deadline]],
    ['stopping', [ask('stop'), seen('running')]],
    ['deleting', [ask('delete'), seen('stopped')]],
  ])('%s: what it did is known to the next request', (phase, path) => {
    const interrupted = given(emulator, path).when(cut)
    const known = { cut: { requestId: 'r1', phase } }
    expect(interrupted).toMatchObject({ state: 'resting.unclear', emitted: [], context: known })
    expect(given(emulator, [...path, cut]).when(ask('start', 'r2'))).toMatchObject({
      state: 'busy.observing',
      context: known,
    })
  })

  test('the tool it ran is known, too, and when that can have made something', () => {
    const path = [...making, event('tool.spawned', { tool: 'avdmanager', pid: 9, started: 't' }), cut]
    const { context } = given(emulator, path).when(ask('repair', 'r2'))
    expect(context).toMatchObject({ tool: { pid: 9, started: 't' }, cut: { making: true, since: 2_000, until: 2_120 } })
  })

  test.each([
    ['a start', ask('start', 'r2')],
    ['a repair that waits', ask('repair', 'r2')],
  ])('%s goes on with its emulator', (_name, request) => {
    const path = [...booting, cut, request, repaired()]
    const adopted = given(emulator, path).when(seen('running', 's'))
    expect(adopted).toMatchObject({ state: `${AWAITING}.registering`, context: { process, cut: null } })
    const rest = ['emulator.registered', 'boot.completed'].map(type => event(type, { serial: 's' }))
    const then = given(emulator, [...path, seen('running', 's'), ...rest]).when(event('settings.enabled'))
    expect(then).toMatchObject({
      state: 'resting.running',
      emitted: [{ requestIds: ['r2'], adopted: true, serial: 's', done: 'd' }],
    })
  })

  test('a start joins a repair that waits for the emulator, unless it wants the data erased', () => {
    const path = [...booting, cut, ask('repair', 'r2'), repaired(), seen('running')]
    expect(given(emulator, path).when(ask('start', 'r3')).context.request.joined).toEqual(['r3'])
    expect(given(emulator, path).when(wiping('r3')).emitted).toMatchObject([
      { requestIds: ['r3'], code: 'EMULATOR_BUSY' },
    ])
    const erased = [
      wiping('r1'),
      seen('stopped'),
      event('process.spawned', process),
      cut,
      ask('repair', 'r2'),
      repaired(),
    ]
    expect(given(emulator, [...erased, seen('running')]).when(wiping('r3')).context.request.joined).toEqual(['r3'])
  })

  test.each([
    ['a start that erases the data', wiping('r2'), 'resting.running', 'EMULATOR_ALREADY_RUNNING'],
    ['a stop', ask('stop', 'r2'), 'busy.stopping', undefined],
    ['a repair that does not wait', ask('repair', 'r2', { resume: false }), 'resting.running', undefined],
  ])('%s does not go on with it', (_name, request, state, code) => {
    const then = given(emulator, [...booting, cut, request, repaired()]).when(seen('running'))
    expect(then.state).toBe(state)
    if (code) expect(then.emitted).toMatchObject([{ code }])
  })

  test.each([
    ['absent', 'none'],
    ['stopped', 'exists'],
    ['running', 'running'],
  ])('a repair that finds it %s says what was done', (finding, state) => {
    const path = [...making, cut, ask('repair', 'r2'), repaired(false)]
    expect(given(emulator, path).when(seen(finding))).toMatchObject({
      state: `resting.${state}`,
      emitted: [{ requestIds: ['r2'], done: 'd' }],
      context: { cut: null },
    })
  })

  test('a repair that fails leaves what there is to repair', () => {
    const path = [...making, cut, ask('start', 'r2')]
    for (const failure of [event('port.failed', { port: 'observe', message: 'm' }), cut]) {
      expect(given(emulator, path).when(failure)).toMatchObject({
        state: 'resting.unclear',
        context: { cut: { requestId: 'r1', phase: 'creating', making: true } },
      })
    }
  })
})
