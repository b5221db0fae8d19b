/** The log of another host's device goes on as long as there is hope, and ends with a reason. */
import { expect, test } from 'vitest'
import { failure } from '../../src/contracts/failures/failures.ts'
import { LOG_RETURN_MS } from '../../src/device/logs/open-log.ts'
import { followLog, LogEndedError, type LogPage } from '../../src/service/follow-log.ts'
import { failed, type Result, type Service, success } from '../../src/service/service.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

type Answer = Result<LogPage>
const page = (position: string): Answer => success({ lines: [], position }, { deviceId: 'd1', host: 'h1' })
const gone = failed(failure('FLEET_HOST_GONE', 'The host is gone.'))

const following = async (answers: (at: number) => Answer, from: { after?: string; since?: string } = {}) => {
  const clock = manualClock()
  const asked: Record<string, unknown>[] = []
  const service = {
    'logs.read': async (input: Record<string, unknown>) => {
      asked.push(input)
      return answers(asked.length - 1)
    },
  } as unknown as Service
  const end = new AbortController()
  const call = { context: { caller: 'http' as const }, signal: end.signal }
  const result = await followLog(service, { deviceId: 'd1', tag: ['app'], clock, ...from } as never, call)
  const seen: string[] = []
  let ended: unknown
  const read = async () => {
    if (!result.ok) throw new Error(result.error.message)
    for await (const { position } of result.value) seen.push(position)
    ended = 'over'
  }
  const reading = result.ok ? read().catch((error: unknown) => (ended = error)) : undefined
  const later = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await settled()
      clock.advance(1_000)
    }
    await settled()
  }
  return { asked, end, result, seen, later, reading, ended: () => ended }
}

/** Nothing more comes until the call ends. */
const silence = () => new Promise<never>(() => {}) as unknown as Answer

test('each page begins behind the last line of the one before', async () => {
  const { asked, seen, result, end } = await following(at => (at < 3 ? page(`p${at}`) : silence()))
  await settled()
  expect(result).toMatchObject({ ok: true, deviceId: 'd1', host: 'h1' })
  expect(seen).toEqual(['p0', 'p1', 'p2'])
  expect(asked).toMatchObject([
    { deviceId: 'd1', tag: ['app'], since: '0s', take: 'first', waitMs: 0 },
    { deviceId: 'd1', tag: ['app'], after: 'p0', waitMs: 20_000 },
    { after: 'p1' },
    { after: 'p2' },
  ])
  expect(asked[1]).not.toHaveProperty('since')
  end.abort()
})

test('a follower that was there before goes on where it was', async () => {
  const { asked, end } = await following(at => (at < 1 ? page('p9') : silence()), { after: 'p8', since: '1h' })
  expect(asked[0]).toMatchObject({ after: 'p8' })
  expect(asked[0]).not.toHaveProperty('since')
  end.abort()
})

test('a log that cannot be read from the beginning is an answer', async () => {
  const { result } = await following(() => gone)
  expect(result).toMatchObject({ ok: false, error: { code: 'FLEET_HOST_GONE' } })
})

test('a device that is away for a while is asked again, and nothing of its log is lost', async () => {
  const { asked, seen, later, ended, end } = await following(at => {
    if (at === 0 || at === 4) return page(`p${at}`)
    return at < 4 ? gone : silence()
  })
  await later(5_000)
  expect(seen).toEqual(['p0', 'p4'])
  expect(asked.slice(1, 5)).toMatchObject(Array(4).fill({ after: 'p0' }))
  expect(ended()).toBeUndefined()
  end.abort()
})

test('a device that does not come back is given up, counted from its last page', async () => {
  const { later, ended } = await following(at => (at === 0 || at === 60 ? page(`p${at}`) : gone))
  await later(LOG_RETURN_MS)
  expect(ended(), 'it came back in between').toBeUndefined()
  await later(60_000)
  expect(ended()).toBeInstanceOf(LogEndedError)
  expect(ended()).toMatchObject({ message: 'The host is gone.', told: { error: { code: 'FLEET_HOST_GONE' } } })
})

test('what will not pass ends it at once', async () => {
  const refused = failed(failure('DEVICE_UNAUTHORIZED', 'It is refused.'))
  const { asked, ended } = await following(at => (at === 0 ? page('p0') : refused))
  await settled()
  expect([asked.length, (ended() as LogEndedError).message]).toEqual([2, 'It is refused.'])
})

test('a follower that leaves ends it, also while the device is away', async () => {
  const { asked, end, later, ended } = await following(at => (at === 0 ? page('p0') : gone))
  await later(2_000)
  end.abort()
  await settled()
  expect(ended()).toBe('over')
  const before = asked.length
  await later(5_000)
  expect(asked).toHaveLength(before)
})
