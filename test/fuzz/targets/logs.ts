/** The log of a device: records of `logcat -B`, the crashes in them, and the lists of packages and processes beside them. */
import { LinkError } from '../../../src/device/link/link.ts'
import { createLogApps } from '../../../src/device/logs/log-apps.ts'
import {
  createRecordReader,
  createTimeText,
  type LogRecord,
  levelOf,
  wordsOf,
} from '../../../src/device/logs/log-records.ts'
import { readCrashes } from '../../../src/device/logs/read-crashes.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutatePieces } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSameInPieces, expectThat, refusedBy, stateless, type Target } from '../target.ts'

const HEADER_BYTES = 28

const recordOf = (tag: string, message: string, priority = 6): Buffer => {
  const payload = Buffer.concat([Buffer.of(priority), Buffer.from(`${tag}\0${message}\0`)])
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16LE(payload.length, 0)
  header.writeUInt16LE(HEADER_BYTES, 2)
  header.writeInt32LE(1_234, 4)
  header.writeUInt32LE(1_235, 8)
  header.writeUInt32LE(1_700_000_000, 12)
  header.writeUInt32LE(123_456_789, 16)
  header.writeUInt32LE(3, 20)
  header.writeUInt32LE(10_123, 24)
  return Buffer.concat([header, payload])
}

const JAVA = 'FATAL EXCEPTION: main\nProcess: a.b, PID: 1234\njava.lang.RuntimeException: no\n\tat a.b.C.d(C.java:1)\n'
const TOMBSTONE = [
  'pid: 1, tid: 2, name: x  >>> a.b:push <<<',
  "Abort message: 'gone'",
  'signal 11 (SIGSEGV), code 1',
  '      #00 pc 00000001  /lib/x.so (f+4)',
]
const ANR = 'ANR in a.b (a.b/.Main)\nPID: 1\nReason: Input dispatching timed out\n'

const RECORDS = Buffer.concat([
  recordOf('AndroidRuntime', JAVA),
  ...TOMBSTONE.map(line => recordOf('DEBUG', line)),
  recordOf('ActivityManager', ANR),
  recordOf('ActivityTaskManager', '  Force finishing activity a.b/.Main'),
  recordOf('ActivityManager', 'Start proc 77:c.d:remote/u0a9 for service', 4),
])

/** Payloads with lengths that fit them. */
const mutateRecords = mutatePieces({
  cut(input) {
    const pieces: Buffer[] = []
    for (let at = 0; at + HEADER_BYTES <= input.length; ) {
      const end = at + HEADER_BYTES + input.readUInt16LE(at)
      pieces.push(input.subarray(at, end))
      at = end
    }
    return pieces
  },
  join: pieces =>
    Buffer.concat(
      pieces.map(piece => {
        if (piece.length < HEADER_BYTES) return piece
        const fixed = Buffer.from(piece)
        fixed.writeUInt16LE(Math.min(0xffff, fixed.length - HEADER_BYTES), 0)
        return fixed
      }),
    ),
  inner: oneOf(
    mutateBytes,
    mutateText(['FATAL EXCEPTION: ', 'Process: ', 'PID: ', '\tat ', '>>> ', ' <<<', 'ANR in ', 'Reason: ', '#00 pc ']),
  ),
})

export const logcatRecords: Target = {
  name: 'logcat-records',
  seeds: [RECORDS, recordOf('t', 'm', 4)],
  mutate: oneOf(mutateRecords, mutateRecords, mutateBytes),
  open: stateless(input => {
    const shownOf = (record: LogRecord) => ({ ...record, payload: record.payload.toString('hex') })
    const records: LogRecord[] = []
    const read = expectSameInPieces(input, pieces => {
      const reader = createRecordReader()
      records.length = 0
      const isRead = refusedBy(LinkError, () => {
        for (const piece of pieces) records.push(...reader(piece))
        return true
      })
      // A reading that fails has told of less or more before.
      return isRead ? records.map(shownOf) : undefined
    })
    const timeText = createTimeText()
    const apps = createLogApps()
    for (const record of records) {
      apps.hear(record)
      apps.isNews(record)
      const { tag, message } = wordsOf(record)
      expectThat(tag.length + message.length <= record.payload.length, 'words longer than their record')
      expectThat(!Number.isNaN(Date.parse(timeText(record))), 'a time that is none')
      levelOf(record)
    }
    readCrashes(records)
    return read ? 'accepted' : 'refused'
  }),
}

export const logApps: Target = {
  name: 'log-apps',
  seeds: ['package:a.b uid:10123\npackage:c.d uid:10124,110124\n  PID NAME\n 1234 a.b\n  77 c.d:remote\n'],
  mutate: mutateText(['package:', 'uid:', 'PID', 'NAME', ',', '\n', ' ', '10123', 'a.b']),
  open: stateless(input => {
    const apps = createLogApps()
    apps.learn(input.toString('utf8'))
    return apps.isInstalled('x.y') ? 'refused' : 'accepted'
  }),
}
