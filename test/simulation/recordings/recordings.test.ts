/** Recordings in the simulated world: their segments come to the host, a new process goes on, and the laws see what is wrong. */
import { expect, test } from 'vitest'
import { judgeWorld } from '../laws/laws.ts'
import type { Plan } from '../plan/plan.ts'
import { runPlan } from '../trial.ts'
import { judgeRecordings } from './laws.ts'
import type { RecordingsOfWorld } from './recorded.ts'

const place = { host: 0, process: 0 }
const PLAN: Plan = {
  ...{ seed: 1, hosts: 1, processes: 1, watchers: [], asks: [] },
  phones: [
    { host: 0, ways: 'socket', faults: [] },
    { host: 0, ways: 'socket', faults: [] },
  ],
  faults: [{ kind: 'kill', at: 12_000, place, restartMs: 500 }],
  recordings: [
    { at: 0, place, phone: 0, forMs: 30_000, stopAfterMs: 8_000, stopAt: place },
    { at: 10_000, place, phone: 1, forMs: 30_000 },
  ],
  turns: [{ at: 3_000, phone: 0, rotation: 1 }],
}

const { world, hash } = await runPlan(PLAN)
const recorded = world.recordings as RecordingsOfWorld

test('a turned screen begins a new segment, and another process picks up what a dead one has left', () => {
  const manifests = recorded.folders.map(({ manifest }) => manifest)
  expect(manifests.map(manifest => [manifest?.state, manifest?.reason])).toEqual([
    ['saved', 'stopped'],
    ['saved', 'host_died'],
  ])
  expect(manifests.map(manifest => manifest?.segments.map(({ file, rotation }) => [file, rotation]))).toEqual([
    [
      ['segment-1.mp4', 0],
      ['segment-2.mp4', 90],
    ],
    [['segment-1.mp4', 0]],
  ])
  expect(judgeWorld(world)).toEqual([])
})

test('homes of hosts are no part of the story: the same plan has the same hash', async () => {
  expect((await runPlan(PLAN)).hash).toBe(hash)
})

const [first, ...others] = recorded.folders
const [phone, ...phones] = recorded.phones
const withFolder = (changed: Partial<RecordingsOfWorld['folders'][number]>) => ({
  folders: [{ ...(first as RecordingsOfWorld['folders'][number]), ...changed }, ...others],
})
const withPhone = (changed: Partial<RecordingsOfWorld['phones'][number]>) => ({
  phones: [{ ...(phone as RecordingsOfWorld['phones'][number]), ...changed }, ...phones],
})
const [actor] = recorded.actors as [RecordingsOfWorld['actors'][number]]

test.each([
  ['a segment that was fetched twice', 1, { actors: [{ ...actor, saved: [1, 1] }] }],
  ['a file with another digest', 3, withFolder({ files: { 'segment-1.mp4': '0', 'segment-2.mp4': '0' } })],
  ['a segment that the phone has otherwise', 3, withPhone({ segments: { [`${first?.recordingId}/1`]: '0' } })],
  ['a segment that no manifest has', 3, withPhone({ segments: { [`${first?.recordingId}/9`]: '0' } })],
  ['a recording that does not end', 7, { actors: [{ ...actor, state: 'recording.running' }] }],
  ['a program that records', 8, withPhone({ recorders: 1 })],
  ['a folder on the phone', 8, withPhone({ temporary: ['svc-recording-0'] })],
  ['a draft in a home', 8, withFolder({ files: { ...first?.files, 'segment-3.mp4.record.part': '0' } })],
] as const)('%s breaks law %i', (_, law, changed) => {
  expect(judgeRecordings({ ...recorded, ...(changed as Partial<RecordingsOfWorld>) }).map(one => one.law)).toContain(
    law,
  )
})
