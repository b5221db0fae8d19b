import { describe, expect, test } from 'vitest'
import { createFaultPlan } from '../../../src/simulator/operator-app/fault-plan.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import {
  assembled,
  broadcast,
  chunksIn,
  envelopesIn,
  NONCE,
  operatorLines,
  phoneOf,
  phoneWithOperator,
  requestOf,
  talkTo,
} from '../../support/simulator/simulated-phone.ts'
import { until } from '../../support/until.ts'

const SLEEP = [{ type: 'sleep', params: { durationMs: 0 } }]
const LONG = [{ type: 'open_app', params: { applicationId: 'com.android.settings' } }, { type: 'snapshot' }]
const fault = (kind: Fault['do'], more: Partial<Fault> = {}): Fault => ({ after: 0, do: kind, times: 1, ...more })

const hitBy = (kind: Fault['do'], more: Partial<Fault> = {}) => {
  const cuts: string[] = []
  // Its answers alone are damaged here, so it tells nothing else.
  const alone = { capabilities: [] }
  const phone = phoneWithOperator(alone, {
    faults: [fault(kind, more)],
    cutLinks: () => cuts.push('cut'),
    vanish: () => cuts.push('gone'),
  })
  return { phone, cuts }
}

/** A second request is answered well; by then everything about the first has been said. */
const untilSecond = async (phone: ReturnType<typeof phoneOf>) => {
  broadcast(phone, requestOf('after.0', SLEEP))
  const isAnswered = (line: string) => line.includes('"after.0"') && line.includes('"success"')
  await until(() => operatorLines(phone).some(isAnswered), 'the second answer')
  return operatorLines(phone).filter(line => !line.includes('after.0'))
}

describe('which executions are hit', () => {
  const hit = (faults: Fault[], wireIds: string[]) => {
    const plan = createFaultPlan(faults)
    return wireIds.map(id => plan.of(id).map(({ do: kind }) => kind))
  }

  test('the first ones pass, the next ones are hit, the rest pass again', () => {
    const ids = ['a.0', 'b.0', 'c.0', 'd.0', 'e.0']
    expect(hit([fault('late', { after: 1, times: 2 })], ids)).toEqual([[], ['late'], ['late'], [], []])
  })

  test('all segments of an execution count once', () => {
    const ids = ['a.0', 'a.2', 'b.0', 'a.4', 'c.0']
    expect(hit([fault('late', { after: 1 })], ids)).toEqual([[], [], ['late'], [], []])
  })

  test('several faults may come together', () => {
    const faults = [fault('slow', { times: 2 }), fault('garbage', { after: 1 })]
    expect(hit(faults, ['a.0', 'b.0'])).toEqual([['slow'], ['slow', 'garbage']])
  })

  test('those of the scenario count as well', async () => {
    const phone = phoneOf({ scenario: { ...defaultScenario(), faults: [fault('no-result')] } })
    broadcast(phone, requestOf('id-1.0', SLEEP))
    expect(await untilSecond(phone)).toEqual([])
  })
})

describe('over the log', () => {
  test('no-result: it runs, and nothing is said', async () => {
    const { phone } = hitBy('no-result')
    broadcast(phone, requestOf('id-1.0', LONG))
    expect(await untilSecond(phone)).toEqual([])
    expect(phone.foreground().packageName).toBe('com.android.settings')
    expect(phone.executions().map(({ wireId }) => wireId)).toEqual(['id-1.0', 'after.0'])
  })

  test('late: the answer comes so much later, and holds nobody up', async () => {
    const { phone } = hitBy('late', { ms: 400 })
    broadcast(phone, requestOf('id-1.0', SLEEP))
    expect(await untilSecond(phone)).toEqual([])
    await until(() => envelopesIn(operatorLines(phone)).length === 2, 'the late answer')
    const [record] = phone.executions()
    const late = phone.log.entries().find(({ message }) => message.includes('"id-1.0"'))
    expect((late?.at ?? 0) - (record?.finishedAt ?? 0)).toBeGreaterThanOrEqual(399)
  })

  test('truncate: a short answer is cut, and still says whose it is', async () => {
    const { phone } = hitBy('truncate')
    broadcast(phone, requestOf('id-1.0', SLEEP))
    const [line = ''] = await untilSecond(phone)
    expect(line).toMatch(/^\[Svc-Result\] \{/)
    expect(line).toContain('id-1.0')
    expect(line).toContain(NONCE)
    expect(() => envelopesIn([line])).toThrow()
  })

  test('truncate: of a long answer a chunk is too short', async () => {
    const { phone } = hitBy('truncate')
    broadcast(phone, requestOf('id-1.0', LONG))
    const chunks = chunksIn(await untilSecond(phone))
    expect(chunks).toHaveLength(chunks[0]?.count ?? -1)
    expect(() => assembled(chunks)).toThrow(/bytes instead of/)
  })

  test.each([
    ['short', SLEEP],
    ['long', LONG],
  ])('drop-chunk: of a %s answer one chunk is missing', async (_, steps) => {
    const { phone } = hitBy('drop-chunk')
    broadcast(phone, requestOf('id-1.0', steps))
    const chunks = chunksIn(await untilSecond(phone))
    expect(chunks.length).toBe((chunks[0]?.count ?? 0) - 1)
    expect(() => assembled(chunks)).toThrow(/is missing/)
  })

  test.each([
    ['short', SLEEP],
    ['long', LONG],
  ])('repeat-chunk: of a %s answer one chunk comes twice', async (_, steps) => {
    const { phone } = hitBy('repeat-chunk')
    broadcast(phone, requestOf('id-1.0', steps))
    const chunks = chunksIn(await untilSecond(phone))
    expect(chunks.length).toBe((chunks[0]?.count ?? 0) + 1)
    expect(assembled(chunks)).toMatchObject({ commandId: 'id-1.0', status: 'success' })
  })

  test('garbage: comes before a whole answer', async () => {
    const { phone } = hitBy('garbage')
    broadcast(phone, requestOf('id-1.0', SLEEP))
    const lines = await untilSecond(phone)
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.slice(0, -1).some(line => line.includes(NONCE))).toBe(false)
    expect(envelopesIn(lines.slice(-1))).toMatchObject([{ commandId: 'id-1.0', nonce: NONCE, status: 'success' }])
  })

  test('slow: it takes longer, and the next one waits', async () => {
    const { phone } = hitBy('slow', { ms: 300 })
    broadcast(phone, requestOf('id-1.0', SLEEP))
    expect(await untilSecond(phone)).toHaveLength(1)
    const [{ at = 0, finishedAt = 0 } = {}] = phone.executions()
    expect(finishedAt - at).toBeGreaterThanOrEqual(299)
  })
})

describe('the link', () => {
  test('link-lost-before: the operator never sees the request', async () => {
    const { phone, cuts } = hitBy('link-lost-before')
    broadcast(phone, requestOf('id-1.0', LONG))
    expect(cuts).toEqual(['cut'])
    expect(await untilSecond(phone)).toEqual([])
    expect(phone.executions().map(({ wireId }) => wireId)).toEqual(['after.0'])
    expect(phone.foreground().packageName).not.toBe('com.android.settings')
  })

  test.each(['link-lost-after', 'device-gone'] as const)('%s: the operator finishes the request', async kind => {
    const { phone, cuts } = hitBy(kind)
    broadcast(phone, requestOf('id-1.0', SLEEP))
    expect(cuts).toEqual([kind === 'device-gone' ? 'gone' : 'cut'])
    expect(envelopesIn(await untilSecond(phone))).toMatchObject([{ commandId: 'id-1.0', status: 'success' }])
  })
})

describe('over the socket', () => {
  const framesWith = async (
    kind: Fault['do'],
    steps = SLEEP as object[],
    isDone = (frames: string[]) => frames.length > 0,
  ) => {
    const { phone } = hitBy(kind, kind === 'late' ? { ms: 200 } : {})
    const talk = talkTo(phone.connect('com.svc.operator'))
    talk.send({ type: 'execute', payload: requestOf('id-1.0', steps as []) })
    const frames = () => talk.frames.slice(1)
    await until(() => isDone(frames()), 'the frames')
    return frames()
  }
  const isWhole = (frame: string) => JSON.parse(frame).envelope?.status === 'success'

  test.each(['truncate', 'drop-chunk'] as const)('%s: what comes is not JSON, and says whose it is', async kind => {
    for (const steps of [SLEEP, LONG]) {
      const [frame = ''] = await framesWith(kind, steps)
      expect(() => JSON.parse(frame)).toThrow()
      expect(frame).toContain('id-1.0')
      expect(frame).toContain(NONCE)
    }
  })

  test('repeat-chunk: the answer comes twice', async () => {
    const frames = await framesWith('repeat-chunk', SLEEP, ({ length }) => length === 2)
    expect(frames.every(isWhole)).toBe(true)
  })

  test('garbage: the answer comes after it', async () => {
    const frames = await framesWith('garbage', SLEEP, all => all.some(frame => frame.includes(NONCE)))
    expect(frames.length).toBeGreaterThan(1)
    expect(isWhole(frames.at(-1) ?? '')).toBe(true)
  })

  test('late: the answer comes', async () => {
    expect((await framesWith('late')).every(isWhole)).toBe(true)
  })

  test('no-result: nothing comes', async () => {
    const { phone } = hitBy('no-result')
    const talk = talkTo(phone.connect('com.svc.operator'))
    for (const id of ['id-1.0', 'id-2.0']) talk.send({ type: 'execute', payload: requestOf(id, SLEEP) })
    await until(() => talk.frames.some(frame => frame.includes('id-2.0')), 'the second answer')
    expect(talk.frames.some(frame => frame.includes('id-1.0'))).toBe(false)
  })
})
