import { describe, expect, test } from 'vitest'
import { provision } from '../../machines/provision.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 1, ...more })
const asked = event('provision.requested', {
  requestId: 'p1',
  derivedName: 'svc-pixel-12gb',
  abi: null,
  spec: { image: 'i', deviceProfile: 'pixel_7', storageGb: 12 },
  options: { wipe: false, window: true },
  limits: { installMs: 1, createMs: 1, registerMs: 1, bootMs: 1, prepareMs: 1, goneMs: 1 },
})
const found = (facts: object = {}) =>
  event('emulators.looked-up', { running: null, startable: null, derivedNameTaken: false, details: null, ...facts })
const started = (avdName: string, joined = false) => event('emulator.started', { avdName, serial: 's', joined })
const running = (booted: boolean) => ({ running: { avdName: 'n', serial: 's', booted }, startable: 'other' })

test('reuses one that runs', () => {
  expect(given(provision, [asked]).when(found(running(true)))).toMatchObject({
    state: 'provisioned',
    emitted: [{ requestId: 'p1', avdName: 'n', serial: 's', created: false, started: false, reused: true }],
  })
})

test('waits for one that runs and has not booted', () => {
  expect(given(provision, [asked]).when(found(running(false))).state).toBe('working.booting')
  const booted = event('emulator.booted', { avdName: 'n', serial: 's2' })
  expect(given(provision, [asked, found(running(false))]).when(booted)).toMatchObject({
    state: 'provisioned',
    emitted: [{ avdName: 'n', serial: 's2', created: false, started: false, reused: true }],
  })
})

test.each([
  ['starts one', false, true],
  ['joins the start of another request', true, false],
])('else %s', (_name, joined, isStarted) => {
  const then = given(provision, [asked, found({ startable: 'n' })]).when(started('n', joined))
  expect(then.emitted).toMatchObject([{ avdName: 'n', created: false, started: isStarted, reused: true }])
})

test('else makes one and starts it', () => {
  expect(given(provision, [asked]).when(found()).state).toBe('working.creating')
  const path = [asked, found(), event('avd.created', { avdName: 'svc-pixel-12gb' })]
  expect(given(provision, path).when(started('svc-pixel-12gb')).emitted).toMatchObject([
    { avdName: 'svc-pixel-12gb', created: true, started: true, reused: false },
  ])
})

test('does not take a name that an unsupported AVD has', () => {
  const taken = found({ derivedNameTaken: true, details: { unsupportedReasons: ['unsupported_abi'] } })
  expect(given(provision, [asked]).when(taken)).toMatchObject({
    state: 'failed',
    emitted: [{ code: 'EMULATOR_UNSUPPORTED', details: { unsupportedReasons: ['unsupported_abi'] } }],
  })
  // One that can be started is preferred.
  expect(given(provision, [asked]).when(found({ derivedNameTaken: true, startable: 'n' })).state).toBe(
    'working.starting',
  )
})

describe('when others change the emulators meanwhile', () => {
  const changed = event('emulators.changed')

  test.each([
    ['making', found()],
    ['starting', found({ startable: 'n' })],
    ['waiting', found(running(false))],
  ])('it looks again: %s', (_name, look) => {
    expect(given(provision, [asked, look]).when(changed).state).toBe('working.choosing')
  })

  test('it does not look for ever', () => {
    const rounds = Array.from({ length: 9 }, () => [found(), changed]).flat()
    expect(given(provision, [asked, ...rounds, found()]).when(changed)).toMatchObject({
      state: 'failed',
      emitted: [{ code: 'EMULATOR_BUSY' }],
    })
  })
})

test.each([
  [
    'a tool',
    event('tool.failed', { code: 'ANDROID_AVD_CREATE_FAILED', message: 'm', details: { d: 1 } }),
    'ANDROID_AVD_CREATE_FAILED',
  ],
  ['the driver', event('port.failed', { port: 'p', message: 'm' }), 'INTERNAL_ERROR'],
  ['the host', event('request.interrupted'), 'INTERNAL_ERROR'],
])('%s fails it', (_name, failure, code) => {
  for (const path of [[asked], [asked, found()], [asked, found({ startable: 'n' })]]) {
    expect(given(provision, path).when(failure)).toMatchObject({
      state: 'failed',
      emitted: [{ requestId: 'p1', code }],
    })
  }
})
