/** What a phone answers about a request that nobody waits for any more: by the session socket, and from the log. */
import { describe, expect, test } from 'vitest'
import { askForResult, type DispatchedRequest } from '../../../../src/device/operators/app/ask-for-result.ts'
import { operatorRequest } from '../../../../src/device/operators/app/segment-request.ts'
import { createSessions } from '../../../../src/device/operators/app/session/sessions.ts'
import { type FakeDevice, fakeDevice } from '../../../support/device/fake-device.ts'
import {
  answerLines,
  chunkLine,
  chunksOf,
  executionOf,
  okStep,
  progressLine,
  resultLine,
  sleepStep,
  wireEnvelopeOf,
} from '../../../support/device/operator-samples.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const awaited = { wireId: 'e1.0', nonce: '1'.repeat(32) }
const envelope = wireEnvelopeOf(awaited)
const ended = (step: number, success = true) => ({ step, success })
const stepLine = (step: number, more: object = {}) =>
  progressLine({ commandId: awaited.wireId, nonce: awaited.nonce, step, success: true, ...more })
/** As much as a snapshot of a full screen. */
const large = wireEnvelopeOf(awaited, { stepResults: [okStep('a', { text: 'ä'.repeat(20_000) })] })

const setup = (operator: FakeDevice['operator'], capabilities?: string[]) => {
  const clock = manualClock()
  const device = fakeDevice(clock)
  Object.assign(device, { operator, capabilities })
  const session = createSessions({ clock, openLink: device.openLink }).of('d1')
  const dispatched: DispatchedRequest = {
    ...awaited,
    operatorPackage: 'com.svc.operator',
    dispatchedAt: clock.now(),
    timeoutMs: 30_000,
    stepCount: 3,
  }
  const ask = (more: Partial<DispatchedRequest> = {}, options: { withinMs?: number; signal?: AbortSignal } = {}) =>
    askForResult(session, { ...dispatched, ...more }, { clock, withinMs: 2_000, ...options })
  const readBacks = () => device.calls().filter(call => call.startsWith('exec logcat -d'))
  return { clock, device, session, ask, readBacks }
}

const RESULTS = ['progress', 'results']

describe('an app with a session socket that keeps results', () => {
  const answering = (frame: object) => {
    const parts = setup('socket', RESULTS)
    parts.device.onQuestion = () => frame
    return parts
  }

  test('answers the result, of any size', async () => {
    for (const whole of [envelope, large]) {
      const { ask, readBacks, device } = answering({ type: 'result', envelope: whole })
      expect(await ask()).toEqual({ kind: 'result', envelope: whole, from: 'operator' })
      expect(readBacks()).toEqual([])
      expect(device.requests).toEqual([])
    }
  })

  test('answers the step under way, before which all have ended', async () => {
    const { ask, readBacks } = answering({ type: 'running', commandId: 'e1.0', step: 2 })
    expect(await ask()).toEqual({ kind: 'running', step: 2, progress: [ended(0), ended(1)], from: 'operator' })
    expect(readBacks()).toEqual([])
  })

  test('is not believed where it names a step that the request has not', async () => {
    const { ask } = answering({ type: 'running', commandId: 'e1.0', step: 3 })
    expect(await ask()).toEqual({
      kind: 'unanswered',
      reason: 'the operator app is at step 3 of a request with 3 steps',
    })
  })

  test('and does not know the request leaves it to the log', async () => {
    const { ask, device } = answering({ type: 'unknown', commandId: 'e1.0' })
    expect(await ask()).toEqual({ kind: 'unknown', progress: [], from: 'log' })
    device.log(stepLine(0))
    expect(await ask()).toEqual({ kind: 'unknown', progress: [ended(0)], from: 'log' })
    device.log(resultLine(envelope))
    expect(await ask()).toEqual({ kind: 'result', envelope, from: 'log' })
  })

  test('is asked about the nonce as it was sent', async () => {
    const { ask, device } = setup('socket', RESULTS)
    device.onQuestion = ({ commandId, nonce }) =>
      nonce === awaited.nonce ? { type: 'result', envelope } : { type: 'unknown', commandId }
    device.log(resultLine(envelope), stepLine(0))
    expect(await ask({ nonce: '2'.repeat(32) })).toEqual({ kind: 'unknown', progress: [], from: 'log' })
    expect(await ask()).toEqual({ kind: 'result', envelope, from: 'operator' })
  })

  test('whose result is damaged is not answered', async () => {
    const { ask } = answering({ type: 'result', envelope: { ...envelope, stepResults: 'none' } })
    expect(await ask()).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('stepResults') })
  })

  test('whose result has another nonce is not answered', async () => {
    const { ask, clock } = answering({ type: 'result', envelope: { ...envelope, nonce: '2'.repeat(32) } })
    const answer = ask()
    await settled()
    clock.advance(2_000)
    expect(await answer).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('in time') })
    expect(clock.pending()).toBe(0)
  })

  test('that is cut off is not answered, unless the log has the result', async () => {
    const { ask, device } = setup('socket', RESULTS)
    device.onQuestion = () => {
      device.sockets().at(-1)?.end()
      return undefined
    }
    device.log(stepLine(0))
    expect(await ask()).toEqual({ kind: 'unanswered', reason: 'the operator closed its session socket' })
    device.log(resultLine(envelope))
    expect(await ask()).toEqual({ kind: 'result', envelope, from: 'log' })
  })

  test('does not disturb a request that is under way there', async () => {
    const { ask, session, clock, device } = answering({ type: 'unknown', commandId: 'e1.0' })
    device.behave = () => {}
    const actions = [sleepStep('a')]
    const socket = await session.sockets.get('com.svc.operator', { deadline: clock.now() + 2_000 })
    const other = { wireId: 'e2.0', nonce: awaited.nonce }
    const result = socket?.execute(
      operatorRequest({ execution: executionOf(actions), actions, awaited: other, timeLeftMs: 30_000 }),
    )
    expect(await ask()).toEqual({ kind: 'unknown', progress: [], from: 'log' })
    const [request] = device.requests
    if (request) device.answer(request)
    expect(await result).toMatchObject({ kind: 'done', envelope: { commandId: 'e2.0' } })
    expect(device.sockets()).toHaveLength(1)
  })
})

describe.each([
  ['by broadcast', 'broadcast', undefined],
  ['with a session socket that keeps no results', 'socket', ['progress']],
  ['with a session socket and no capabilities', 'socket', undefined],
] as const)('of an app %s, the log', (_, operator, capabilities) => {
  const asking = () => {
    const parts = setup(operator, capabilities && [...capabilities])
    parts.device.onQuestion = () => {
      throw new Error('an app that keeps no results is not asked')
    }
    return parts
  }

  test('has the result, whole or in chunks', async () => {
    for (const whole of [envelope, large]) {
      const { ask, device, clock } = asking()
      device.log(stepLine(0), ...answerLines({ ...whole, nonce: '2'.repeat(32) }), ...answerLines(whole), 'more')
      clock.advance(20_000)
      expect(await ask()).toEqual({ kind: 'result', envelope: whole, from: 'log' })
    }
  })

  test('tells the step under way, until the time of the request is over', async () => {
    const { ask, device, clock } = asking()
    device.log(stepLine(0), stepLine(0), stepLine(2, { nonce: '2'.repeat(32) }), stepLine(1))
    expect(await ask()).toEqual({ kind: 'running', step: 2, progress: [ended(0), ended(1)], from: 'log' })
    clock.advance(35_000)
    expect(await ask()).toEqual({ kind: 'unknown', progress: [ended(0), ended(1)], from: 'log' })
  })

  test('tells of no step under way behind the last one, or a failed one', async () => {
    const { ask, device } = asking()
    device.log(stepLine(0), stepLine(1, { success: false }))
    expect(await ask()).toEqual({ kind: 'unknown', progress: [ended(0), ended(1, false)], from: 'log' })
    expect(await ask({ stepCount: 1 })).toEqual({ kind: 'unknown', progress: [ended(0)], from: 'log' })
  })

  test('holds nothing of it', async () => {
    const { ask, device, readBacks } = asking()
    device.log('other words', resultLine({ ...envelope, commandId: 'e0.0' }))
    expect(await ask()).toEqual({ kind: 'unknown', progress: [], from: 'log' })
    expect(readBacks()).toHaveLength(1)
  })

  test('is read from the time of the request on, on the clock of the device', async () => {
    const { ask, device, clock } = asking()
    device.log(resultLine(envelope))
    clock.advance(60_000)
    expect(await ask({ dispatchedAt: clock.now() - 1_000 })).toEqual({ kind: 'unknown', progress: [], from: 'log' })
    expect(await ask()).toEqual({ kind: 'result', envelope, from: 'log' })
  })

  test('with a part of the result is no answer', async () => {
    const { ask, device } = asking()
    const lines = chunksOf(awaited, JSON.stringify(envelope), 40).map(chunkLine)
    device.log(...lines.slice(1))
    expect(await ask()).toEqual({
      kind: 'unanswered',
      reason: 'the result of the request is damaged: chunks of the result are missing',
    })
  })

  test('cannot be read where the device is gone or says nothing', async () => {
    const { ask, device, clock, readBacks } = asking()
    device.onShell = () => new Promise(() => {})
    const silent = ask()
    await settled()
    clock.advance(2_000)
    expect(await silent).toMatchObject({ kind: 'unanswered' })
    expect(readBacks()).toEqual([])
    device.reachable = false
    device.links[0]?.lose()
    expect(await ask()).toEqual({ kind: 'unanswered', reason: "device 'd1' not found" })
    expect(clock.pending()).toBe(0)
  })

  test('is not read for a caller who has left', async () => {
    const { ask, device } = asking()
    device.log(resultLine(envelope))
    expect(await ask({}, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'unanswered' })
  })

  test('is read beside a request that is under way, whose result comes to who waits for it', async () => {
    const { ask, session, device, clock } = asking()
    await session.log.open({ deadline: clock.now() + 2_000 })
    const other = { wireId: 'e2.0', nonce: '2'.repeat(32) }
    const wait = session.log.expect(other)
    wait.dispatched()
    device.log(
      ...chunksOf(other, JSON.stringify(wireEnvelopeOf(other)), 60)
        .slice(0, -1)
        .map(chunkLine),
    )
    device.log(resultLine(envelope))
    expect(await ask()).toEqual({ kind: 'result', envelope, from: 'log' })
    device.log(
      ...chunksOf(other, JSON.stringify(wireEnvelopeOf(other)), 60)
        .slice(-1)
        .map(chunkLine),
    )
    expect(await wait.ending).toMatchObject({ kind: 'done', envelope: { commandId: 'e2.0' } })
    wait.close()
  })
})

test('a name that no app can have is not asked', async () => {
  const { ask, device } = setup('socket', RESULTS)
  expect(await ask({ operatorPackage: 'com.svc\0x' })).toMatchObject({ kind: 'unanswered' })
  expect(device.calls()).toEqual([])
})
