import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Recording } from '../../src/contracts/recording.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import type { RecordingAnswer } from '../../src/service/recordings/recordings.ts'
import type { EncoderKind } from '../../src/simulator/scenario/device.ts'
import { ACTOR, type RecordingHost, recordingLab } from '../support/executions/recording-lab.ts'
import { boxesOf } from '../support/pictures/mp4-boxes.ts'

const WHOLE = ['ftyp', 'mdat', 'moov']
const HOURS = 4 * 60 * 60_000
const CLI = { caller: 'cli' } as const

let home: string
let lab: ReturnType<typeof recordingLab>
let first: RecordingHost

const begin = (encoder?: EncoderKind) => {
  lab = recordingLab(home, encoder)
  first = lab.startHost(1)
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-recording-'))
  begin()
})

afterEach(() => {
  lab.phone.close()
  rmSync(home, { recursive: true, force: true })
})

const start = (forMs = HOURS, more: object = {}) =>
  lab.during(first.recordings.start(lab.wire.link, { forMs, ...more }, CLI))
const stop = (host = first) => lab.during(host.recordings.stop(ACTOR))
const status = async (host = first) => host.recordings.status(ACTOR)
const state = (host = first) => host.journal.last(ACTOR)?.to
const recordingIn = (answer: RecordingAnswer): Recording => {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.recording
}
const leftOnPhone = () => lab.onPhone('ls /data/local/tmp; pidof screenrecord')
const fileOf = ({ folder, segments }: Recording, at: number) => readFileSync(join(folder, segments[at]?.file ?? ''))

test('records until it is stopped: a file that can be played, and nothing left on the phone', async () => {
  const begun = recordingIn(await start())
  expect(begun).toMatchObject({ state: 'recording', deviceId: 'sim-1', hardwareSerial: 'SERIAL1' })
  expect(state()).toBe('recording.running')
  await lab.pass(3_000)
  lab.phone.key('APP_SWITCH')
  await lab.pass(2_000)

  const saved = recordingIn(await stop())
  expect(saved).toMatchObject({ state: 'saved', reason: 'stopped' })
  expect(saved.segments).toHaveLength(1)
  const [segment] = saved.segments
  expect(segment).toMatchObject({ segment: 1, file: 'segment-1.mp4', playable: true, endedBy: 'stopped', rotation: 0 })
  const bytes = fileOf(saved, 0)
  expect(boxesOf(bytes)).toEqual(WHOLE)
  expect(segment?.bytes).toBe(bytes.length)
  expect(segment?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const lengthMs = (segment?.endedAt ?? 0) - (segment?.startedAt ?? 0)
  expect(lengthMs).toBeGreaterThan(4_500)
  expect(lengthMs).toBeLessThan(8_000)
  expect(await leftOnPhone()).toBe('')
  expect(readdirSync(saved.folder).sort()).toEqual(['manifest.json', 'segment-1.mp4'])
  expect(state()).toBe('saved')
  expect(await status()).toEqual(saved)
})

test('nothing of it is on the phone, or on this host, before the disk has its record', async () => {
  let isSynced = () => {}
  const synced = new Promise<void>(resolve => {
    isSynced = resolve
  })
  vi.spyOn(first.journal, 'synced').mockImplementationOnce(() => synced)
  const starting = start()
  await lab.pass(2_000)
  expect(state()).toBe('recording.starting')
  expect(lab.wire.commands.filter(line => line.includes('svc-recording-'))).toEqual([])
  expect(await status()).toBeUndefined()
  isSynced()
  expect(recordingIn(await starting).state).toBe('recording')
  await stop()
})

test('a record that the disk does not take is a failure, and nothing is left on the phone', async () => {
  const full = new JournalError('full', 'the disk is full')
  vi.spyOn(first.journal, 'synced').mockRejectedValueOnce(full)
  expect(await start()).toMatchObject({ ok: false, error: { code: 'RECORDING_FAILED' } })
  expect(await leftOnPhone()).toBe('')
  expect(recordingIn(await start()).state).toBe('recording')
  await stop()
})

test('one segment follows the other, and each is fetched while the next is recorded', async () => {
  const begun = recordingIn(await start())
  await lab.until(async () => (await status())?.segments[1]?.file !== undefined)
  await lab.until(async () => (await status())?.segments[2] !== undefined)
  expect((await status())?.segments.map(({ file, endedBy }) => [file, endedBy])).toEqual([
    ['segment-1.mp4', 'time_limit'],
    ['segment-2.mp4', 'time_limit'],
    [undefined, undefined],
  ])
  const onPhone = `ls /data/local/tmp/svc-recording-${begun.recordingId}`
  await lab.until(async () => (await lab.onPhone(onPhone)) === '3.log\n3.mp4\n')
  const saved = recordingIn(await stop())
  expect(saved.segments).toHaveLength(3)
  for (const at of [0, 1, 2]) expect(boxesOf(fileOf(saved, at))).toEqual(WHOLE)
  const gaps = saved.segments.slice(1).map((each, at) => each.startedAt - (saved.segments[at]?.endedAt ?? 0))
  for (const gap of gaps) expect(gap).toBeLessThan(3_000)
}, 120_000)

test('ends by itself when its time is over', async () => {
  await start(60_000)
  // The machine is there a moment before its record, which is what callers are told of.
  await lab.until(async () => (await status())?.state === 'saved')
  expect(await status()).toMatchObject({ state: 'saved', reason: 'time', segments: [{ playable: true }] })
  expect(await leftOnPhone()).toBe('')
})

test('a screen that is turned begins a new segment', async () => {
  await start(HOURS, { size: '720x1280' })
  await lab.pass(2_500)
  const turned = lab.phone.rotation
  Object.assign(lab.phone, { rotation: () => 1 })
  await lab.until(async () => (await status())?.segments[1] !== undefined)
  const saved = recordingIn(await stop())
  Object.assign(lab.phone, { rotation: turned })
  expect(saved.segments.map(({ rotation, endedBy }) => [rotation, endedBy])).toEqual([
    [0, 'rotated'],
    [90, 'stopped'],
  ])
  const sizes = lab.wire.commands.flatMap(line => /--size (\S+)/.exec(line)?.[1] ?? [])
  expect(sizes).toEqual(['720x1280', '1280x720'])
})

describe('a second request', () => {
  test('to start is refused, and names the recording', async () => {
    const { recordingId } = recordingIn(await start())
    expect(await start()).toMatchObject({
      ok: false,
      error: { code: 'RECORDING_IN_PROGRESS', details: { recordingId } },
    })
    await stop()
    expect(recordingIn(await start()).recordingId).not.toBe(recordingId)
    await stop()
  })

  test('to stop gets the same answer', async () => {
    await start()
    const [one, other] = await lab.during(Promise.all([first.recordings.stop(ACTOR), first.recordings.stop(ACTOR)]))
    expect(one).toEqual(other)
    expect(recordingIn(one).state).toBe('saved')
    expect(await stop()).toMatchObject({ ok: false, error: { code: 'RECORDING_NOT_RUNNING' } })
  })

  test('of another process stops it too, and starts nothing beside it', async () => {
    const { recordingId } = recordingIn(await start())
    const second = lab.startHost(2)
    expect(await lab.during(second.recordings.start(lab.wire.link, { forMs: HOURS }, CLI))).toMatchObject({
      ok: false,
      error: { code: 'RECORDING_IN_PROGRESS', details: { recordingId, holder: { pid: 1 } } },
    })
    expect(recordingIn(await stop(second))).toMatchObject({ recordingId, state: 'saved', reason: 'stopped' })
    expect(await leftOnPhone()).toBe('')
  })
})

describe('a link that breaks', () => {
  test('is picked up again, and the segment goes on', async () => {
    await start()
    await lab.pass(3_000)
    lab.wire.cut()
    await lab.until(() => state() === 'recording.unlinked')
    lab.wire.mend()
    await lab.until(() => state() === 'recording.running')
    const saved = recordingIn(await stop())
    expect(saved.segments).toHaveLength(1)
    expect(boxesOf(fileOf(saved, 0))).toEqual(WHOLE)
  })

  test('for longer than a segment leaves a gap, which the manifest shows', async () => {
    await start()
    await lab.pass(2_000)
    lab.wire.cut()
    await lab.pass(200_000)
    lab.wire.mend()
    await lab.until(async () => (await status())?.segments[1] !== undefined)
    const saved = recordingIn(await stop())
    expect(saved.segments.map(({ playable }) => playable)).toEqual([true, true])
    const [before, after] = saved.segments
    expect((after?.startedAt ?? 0) - (before?.endedAt ?? 0)).toBeGreaterThan(20_000)
  }, 120_000)

  test('at the end leaves it unfinished, until somebody asks when the phone is back', async () => {
    await start()
    await lab.pass(2_000)
    lab.wire.cut()
    const stopping = first.recordings.stop(ACTOR)
    expect(await lab.during(stopping.catch(error => error))).toMatchObject({ ok: false })
    expect(state()).toBe('failed.unfinished')
    lab.wire.mend()
    expect(recordingIn(await stop())).toMatchObject({ state: 'saved', segments: [{ playable: true }] })
    expect(await leftOnPhone()).toBe('')
  })
})

describe('a host that dies', () => {
  test('the next one ends screenrecord, fetches what is there, and says so in the manifest', async () => {
    const { recordingId } = recordingIn(await start())
    await lab.pass(4_000)
    lab.kill(first, 1)
    await lab.pass(2_000)
    expect(await leftOnPhone()).not.toBe('')

    const second = lab.startHost(2)
    expect(await status(second)).toMatchObject({
      state: 'failed',
      reason: 'host_died',
      error: { message: expect.stringContaining('Stopping the recording again fetches it') },
    })
    expect(second.recordings.openDevices()).toEqual([lab.wire.link.serial])
    const lines = await lab.during(second.recordings.repair())
    expect(lines).toEqual([expect.stringContaining(recordingId)])
    expect(await status(second)).toMatchObject({
      recordingId,
      state: 'saved',
      reason: 'host_died',
      segments: [{ playable: true, endedBy: 'host_died' }],
    })
    expect(await leftOnPhone()).toBe('')
    expect(state(second)).toBe('saved')
    expect((await status(second))?.error).toBeUndefined()
    expect(second.recordings.openDevices()).toEqual([])
    expect(await lab.during(second.recordings.repair())).toEqual([])
  })

  test('a start puts it in order first', async () => {
    const { recordingId } = recordingIn(await start())
    await lab.pass(1_000)
    lab.kill(first, 1)
    const second = lab.startHost(2)
    const again = recordingIn(await lab.during(second.recordings.start(lab.wire.link, { forMs: HOURS }, CLI)))
    expect(again.recordingId).not.toBe(recordingId)
    expect(second.recordings.get(recordingId)).toMatchObject({ recording: { state: 'saved', reason: 'host_died' } })
    expect(recordingIn(await stop(second)).state).toBe('saved')
  })
})

test('a host that ends stops the recording', async () => {
  await start()
  await lab.pass(2_000)
  await lab.during(first.host.stop({ graceMs: 60_000 }))
  expect(await status()).toMatchObject({ state: 'saved', reason: 'host_ended', segments: [{ playable: true }] })
  expect(await leftOnPhone()).toBe('')
})

describe('a phone', () => {
  test.each([
    ['none', 'no_encoder'],
    ['no-program', 'no_program'],
  ] as const)('%s cannot record, and says why', async (encoder, reason) => {
    begin(encoder)
    expect(await start()).toMatchObject({ ok: false, error: { code: 'RECORDING_UNSUPPORTED', details: { reason } } })
    expect(state()).toBe('failed.settled')
    expect(await leftOnPhone()).toBe('')
  })

  test('that is full is not recorded', async () => {
    lab.phone.files.write('/sdcard/large.bin', new Uint8Array(200 * 1_024 * 1_024))
    expect(await start()).toMatchObject({
      ok: false,
      error: { code: 'RECORDING_NO_SPACE', details: { reason: 'device_full' } },
    })
    expect(await leftOnPhone()).toBe('')
  })

  test('whose recorder is killed leaves a segment that is marked, and is recorded on', async () => {
    await start()
    await lab.pass(8_000)
    await lab.onPhone('pkill -KILL screenrecord')
    await lab.until(async () => (await status())?.segments[1] !== undefined)
    const saved = recordingIn(await stop())
    expect(saved.segments.map(({ playable, endedBy }) => [playable, endedBy])).toEqual([
      [false, 'ended_itself'],
      [true, 'stopped'],
    ])
  })
})
