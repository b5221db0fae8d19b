/** The log of a device as its lines, each once, whatever becomes of the links to it. */
import { afterEach, describe, expect, test } from 'vitest'
import { LOG_LEVELS, type LogPosition } from '../../../src/contracts/device/logs.ts'
import { LOG_RETURN_MS, type LogOptions, type LogStep, openLog } from '../../../src/device/logs/open-log.ts'
import { createPhone, type PhoneOptions } from '../../../src/simulator/device.ts'
import { logLinks } from '../../support/adb/log-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'

const START = Date.UTC(2024, 2, 5, 7, 8, 9)
const APP = 'com.example'
const ends: AbortController[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end.abort()
})

const lab = (more: Partial<PhoneOptions> = {}, device = {}) => {
  const clock = manualClock(START)
  const scenario = scenarioOf({ ...appOf({ main: { nodes: [] } }), device })
  const phone = createPhone({ name: 'p', serialno: 'S1', scenario, clock, ...more })
  const links = logLinks(phone, clock)
  const uid = phone.appFacts?.(APP)?.uid ?? 0
  const say = (message: string, tag = 'T') => phone.log.write('I', tag, message, { pid: phone.pidOf?.(APP) ?? 1, uid })

  const read = async (options: Partial<LogOptions> = {}) => {
    const end = new AbortController()
    ends.push(end)
    const opened = await openLog({
      clock,
      link: links.open,
      isFollowing: true,
      start: { kind: 'boot' },
      signal: end.signal,
      ...options,
    })
    if (!opened.ok) throw new Error(`no ${opened.missing}`)
    const steps: LogStep[] = []
    let failure: unknown
    let isOver = false
    const reading = (async () => {
      for await (const step of opened.steps) steps.push(step)
    })()
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        isOver = true
      })
    return {
      end: () => end.abort(),
      reading,
      steps,
      failure: () => failure,
      isOver: () => isOver,
      lines: () => steps.flatMap(({ lines }) => lines.map(({ line }) => line)),
      messages: () => steps.flatMap(({ lines }) => lines.map(({ line }) => line.message)),
      gaps: () => steps.flatMap(({ gap }) => gap ?? []),
      position: (): LogPosition | undefined => steps.at(-1)?.at,
    }
  }
  /** Lets what is under way happen, and the pauses between two attempts pass. */
  const pass = async (ms = 0) => {
    for (let at = 0; at < ms; at += 100) {
      clock.advance(Math.min(100, ms - at))
      await settled()
    }
    for (let turn = 0; turn < 20; turn++) await settled()
  }
  return { clock, phone, links, say, read, pass }
}

describe('a dump', () => {
  test('has every line that is there, whole, with who wrote it', async () => {
    const { say, read, phone } = lab()
    say('two\nlines')
    phone.log.write('E', 'Sys', 'bad', { uid: 1_000, pid: 1_000, buffer: 'system' })
    const log = await read({ isFollowing: false })
    await log.reading
    expect(log.lines().slice(-2)).toEqual([
      {
        time: '2024-03-05T07:08:09.000001Z',
        pid: phone.pidOf?.(APP),
        tid: phone.pidOf?.(APP),
        uid: phone.appFacts?.(APP)?.uid,
        level: 'info',
        tag: 'T',
        message: 'two\nlines',
        applicationId: APP,
      },
      expect.objectContaining({ level: 'error', tag: 'Sys', message: 'bad', applicationId: 'android' }),
    ])
  })

  test.each(LOG_LEVELS)('of level %s and above', async level => {
    const { phone, read } = lab()
    for (const letter of ['V', 'D', 'I', 'W', 'E', 'F'] as const) phone.log.write(letter, 'Level', letter)
    const log = await read({ isFollowing: false, level })
    await log.reading
    const letters = log.lines().flatMap(({ tag, message }) => (tag === 'Level' ? [message] : []))
    expect(letters.join('')).toBe('VDIWEF'.slice(LOG_LEVELS.indexOf(level)))
  })

  test('since so long ago, by the clock of the device', async () => {
    const { clock, say, read } = lab()
    say('old')
    clock.advance(60_000)
    say('new')
    const log = await read({ isFollowing: false, start: { kind: 'ago', ms: 30_000 } })
    await log.reading
    expect(log.messages()).toEqual(['new'])
  })
})

describe('of an application', () => {
  test('goes on when the application is started again', async () => {
    const { say, read, pass, phone } = lab()
    const log = await read({ app: APP })
    say('first life')
    phone.log.write('I', 'Other', 'not mine')
    phone.forceStop(APP)
    say('second life')
    await pass()
    expect(log.messages()).toEqual(['first life', 'second life'])
    expect(new Set(log.lines().map(({ pid }) => pid)).size).toBe(2)
  })

  test('is refused when it is not installed', async () => {
    const { clock, links } = lab()
    const signal = new AbortController().signal
    const opened = await openLog({ clock, link: links.open, isFollowing: true, app: 'com.none', signal })
    expect(opened).toEqual({ ok: false, missing: 'com.none' })
    await settled()
    expect(links.running()).toBe(0)
  })
})

describe('a link that is lost', () => {
  test('costs no line and doubles none', async () => {
    const { say, read, pass, links } = lab()
    const log = await read()
    const wanted: string[] = []
    for (let round = 0; round < 5; round++) {
      for (let at = 0; at < 20; at++) {
        wanted.push(`${round}.${at}`)
        say(`${round}.${at}`)
      }
      if (round % 2 === 0) await pass()
      links.cut()
      wanted.push(`${round} away`)
      say(`${round} away`)
      await pass(1_000)
    }
    expect(log.messages().filter(message => /^\d/.test(message))).toEqual(wanted)
    expect(log.gaps()).toEqual([])
    expect(links.running()).toBe(1)
  })

  test('while lines were dropped on the device is told as a gap, and the stream goes on', async () => {
    const { say, read, pass, links, clock } = lab({ logBytes: 2_000 })
    const log = await read()
    say('seen')
    await pass()
    links.cut()
    links.away(true)
    clock.advance(5_000)
    for (let at = 0; at < 100; at++) say(`flood ${at}`)
    links.away(false)
    await pass(6_000)
    const [gap] = log.gaps()
    expect(log.gaps()).toHaveLength(1)
    expect(gap?.from).toBe(log.lines().find(({ message }) => message === 'seen')?.time)
    const after = log.lines().slice(log.messages().indexOf('seen') + 1)
    expect(gap?.to).toBe(after[0]?.time)
    expect(after.at(-1)?.message).toBe('flood 99')
    expect(new Set(log.messages()).size).toBe(log.messages().length)
  })

  test('for good ends the stream after a bound', async () => {
    const { read, pass, links } = lab()
    const log = await read()
    links.away(true)
    links.cut()
    await pass(LOG_RETURN_MS - 10_000)
    expect(log.isOver()).toBe(false)
    await pass(20_000)
    expect(log.failure()).toMatchObject({ code: 'DEVICE_NOT_FOUND' })
  })

  test('and another boot is told as a gap, and all of its log is read', async () => {
    const { say, read, pass, links, phone } = lab()
    const log = await read()
    say('before')
    await pass()
    links.cut()
    phone.log.clear()
    phone.files.write('/proc/sys/kernel/random/boot_id', Buffer.from('ffffffff-1111-2222-3333-444444444444\n'))
    say('after')
    await pass(2_000)
    expect(log.messages().slice(-2)).toEqual(['before', 'after'])
    expect(log.gaps()).toHaveLength(1)
  })
})

test('goes on behind the position of any line, with nothing lost and nothing twice', async () => {
  const { say, read } = lab()
  for (let at = 0; at < 30; at++) say(`line ${at}`)
  const whole = await read({ isFollowing: false })
  await whole.reading
  const lines = whole.steps.flatMap(step => step.lines)
  for (const [index, { at }] of lines.entries()) {
    const rest = await read({ isFollowing: false, after: at })
    await rest.reading
    expect(rest.messages()).toEqual(lines.slice(index + 1).map(({ line }) => line.message))
    expect(rest.gaps()).toEqual([])
  }
})

test('a reader that takes nothing has the device keep the lines, and gets them afterwards', async () => {
  const { say, links, clock, pass } = lab({ logBytes: 64 * 1_024 * 1_024 })
  const end = new AbortController()
  ends.push(end)
  const opened = await openLog({
    clock,
    link: links.open,
    isFollowing: true,
    start: { kind: 'boot' },
    signal: end.signal,
  })
  if (!opened.ok) throw new Error('not opened')
  const count = 3_000
  for (let at = 0; at < count; at++) {
    say(`${at} ${'x'.repeat(3_000)}`)
    if (at % 50 === 0) await settled()
  }
  await pass()
  expect(links.running()).toBe(0)
  const seen: number[] = []
  const reading = (async () => {
    for await (const { lines, gap } of opened.steps) {
      expect(gap).toBeUndefined()
      for (const { line } of lines) if (line.tag === 'T') seen.push(Number.parseInt(line.message, 10))
      if (seen.at(-1) === count - 1) return
    }
  })()
  while (seen.at(-1) !== count - 1) await pass(500)
  await reading
  expect(seen).toEqual(Array.from({ length: count }, (_, at) => at))
})

test('the signal ends the logcat on the device', async () => {
  const { read, pass, links } = lab()
  const log = await read()
  await pass()
  expect(links.running()).toBe(1)
  log.end()
  await pass()
  expect(links.running()).toBe(0)
  expect(log.isOver()).toBe(true)
  expect(log.failure()).toBeUndefined()
})

test('a line of logd about dropped lines is a gap', async () => {
  const { phone, read, clock } = lab()
  phone.log.write('I', 'T', 'before')
  clock.advance(1_000)
  phone.log.write('I', 'chatty', 'uid=10103(com.example) expire 17 lines')
  const log = await read({ isFollowing: false, level: 'error' })
  await log.reading
  expect(log.gaps()).toEqual([{ from: '2024-03-05T07:08:09.000001Z', to: '2024-03-05T07:08:10.000000Z' }])
})

test('a logcat that ends as soon as it is started ends the stream', async () => {
  const { clock, links, pass } = lab()
  const end = new AbortController()
  ends.push(end)
  const broken = async () => ({
    ...(await links.open()),
    stream: (async () => ({ chunks: (async function* () {})(), close: () => {} })) as never,
  })
  const opened = await openLog({ clock, link: broken, isFollowing: true, signal: end.signal })
  if (!opened.ok) throw new Error('not opened')
  const reading = opened.steps.next().catch((error: unknown) => error)
  await pass(30_000)
  expect(await reading).toMatchObject({ code: 'DEVICE_SHELL_UNAVAILABLE' })
})
