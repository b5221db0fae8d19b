/** What the simulated operator app tells beside its results, and when it is asked. */
import { describe, expect, test } from 'vitest'
import type { OperatorCapability } from '../../../src/contracts/device/operator.ts'
import type { Fault, PROGRESS_FAULT_KINDS } from '../../../src/simulator/scenario/fault.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'
import {
  broadcast,
  NONCE,
  operatorLines,
  phoneWithOperator,
  requestOf,
  talkTo,
} from '../../support/simulator/simulated-phone.ts'

const NAME = 'com.svc.operator'
const SLEEP = { type: 'sleep', params: { durationMs: 1_000 } }
/** One step of `SLEEP`, at the speed of the phone. */
const STEP_MS = 50
const MISSING = { type: 'read_text', params: { matcher: { textEquals: 'no such text' } } }

type Lie = (typeof PROGRESS_FAULT_KINDS)[number]

interface Setup {
  capabilities?: OperatorCapability[]
  lie?: Lie
}

const setup = ({ capabilities = ['progress', 'results'], lie }: Setup = {}) => {
  const clock = manualClock()
  const faults: Fault[] = lie ? [{ do: lie, after: 0, times: 1 }] : []
  const phone = phoneWithOperator({ capabilities }, { clock, faults })
  const session = () => {
    const talk = talkTo(phone.connect(NAME))
    const heard = () => talk.frames.slice(1).map(frame => JSON.parse(frame))
    const execute = (wireId: string, steps: { type: string; params?: object }[]) =>
      talk.send({ type: 'execute', payload: requestOf(wireId, steps) })
    const ask = async (commandId: string, nonce = NONCE) => {
      const before = talk.frames.length
      talk.send({ type: 'result?', commandId, nonce })
      await settled()
      return talk.frames.slice(before)
    }
    return { talk, heard, execute, ask, ofType: (type: string) => heard().filter(frame => frame.type === type) }
  }
  const later = async (ms: number) => {
    await settled()
    for (let left = ms; left > 0; left -= STEP_MS) {
      clock.advance(Math.min(left, STEP_MS))
      await settled()
    }
  }
  const progressLines = () =>
    operatorLines(phone).flatMap(line => (line.startsWith('[Svc-Progress] ') ? [JSON.parse(line.slice(15))] : []))
  return { clock, phone, session, later, progressLines }
}

const progressOf = (step: number, commandId = 'e1.0') => ({ commandId, nonce: NONCE, step, success: true })
const unknown = (commandId = 'e1.0') => [JSON.stringify({ type: 'unknown', commandId })]
const running = (step: number, commandId = 'e1.0') => [JSON.stringify({ type: 'running', commandId, step })]

describe('progress', () => {
  test('is told over the session once a step has ended, of all steps but the last', async () => {
    const { session, later } = setup()
    const { execute, heard } = session()
    execute('e1.0', [SLEEP, SLEEP, SLEEP])
    await later(0)
    expect(heard()).toEqual([])
    await later(STEP_MS)
    expect(heard()).toEqual([{ type: 'progress', ...progressOf(0) }])
    await later(2 * STEP_MS)
    expect(heard().map(({ type }) => type)).toEqual(['progress', 'progress', 'result'])
  })

  test('of a request that came as a broadcast is told in the log', async () => {
    const { phone, later, progressLines } = setup()
    broadcast(phone, requestOf('e1.0', [SLEEP, SLEEP]))
    await later(2 * STEP_MS)
    expect(progressLines()).toEqual([progressOf(0)])
    expect(operatorLines(phone)).toHaveLength(2)
  })

  test('goes on in the log when the session is closed', async () => {
    const { session, later, progressLines } = setup()
    const { execute, talk, heard } = session()
    execute('e1.0', [SLEEP, SLEEP, SLEEP])
    await later(STEP_MS)
    talk.close()
    await later(2 * STEP_MS)
    expect(heard()).toHaveLength(1)
    expect(progressLines()).toEqual([progressOf(1)])
  })

  test.each([
    ['one step', [SLEEP]],
    ['a first step that fails', [MISSING, SLEEP]],
    ['no valid step', []],
  ])('is none of a request with %s', async (_, steps) => {
    const { session, later } = setup()
    const { execute, heard } = session()
    execute('e1.0', steps)
    await later(15_000)
    expect(heard().map(({ type }) => type)).toEqual(['result'])
  })

  test('is none of an app without the capability', async () => {
    const { session, later, phone } = setup({ capabilities: ['results'] })
    const { execute, heard, ask } = session()
    execute('e1.0', [SLEEP, SLEEP])
    await later(STEP_MS)
    expect(heard()).toEqual([])
    expect(await ask('e1.0')).toEqual(running(1))
    expect(operatorLines(phone)).toEqual([])
  })
})

describe('a question', () => {
  test('is answered by the step under way, then by the bytes of the result, as often as it comes', async () => {
    const { session, later, phone } = setup()
    const { execute, ask, talk } = session()
    execute('e1.0', [SLEEP, SLEEP])
    execute('e2.0', [SLEEP])
    await later(0)
    expect(await ask('e1.0')).toEqual(running(0))
    expect(await ask('e2.0')).toEqual(running(0, 'e2.0'))
    await later(STEP_MS)
    expect(await ask('e1.0')).toEqual(running(1))
    await later(2 * STEP_MS)
    const result = talk.frames.find(frame => frame.startsWith('{"type":"result"') && frame.includes('"e1.0"'))
    expect(await ask('e1.0')).toEqual([result])
    expect(await ask('e1.0')).toEqual([result])
    expect(phone.executions().map(({ wireId }) => wireId)).toEqual(['e1.0', 'e2.0'])
  })

  test('is answered over another session, also about a list that went on without its own', async () => {
    const { session, later, phone } = setup()
    const first = session()
    first.execute('e1.0', [SLEEP, SLEEP])
    await later(STEP_MS)
    first.talk.close()
    const second = session()
    expect(await second.ask('e1.0')).toEqual(running(1))
    await later(STEP_MS)
    const logged = operatorLines(phone)
      .find(line => line.startsWith('[Svc-Result] '))
      ?.slice(13)
    expect(await second.ask('e1.0')).toEqual([`{"type":"result","envelope":${logged}}`])
    expect(phone.executions()).toHaveLength(1)
  })

  test('is answered about a broadcast, and about a request that was not valid', async () => {
    const { session, later, phone } = setup()
    broadcast(phone, requestOf('e1.0', [SLEEP]))
    broadcast(phone, requestOf('e2.0', []))
    await later(STEP_MS)
    const { ask } = session()
    expect(JSON.parse((await ask('e1.0'))[0] ?? '')).toMatchObject({
      envelope: { commandId: 'e1.0', status: 'success' },
    })
    expect(JSON.parse((await ask('e2.0'))[0] ?? '')).toMatchObject({
      envelope: { commandId: 'e2.0', errorCode: 'EXECUTION_VALIDATION_FAILED' },
    })
  })

  test('about a request that is not known, or with another nonce, is answered by unknown', async () => {
    const { session, later } = setup()
    const { execute, ask } = session()
    expect(await ask('e1.0')).toEqual(unknown())
    execute('e1.0', [SLEEP])
    await later(0)
    expect(await ask('e1.0', 'f'.repeat(32))).toEqual(unknown())
    await later(STEP_MS)
    expect(await ask('e1.0', 'f'.repeat(32))).toEqual(unknown())
    expect(await ask('e1.1')).toEqual(unknown('e1.1'))
  })

  test('that is not whole is passed over', async () => {
    const { session } = setup()
    const { talk, heard } = session()
    for (const more of [{}, { commandId: 'e1.0' }, { commandId: 1, nonce: NONCE }, { commandId: 'e1.0', nonce: null }])
      talk.send({ type: 'result?', ...more })
    await settled()
    expect(heard()).toEqual([])
  })

  test('is passed over by an app that keeps no results', async () => {
    const { session, later } = setup({ capabilities: ['progress'] })
    const { execute, ask } = session()
    execute('e1.0', [SLEEP])
    await later(STEP_MS)
    expect(await ask('e1.0')).toEqual([])
  })

  test('does not forget for ten minutes, on the clock of the simulator', async () => {
    const { session, later, clock } = setup()
    const { execute, ask } = session()
    execute('e1.0', [SLEEP])
    await later(STEP_MS)
    clock.advance(9 * 60_000)
    expect(await ask('e1.0')).toHaveLength(1)
    clock.advance(60_000)
    expect(await ask('e1.0')).toEqual(unknown())
  })
})

describe('an app that lies', () => {
  test('tells steps as ended that have not begun', async () => {
    const { session, later } = setup({ lie: 'progress-untrue' })
    const { execute, ofType } = session()
    execute('e1.0', [MISSING, SLEEP, SLEEP])
    await later(0)
    expect(ofType('progress').map(({ step }) => step)).toEqual([0, 1])
    await later(15_000)
    expect(ofType('progress')).toHaveLength(2)
    expect(ofType('result')).toMatchObject([{ envelope: { errorCode: 'NODE_NOT_FOUND' } }])
  })

  test('tells and answers with the nonce of another request', async () => {
    const { session, later } = setup({ lie: 'nonce-wrong' })
    const { execute, ask, ofType } = session()
    execute('e1.0', [SLEEP, SLEEP])
    await later(2 * STEP_MS)
    expect(ofType('progress')).toMatchObject([{ step: 0, nonce: '0'.repeat(32) }])
    expect(ofType('result')).toMatchObject([{ envelope: { nonce: NONCE } }])
    expect(JSON.parse((await ask('e1.0'))[0] ?? '')).toMatchObject({ envelope: { nonce: '0'.repeat(32) } })
  })

  test('forgets a request that it performed', async () => {
    const { session, later } = setup({ lie: 'result-forgotten' })
    const { execute, ask, ofType } = session()
    execute('e1.0', [SLEEP])
    await later(0)
    expect(await ask('e1.0')).toEqual(unknown())
    await later(STEP_MS)
    expect(ofType('result')).toHaveLength(1)
    expect(await ask('e1.0')).toEqual(unknown())
  })

  test('performs a request again when it is asked about it', async () => {
    const { session, later, phone } = setup({ lie: 'asking-repeats' })
    const { execute, ask } = session()
    execute('e1.0', [SLEEP])
    await later(STEP_MS)
    await ask('e1.0')
    await later(STEP_MS)
    expect(phone.executions().map(({ wireId }) => wireId)).toEqual(['e1.0', 'e1.0'])
    expect(phone.arrivals()).toHaveLength(1)
  })
})
