import { describe, expect, test } from 'vitest'
import { createLogReader } from '../../../src/operator/session/log-reader.ts'
import type { Ending } from '../../../src/operator/session/log-waits.ts'
import { fakeDevice } from '../../support/fake-device.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { chunkLine, chunksOf, okStep, resultLine, wireEnvelopeOf } from '../../support/operator-samples.ts'
import { settled } from '../../support/settled.ts'

const one = { wireId: 'e1.0', nonce: '1'.repeat(32) }
const two = { wireId: 'e2.0', nonce: '2'.repeat(32) }
const FOLLOW = "stream logcat -b main -v raw -T 1 SvcOperator:I '*:S'"

const setup = () => {
  const clock = manualClock()
  const device = fakeDevice(clock)
  const reader = createLogReader({ clock, link: options => device.openLink('d1', options) })
  const soon = () => ({ deadline: clock.now() + 5_000 })
  const outcomes: Record<string, Ending> = {}
  /** Waits as an execution does, with its request out. */
  const awaiting = async (awaited: typeof one) => {
    await reader.open(soon())
    const wait = reader.expect(awaited)
    wait.dispatched()
    void wait.ending.then(ending => {
      outcomes[awaited.wireId] = ending
    })
    return wait
  }
  const later = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  const opened = () => device.calls().filter(call => call === FOLLOW).length
  const readBacks = () => device.calls().filter(call => call.startsWith('exec logcat -d '))
  return { clock, device, reader, outcomes, awaiting, later, soon, opened, readBacks }
}
const done = (awaited: typeof one, ...steps: string[]) =>
  resultLine(wireEnvelopeOf(awaited, { stepResults: steps.map(id => okStep(id)) }))

describe('one reader per device', () => {
  test('is opened once and serves one execution after the other', async () => {
    const { device, outcomes, awaiting, opened } = setup()
    for (const awaited of [one, two]) {
      const wait = await awaiting(awaited)
      device.log(done(awaited, 'a'))
      await settled()
      expect(outcomes[awaited.wireId]).toMatchObject({ kind: 'envelope', envelope: { commandId: awaited.wireId } })
      wait.close()
    }
    expect(opened()).toBe(1)
    expect(device.calls().filter(call => call.includes('logcat'))).toEqual([FOLLOW])
  })

  test('tells apart several results that are awaited at once', async () => {
    const { device, outcomes, awaiting } = setup()
    await awaiting(one)
    await awaiting(two)
    device.log('[Svc-Result] rubbish', done({ ...two, nonce: one.nonce }, 'forged'), done(two, 'b'), done(one, 'a'))
    await settled()
    expect(outcomes).toMatchObject({
      'e1.0': { envelope: { stepResults: [{ id: 'a' }] } },
      'e2.0': { envelope: { stepResults: [{ id: 'b' }] } },
    })
  })

  test('two who open it at the same time open it once', async () => {
    const { reader, soon, opened } = setup()
    await Promise.all([reader.open(soon()), reader.open(soon())])
    expect(opened()).toBe(1)
  })

  test('never clears the log', async () => {
    const { device, awaiting, later } = setup()
    await awaiting(one)
    device.killReaders()
    await later(5_000)
    for (const call of device.calls()) expect(call).not.toMatch(/logcat.* (-c|--clear)\b/)
  })

  test('an opening that fails is told, and the next one tries again', async () => {
    const { device, reader, soon, opened } = setup()
    device.reachable = false
    await expect(reader.open(soon())).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' })
    device.reachable = true
    await reader.open(soon())
    expect(opened()).toBe(1)
  })

  test('is opened anew on the next link when the link was lost between executions', async () => {
    const { device, outcomes, awaiting, opened } = setup()
    const wait = await awaiting(one)
    device.log(done(one, 'a'))
    await settled()
    wait.close()
    device.links[0]?.lose()
    await settled()
    expect(opened()).toBe(1)
    await awaiting(two)
    device.log(done(two, 'b'))
    await settled()
    expect(outcomes['e2.0']).toMatchObject({ kind: 'envelope' })
    expect(device.links).toHaveLength(2)
  })

  test('closing ends the stream on the device, and nothing is opened any more', async () => {
    const { device, reader, soon, later, awaiting, clock } = setup()
    const wait = await awaiting(one)
    reader.close()
    await later(60_000)
    expect(device.links[0]?.streams[0]?.isEnded()).toBe(true)
    expect(device.calls()).toEqual([FOLLOW])
    await expect(reader.open(soon())).rejects.toMatchObject({ code: 'LINK_CANCELLED' })
    wait.close()
    await settled()
    expect(clock.pending()).toBe(0)
  })
})

describe('a reader that dies after a dispatch', () => {
  test('is opened again, and what was logged meanwhile is read back from the time of dispatch by the clock of the device', async () => {
    const { device, outcomes, awaiting, later, opened, readBacks } = setup()
    device.log(done({ ...one, nonce: two.nonce }, 'old'))
    await later(3_600_000)
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'), 'and more')
    device.killReaders()
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope', envelope: { stepResults: [{ id: 'a' }] } })
    expect(opened()).toBe(2)
    expect(readBacks()).toHaveLength(1)
    const since = Number(/-T (\d+\.\d{3}) /.exec(readBacks()[0] ?? '')?.[1])
    const dispatchedOnDevice = 1_000 + 3_600 + 10 * 365 * 24 * 3_600 - 7 * 24 * 3_600
    expect(dispatchedOnDevice - since).toBeGreaterThan(0)
    expect(dispatchedOnDevice - since).toBeLessThan(10)
  })

  test('reads the whole log when the device cannot tell the time', async () => {
    const { device, outcomes, awaiting, readBacks } = setup()
    device.onShell = command => (command.startsWith('date') ? { exitCode: 127, stdout: '', stderr: '' } : undefined)
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'), 'and more')
    device.killReaders()
    await settled()
    expect(readBacks()).toEqual(["exec logcat -d -b main -v raw SvcOperator:I '*:S'"])
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('puts the chunks from before and after together', async () => {
    const { device, outcomes, awaiting } = setup()
    await awaiting(one)
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    device.log(...lines.slice(0, 2))
    await settled()
    device.killReaders()
    await settled()
    device.log(...lines.slice(2))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('a line that its end cut short is read again', async () => {
    const { device, outcomes, awaiting } = setup()
    await awaiting(one)
    const line = done(one, 'a')
    device.links[0]?.streams[0]?.push(line.slice(0, -10))
    device.readersLive = false
    device.log(line)
    device.killReaders()
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('is waited for while the link comes back', async () => {
    const { device, outcomes, awaiting, later } = setup()
    await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    await later(4_000)
    device.log(done(one, 'a'))
    expect(outcomes).toEqual({})
    device.reachable = true
    await later(2_000)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('is given up when the device stays away, and says why', async () => {
    const { device, outcomes, awaiting, later, clock } = setup()
    const wait = await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    for (let second = 0; second < 9; second++) await later(1_000)
    expect(outcomes).toEqual({})
    for (let second = 0; second < 5; second++) await later(1_000)
    expect(outcomes['e1.0']).toEqual({ kind: 'lost', reason: "device 'd1' not found" })
    wait.close()
    await settled()
    expect(clock.pending()).toBe(0)
  })

  test('is not opened ever faster when it dies at once, and rests when nobody waits any more', async () => {
    const { device, awaiting, later, opened, clock } = setup()
    const wait = await awaiting(one)
    for (let second = 0; second < 100; second++) {
      device.killReaders()
      await later(100)
    }
    expect(opened()).toBeGreaterThan(3)
    expect(opened()).toBeLessThan(30)
    wait.close()
    device.killReaders()
    await later(60_000)
    const after = opened()
    await later(60_000)
    expect(opened()).toBe(after)
    expect(clock.pending()).toBe(0)
  })

  test('with nothing awaited is left alone until the next execution', async () => {
    const { device, reader, soon, later, opened } = setup()
    await reader.open(soon())
    device.killReaders()
    await later(60_000)
    expect(opened()).toBe(1)
    await reader.open(soon())
    expect(opened()).toBe(2)
  })
})

describe('a result that the reader has not seen', () => {
  test('is looked for once when the reader has shown nothing yet', async () => {
    const { device, outcomes, awaiting, later, readBacks } = setup()
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'))
    await later(999)
    expect(readBacks()).toHaveLength(0)
    await later(1)
    expect(readBacks()).toHaveLength(1)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('is not looked for when the reader has shown that it reads', async () => {
    const { device, awaiting, later, readBacks } = setup()
    await awaiting(one)
    device.log('hello')
    await later(20_000)
    expect(readBacks()).toHaveLength(0)
  })

  test('with a gap is looked for at once, and is malformed if the gap is in the log too', async () => {
    const { device, outcomes, awaiting, readBacks } = setup()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(...lines.filter((_, index) => index !== 1))
    await settled()
    expect(readBacks()).toHaveLength(1)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'malformed', missing: [1] })
  })

  test('with a gap that is in the reading only becomes whole', async () => {
    const { device, outcomes, awaiting } = setup()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(lines[0] ?? '')
    device.readersLive = false
    device.log(...lines.slice(1, -1))
    device.readersLive = true
    device.log(lines.at(-1) ?? '')
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })

  test('of which a line is damaged is malformed when no whole one follows soon', async () => {
    const { device, outcomes, awaiting, later } = setup()
    await awaiting(one)
    device.log(done(one, 'a').slice(0, -4))
    await settled()
    await later(900)
    expect(outcomes).toEqual({})
    await later(200)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'malformed', missing: [] })
  })

  test('of which a line was damaged and a whole one follows is whole', async () => {
    const { device, outcomes, awaiting, later } = setup()
    await awaiting(one)
    device.log(done(one, 'a').slice(0, -4))
    await settled()
    await later(500)
    device.log(done(one, 'a'))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
    await later(5_000)
  })

  test('is not given up for a damaged line while its chunks are still coming', async () => {
    const { device, outcomes, awaiting, later } = setup()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(`[Svc-Result-Chunk] {"commandId":"e1.0","nonce":"${one.nonce}"`, lines[0] ?? '')
    await settled()
    for (let second = 0; second < 3; second++) await later(1_000)
    expect(outcomes).toEqual({})
    device.log(...lines.slice(1))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
  })
})

describe('a last look', () => {
  test('finds what the reader missed', async () => {
    const { clock, device, awaiting } = setup()
    const wait = await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'))
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({ verdict: { kind: 'envelope' }, reachable: true })
  })

  test('names the missing chunks when some are there', async () => {
    const { clock, device, awaiting } = setup()
    const wait = await awaiting(one)
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    device.log(...lines.slice(0, -2))
    await settled()
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({
      verdict: { kind: 'malformed', missing: [lines.length - 2, lines.length - 1] },
    })
  })

  test('has no verdict without a trace, but the last lines, each of bounded length', async () => {
    const { clock, device, awaiting } = setup()
    device.log('long ago')
    clock.advance(60_000)
    const wait = await awaiting(one)
    device.log(...Array.from({ length: 30 }, (_, index) => `line ${index}`), 'x'.repeat(100_000))
    await settled()
    const look = await wait.conclude(clock.now() + 1_000)
    expect(look.verdict).toBeUndefined()
    expect(look.lines).toHaveLength(10)
    expect(look.lines.slice(-2)).toEqual(['line 29', 'x'.repeat(300)])
  })

  test('ends in time when the device does not answer, with what was seen before', async () => {
    const { clock, device, awaiting } = setup()
    device.onShell = command => (command.startsWith('date') ? new Promise(() => {}) : undefined)
    const wait = await awaiting(one)
    device.log('before')
    await settled()
    const look = wait.conclude(clock.now() + 1_000)
    await settled()
    clock.advance(1_000)
    expect(await look).toEqual({ verdict: undefined, reachable: true, lines: ['before'] })
  })

  test('knows when the device cannot be reached', async () => {
    const { clock, device, awaiting } = setup()
    const wait = await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    await settled()
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({ verdict: undefined, reachable: false })
  })
})

test('a request that may not have arrived is looked for, and then waited for', async () => {
  const { device, outcomes, awaiting, readBacks, later } = setup()
  const wait = await awaiting(one)
  device.log('alive')
  await settled()
  wait.doubt()
  await settled()
  expect(readBacks()).toHaveLength(1)
  await later(30_000)
  expect(readBacks()).toHaveLength(1)
  device.log(done(one, 'a'))
  await settled()
  expect(outcomes['e1.0']).toMatchObject({ kind: 'envelope' })
})

test('a wait that is closed hears nothing and keeps nothing', async () => {
  const { clock, device, outcomes, awaiting } = setup()
  const wait = await awaiting(one)
  wait.close()
  device.log(done(one, 'a'))
  await settled()
  expect(outcomes).toEqual({})
  expect(clock.pending()).toBe(0)
})
