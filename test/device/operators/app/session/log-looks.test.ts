import { describe, expect, test } from 'vitest'
import { chunkLine, chunksOf, wireEnvelopeOf } from '../../../../support/device/operator-samples.ts'
import { done, one, readerOnDevice } from '../../../../support/device/reader-on-device.ts'
import { settled } from '../../../../support/settled.ts'

describe('a result that the reader has not seen', () => {
  test('is looked for once when the reader has shown nothing yet', async () => {
    const { device, outcomes, awaiting, later, readBacks } = readerOnDevice()
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'))
    await later(999)
    expect(readBacks()).toHaveLength(0)
    await later(1)
    expect(readBacks()).toHaveLength(1)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('is not looked for when the reader has shown that it reads', async () => {
    const { device, awaiting, later, readBacks } = readerOnDevice()
    await awaiting(one)
    device.log('hello')
    await later(20_000)
    expect(readBacks()).toHaveLength(0)
  })

  test('with a gap is looked for at once, and is malformed if the gap is in the log too', async () => {
    const { device, outcomes, awaiting, readBacks } = readerOnDevice()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(...lines.filter((_, index) => index !== 1))
    await settled()
    expect(readBacks()).toHaveLength(1)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing: [1] })
  })

  test('with a gap that is in the reading only becomes whole', async () => {
    const { device, outcomes, awaiting } = readerOnDevice()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(lines[0] ?? '')
    device.readersLive = false
    device.log(...lines.slice(1, -1))
    device.readersLive = true
    device.log(lines.at(-1) ?? '')
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('of which a line is damaged is malformed when no whole one follows soon', async () => {
    const { device, outcomes, awaiting, later } = readerOnDevice()
    await awaiting(one)
    device.log(done(one, 'a').slice(0, -4))
    await settled()
    await later(900)
    expect(outcomes).toEqual({})
    await later(200)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing: [] })
  })

  test('of which a line was damaged and a whole one follows is whole', async () => {
    const { device, outcomes, awaiting, later } = readerOnDevice()
    await awaiting(one)
    device.log(done(one, 'a').slice(0, -4))
    await settled()
    await later(500)
    device.log(done(one, 'a'))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
    await later(5_000)
  })

  test('is not given up for a damaged line while its chunks are still coming', async () => {
    const { device, outcomes, awaiting, later } = readerOnDevice()
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    await awaiting(one)
    device.log(`[Svc-Result-Chunk] {"commandId":"e1.0","nonce":"${one.nonce}"`, lines[0] ?? '')
    await settled()
    for (let second = 0; second < 3; second++) await later(1_000)
    expect(outcomes).toEqual({})
    device.log(...lines.slice(1))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })
})

describe('a last look', () => {
  test('finds what the reader missed', async () => {
    const { clock, device, awaiting } = readerOnDevice()
    const wait = await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'))
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({ result: { kind: 'done' }, reachable: true })
  })

  test('names the missing chunks when some are there', async () => {
    const { clock, device, awaiting } = readerOnDevice()
    const wait = await awaiting(one)
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    device.log(...lines.slice(0, -2))
    await settled()
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({
      result: { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing: [lines.length - 2, lines.length - 1] },
    })
  })

  test('has no result without a trace, but the last lines, each of bounded length', async () => {
    const { clock, device, awaiting } = readerOnDevice()
    device.log('long ago')
    clock.advance(60_000)
    const wait = await awaiting(one)
    device.log(...Array.from({ length: 30 }, (_, index) => `line ${index}`), 'x'.repeat(100_000))
    await settled()
    const look = await wait.conclude(clock.now() + 1_000)
    expect(look.result).toBeUndefined()
    expect(look.lines).toHaveLength(10)
    expect(look.lines.slice(-2)).toEqual(['line 29', 'x'.repeat(300)])
  })

  test('ends in time when the device does not answer, with what was seen before', async () => {
    const { clock, device, awaiting } = readerOnDevice()
    device.onShell = command => (command.startsWith('date') ? new Promise(() => {}) : undefined)
    const wait = await awaiting(one)
    device.log('before')
    await settled()
    const look = wait.conclude(clock.now() + 1_000)
    await settled()
    clock.advance(1_000)
    expect(await look).toEqual({ result: undefined, reachable: true, lines: ['before'] })
  })

  test('knows when the device cannot be reached', async () => {
    const { clock, device, awaiting } = readerOnDevice()
    const wait = await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    await settled()
    expect(await wait.conclude(clock.now() + 1_000)).toMatchObject({ result: undefined, reachable: false })
  })
})
