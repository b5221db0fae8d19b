/** What a trial leaves of its recordings: on the phones, in the homes of hosts, and in their journals. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recording } from '../../../src/contracts/recording.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import type { Disk } from '../host/disk.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { AskedRecording } from './recorders.ts'

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

export interface RecordedFolder {
  host: number
  recordingId: string
  /** Undefined where there is none. */
  manifest: Recording | undefined
  /** Digests of the files beside it. */
  files: Readonly<Record<string, string>>
}

export interface RecordedActor {
  host: number
  actor: string
  recordingId: string
  /** The state that it has in the end. */
  state: string
  /** In the order in which they were recorded. */
  saved: readonly number[]
}

export interface RecordingsOfWorld {
  asked: readonly AskedRecording[]
  folders: readonly RecordedFolder[]
  /** The newest recording of each device, and those before it, by what journals say. */
  actors: readonly RecordedActor[]
  phones: readonly {
    recorders: number
    temporary: readonly string[]
    /** Digests of the segments, as they were last, by `<recording>/<segment>`. */
    segments: Readonly<Record<string, string>>
  }[]
}

export interface Homes {
  of(host: number): string
  remove(): void
}

export const makeHomes = (hosts: number): Homes => {
  const root = mkdtempSync(join(tmpdir(), 'svc-homes-'))
  const of = (host: number) => join(root, `h${host}`)
  for (let host = 0; host < hosts; host++) mkdirSync(of(host))
  return { of, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const MANIFEST = 'manifest.json'

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const foldersOf = (home: string, host: number): RecordedFolder[] => {
  const root = join(home, 'recordings')
  return namesIn(root).map(recordingId => {
    const folder = join(root, recordingId)
    const names = namesIn(folder)
    const manifest = names.includes(MANIFEST)
      ? (JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Recording)
      : undefined
    const files = names.filter(name => name !== MANIFEST).map(name => [name, hashOf(readFileSync(join(folder, name)))])
    return { host, recordingId, manifest, files: Object.fromEntries(files) }
  })
}

const actorsOf = (disk: Disk, host: number): RecordedActor[] => {
  const actors: (Omit<RecordedActor, 'saved'> & { saved: number[] })[] = []
  for (const { machine, actor, event, from, to } of recordsAfter(disk.store(), 0, {})) {
    if (machine !== 'recording') continue
    const { type, recordingId, segment } = event as { type: string; recordingId?: string; segment?: number }
    const isBegun = to.startsWith('recording') && from?.startsWith('recording') !== true
    if (type === 'start.requested' && isBegun)
      actors.push({ host, actor, recordingId: String(recordingId), state: to, saved: [] })
    const newest = actors.findLast(one => one.actor === actor)
    if (!newest) continue
    newest.state = to
    if (type === 'segment.saved' && segment !== undefined) newest.saved.push(segment)
  }
  return actors
}

export const recordedBy = (
  asked: readonly AskedRecording[],
  { homes, disks, phones }: { homes: Homes; disks: readonly Disk[]; phones: readonly PhoneHost[] },
): RecordingsOfWorld => ({
  asked,
  folders: disks.flatMap((_, host) => foldersOf(homes.of(host), host)),
  actors: disks.flatMap(actorsOf),
  phones: phones.map(({ video }) => ({
    recorders: video?.recorders() ?? 0,
    temporary: video?.temporary() ?? [],
    segments: Object.fromEntries(
      [...(video?.segments() ?? [])].map(([path, content]) => [
        path.replace(/^svc-recording-/, '').replace(/\.mp4$/, ''),
        hashOf(content),
      ]),
    ),
  })),
})
