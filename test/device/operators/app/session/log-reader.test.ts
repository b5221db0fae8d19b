import { describe, expect, test } from 'vitest'
import { done, FOLLOW, one, readerOnDevice, two } from '../../../../support/device/reader-on-device.ts'
import { settled } from '../../../../support/settled.ts'

describe('one reader per device', () => {
  test('is opened once and serves one execution after the other', async () => {
    const { device, outcomes, awaiting, opened } = readerOnDevice()
    for (const awaited of [one, two]) {
      const wait = await awaiting(awaited)
      device.log(done(awaited, 'a'))
      await settled()
      expect(outcomes[awaited.wireId]).toMatchObject({ kind: 'done', envelope: { commandId: awaited.wireId } })
      wait.close()
    }
    expect(opened()).toBe(1)
    expect(device.calls().filter(call => call.includes('logcat'))).toEqual([FOLLOW])
  })

  test('tells apart several results that are awaited at once', async () => {
    const { device, outcomes, awaiting } = readerOnDevice()
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
    const { reader, soon, opened } = readerOnDevice()
    await Promise.all([reader.open(soon()), reader.open(soon())])
    expect(opened()).toBe(1)
  })

  test('never clears the log', async () => {
    const { device, awaiting, later } = readerOnDevice()
    await awaiting(one)
    device.killReaders()
    await later(5_000)
    for (const call of device.calls()) expect(call).not.toMatch(/logcat.* (-c|--clear)\b/)
  })

  test('an opening that fails is told, and the next one tries again', async () => {
    const { device, reader, soon, opened } = readerOnDevice()
    device.reachable = false
    await expect(reader.open(soon())).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' })
    device.reachable = true
    await reader.open(soon())
    expect(opened()).toBe(1)
  })

  test('is opened anew on the next link when the link was lost between executions', async () => {
    const { device, outcomes, awaiting, opened } = readerOnDevice()
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
    expect(outcomes['e2.0']).toMatchObject({ kind: 'done' })
    expect(device.links).toHaveLength(2)
  })

  test('closing ends the stream on the device, and nothing is opened any more', async () => {
    const { device, reader, soon, later, awaiting, clock } = readerOnDevice()
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

test('a wait that is closed hears nothing and keeps nothing', async () => {
  const { clock, device, outcomes, awaiting } = readerOnDevice()
  const wait = await awaiting(one)
  wait.close()
  device.log(done(one, 'a'))
  await settled()
  expect(outcomes).toEqual({})
  expect(clock.pending()).toBe(0)
})
