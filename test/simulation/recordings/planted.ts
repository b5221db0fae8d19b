/** Defects of recordings. */
import type { Planted } from '../planted/planted.ts'

export const PLANTED_IN_RECORDINGS: readonly Planted[] = [
  {
    law: 1,
    name: 'a segment counts as fetched twice',
    file: 'src/service/recordings/record-port.ts',
    from: "if (!(await send({ type: 'segment.saved', segment, ...fetched }))) return",
    to: "for (const _ of [1, 2]) if (!(await send({ type: 'segment.saved', segment, ...fetched }))) return",
    seed: 1,
  },
  {
    law: 3,
    name: 'the digest of a segment is lost',
    file: 'src/service/recordings/record-port.ts',
    from: "const fetched = await fetchSegment({ link, from, folder, name, by: 'record', clock, signal })",
    to: "const fetched = { ...(await fetchSegment({ link, from, folder, name, by: 'record', clock, signal })), sha256: '' }",
    seed: 2,
  },
  {
    law: 7,
    name: 'what a dead process left of a recording is not finished',
    file: 'src/service/recordings/recordings.ts',
    from: 'if (deps.journal.last(actor)?.to !== UNFINISHED) return undefined',
    to: 'if (deps.journal.last(actor)) return undefined',
    seed: 18,
  },
  {
    law: 8,
    name: 'a phone records before the disk has the record of it',
    file: 'src/service/recordings/record-port.ts',
    from: '      await deps.journal.synced()',
    to: '',
    seed: 400,
  },
  {
    law: 8,
    name: 'the folder of a recording stays on the phone',
    file: 'src/service/recordings/finish-port.ts',
    from: 'if (!(await removeFolder(link, recordingId, within())))',
    to: 'if (await Promise.resolve(false))',
    seed: 2,
  },
]
