/** Records of `logcat -B`, cut into chunks in any way. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecordReader, levelOf, wordsOf } from '../../../src/device/logs/log-records.ts'
import type { LogEntry, LogLevel } from '../../../src/simulator/phone-parts.ts'
import { binaryEntry } from '../../../src/simulator/shell/logcat-formats.ts'

const entry = fc.record({
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  micros: fc.integer({ min: 0, max: 999 }),
  pid: fc.integer({ min: 0, max: 99_999 }),
  tid: fc.integer({ min: 0, max: 99_999 }),
  uid: fc.integer({ min: 0, max: 1_099_999 }),
  buffer: fc.constantFrom('main', 'system', 'crash' as const),
  level: fc.constantFrom<LogLevel>('V', 'D', 'I', 'W', 'E', 'F'),
  tag: fc.stringMatching(/^[^\0\ud800-\udfff]{0,20}$/u),
  message: fc.stringMatching(/^[^\0\ud800-\udfff]{0,80}$/u),
}) as fc.Arbitrary<LogEntry>

test('are whole, whatever the chunks', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), fc.integer({ min: 1, max: 200 }), (entries, size) => {
      const bytes = Buffer.concat(entries.map(binaryEntry))
      const read = createRecordReader()
      const found = []
      for (let at = 0; at < bytes.length; at += size) found.push(...read(bytes.subarray(at, at + size)))
      expect(
        found.map(record => ({ ...wordsOf(record), pid: record.pid, uid: record.uid, level: levelOf(record)[0] })),
      ).toEqual(
        entries.map(({ tag, message, pid, uid, level }) => ({
          ...{ tag, pid, uid, message: message.replace(/\n+$/, ''), level: level.toLowerCase() },
        })),
      )
    }),
  )
})

test('a header without the user is that of an older system', () => {
  const [payload] = [Buffer.from('\x04T\0m\0')]
  const header = Buffer.alloc(24)
  header.writeUInt16LE(payload.length, 0)
  header.writeUInt16LE(24, 2)
  const [record] = createRecordReader()(Buffer.concat([header, payload]))
  expect(record).toMatchObject({ uid: undefined, buffer: 0 })
})

test('what is no record is refused', () => {
  expect(() => [...createRecordReader()(Buffer.from('--------- beginning of main\n'))]).toThrow(/no log record/)
})
