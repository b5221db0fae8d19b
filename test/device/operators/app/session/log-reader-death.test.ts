import { describe, expect, test } from 'vitest'
import { chunkLine, chunksOf, wireEnvelopeOf } from '../../../../support/device/operator-samples.ts'
import { done, one, readerOnDevice, two } from '../../../../support/device/reader-on-device.ts'
import { settled } from '../../../../support/settled.ts'

describe('a reader that dies after a dispatch', () => {
  test('is opened again, and what was logged meanwhile is read back from the time of dispatch by the clock of the device', async () => {
    const { device, outcomes, awaiting, later, opened, readBacks } = readerOnDevice()
    device.log(done({ ...one, nonce: two.nonce }, 'old'))
    await later(3_600_000)
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'), 'and more')
    device.killReaders()
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done', envelope: { stepResults: [{ id: 'a' }] } })
    expect(opened()).toBe(2)
    expect(readBacks()).toHaveLength(1)
    const since = Number(/-T (\d+\.\d{3}) /.exec(readBacks()[0] ?? '')?.[1])
    const dispatchedOnDevice = 1_000 + 3_600 + 10 * 365 * 24 * 3_600 - 7 * 24 * 3_600
    expect(dispatchedOnDevice - since).toBeGreaterThan(0)
    expect(dispatchedOnDevice - since).toBeLessThan(10)
  })

  test('reads the whole log when the device cannot tell the time', async () => {
    const { device, outcomes, awaiting, readBacks } = readerOnDevice()
    device.onShell = command => (command.startsWith('date') ? { exitCode: 127, stdout: '', stderr: '' } : undefined)
    await awaiting(one)
    device.readersLive = false
    device.log(done(one, 'a'), 'and more')
    device.killReaders()
    await settled()
    expect(readBacks()).toEqual(["exec logcat -d -b main -v raw SvcOperator:I '*:S'"])
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('puts the chunks from before and after together', async () => {
    const { device, outcomes, awaiting } = readerOnDevice()
    await awaiting(one)
    const lines = chunksOf(one, JSON.stringify(wireEnvelopeOf(one)), 40).map(chunkLine)
    device.log(...lines.slice(0, 2))
    await settled()
    device.killReaders()
    await settled()
    device.log(...lines.slice(2))
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('a line that its end cut short is read again', async () => {
    const { device, outcomes, awaiting } = readerOnDevice()
    await awaiting(one)
    const line = done(one, 'a')
    device.links[0]?.streams[0]?.push(line.slice(0, -10))
    device.readersLive = false
    device.log(line)
    device.killReaders()
    await settled()
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('is waited for while the link comes back', async () => {
    const { device, outcomes, awaiting, later } = readerOnDevice()
    await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    await later(4_000)
    device.log(done(one, 'a'))
    expect(outcomes).toEqual({})
    device.reachable = true
    await later(2_000)
    expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
  })

  test('is given up when the device stays away, and says why', async () => {
    const { device, outcomes, awaiting, later, clock } = readerOnDevice()
    const wait = await awaiting(one)
    device.reachable = false
    device.links[0]?.lose()
    for (let second = 0; second < 9; second++) await later(1_000)
    expect(outcomes).toEqual({})
    for (let second = 0; second < 5; second++) await later(1_000)
    expect(outcomes['e1.0']).toEqual({ kind: 'unknown', code: 'DEVICE_LINK_LOST', reason: "device 'd1' not found" })
    wait.close()
    await settled()
    expect(clock.pending()).toBe(0)
  })

  test('is not opened ever faster when it dies at once, and rests when nobody waits any more', async () => {
    const { device, awaiting, later, opened, clock } = readerOnDevice()
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
    const { device, reader, soon, later, opened } = readerOnDevice()
    await reader.open(soon())
    device.killReaders()
    await later(60_000)
    expect(opened()).toBe(1)
    await reader.open(soon())
    expect(opened()).toBe(2)
  })
})

test('a request that may not have arrived is looked for, and then waited for', async () => {
  const { device, outcomes, awaiting, readBacks, later } = readerOnDevice()
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
  expect(outcomes['e1.0']).toMatchObject({ kind: 'done' })
})
