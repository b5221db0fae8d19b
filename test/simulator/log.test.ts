import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLog, entryBytes, LOG_PAYLOAD_BYTES } from '../../src/simulator/log.ts'
import { manualClock } from '../support/manual-clock.ts'

const clock = manualClock()

describe('createLog', () => {
  test('keeps the latest entries within its bytes, whatever is written', () => {
    const line = fc.tuple(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 500 }))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 600, max: 4_000 }), (lines, bytes) => {
        const log = createLog({ clock, bytes })
        for (const [tag, message] of lines) log.write('I', tag, message)
        const kept = log.entries()
        const size = kept.reduce((sum, entry) => sum + entryBytes(entry), 0)
        expect(size <= bytes || kept.length === 1).toBe(true)
        expect(kept.map(({ message }) => message)).toEqual(
          lines.slice(lines.length - kept.length).map(([, message]) => message),
        )
        const before = lines[lines.length - kept.length - 1]
        if (before) expect(size + entryBytes({ tag: before[0], message: before[1] })).toBeGreaterThan(bytes)
      }),
    )
  })

  test('cuts a message at what an entry can hold, never inside a character', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a', 'é', '€', '😀'),
        fc.string({ minLength: 1, maxLength: 8, unit: 'binary-ascii' }),
        (unit, tag) => {
          const log = createLog({ clock })
          log.write('I', tag, `x${unit.repeat(5_000)}`)
          const message = log.entries()[0]?.message ?? ''
          const room = LOG_PAYLOAD_BYTES - 3 - Buffer.byteLength(tag)
          expect(Buffer.byteLength(message)).toBeLessThanOrEqual(room)
          expect(Buffer.byteLength(message)).toBeGreaterThan(room - 4)
          expect(`x${unit.repeat(5_000)}`.startsWith(message)).toBe(true)
        },
      ),
    )
  })

  test('tells followers of each entry until they close, in the order of writing', () => {
    const log = createLog({ clock, pid: 42 })
    log.write('I', 'T', 'before')
    const seen: string[] = []
    const follower = log.follow(entry => seen.push(`${entry.pid} ${entry.at} ${entry.message}`))
    log.write('W', 'T', 'one')
    clock.advance(5)
    log.write('E', 'T', 'two')
    follower.close()
    log.write('E', 'T', 'three')
    expect(seen).toEqual(['42 1000000 one', '42 1000005 two'])
    log.clear()
    expect(log.entries()).toEqual([])
  })

  test('a follower may close itself, and others, while it is told', () => {
    const log = createLog({ clock })
    const seen: string[] = []
    const first = log.follow(() => {
      seen.push('first')
      first.close()
    })
    log.follow(() => seen.push('second'))
    log.write('I', 'T', 'a')
    log.write('I', 'T', 'b')
    expect(seen).toEqual(['first', 'second', 'second'])
  })
})
