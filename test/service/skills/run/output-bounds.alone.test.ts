/** What is kept of output that has no end, and what is still found in what is not kept. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPTURE_BYTES } from '../../../../src/contracts/limits/limits.ts'
import {
  createBoundedOutput,
  createRunOutput,
  createSubstringWatch,
  excerpt,
} from '../../../../src/service/skills/run/output.ts'
import { createSkillLab, frameOf, MARKER } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-output-')
const lab = () => createSkillLab(folder())

describe('kept output', () => {
  const keep = (most: number, chunks: readonly string[]) => {
    const kept = createBoundedOutput(most)
    for (const chunk of chunks) kept.push(chunk)
    return kept.text()
  }

  test('all of it, up to the limit', () => {
    expect(keep(8, [])).toBe('')
    expect(keep(8, ['abc', '', 'def', 'gh'])).toBe('abcdefgh')
  })

  test('beyond that the beginning and the end, with a note of what is missing', () => {
    expect(keep(8, ['abcdefghi'])).toBe('abcdef\n[svc: 1 bytes dropped]\nhi')
    expect(keep(8, ['abcdefghijklmnop', 'qrstuvwxyz'])).toBe('abcdef\n[svc: 18 bytes dropped]\nyz')
  })

  test('however it is cut, no character is divided and every byte is kept or counted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 })),
        fc.integer({ min: 4, max: 60 }),
        (chunks, most) => {
          const whole = chunks.join('')
          const text = keep(most, chunks)
          const bytes = Buffer.byteLength(whole)
          if (bytes <= most) {
            expect(text).toBe(whole)
            return
          }
          const match = /^(?<first>[\s\S]*)\n\[svc: (?<dropped>\d+) bytes dropped\]\n(?<last>[\s\S]*)$/.exec(text)
          const { first = '', dropped = '', last = '' } = match?.groups ?? {}
          expect(whole.startsWith(first) && whole.endsWith(last)).toBe(true)
          expect(Buffer.byteLength(first) + Number(dropped) + Buffer.byteLength(last)).toBe(bytes)
          expect(Buffer.byteLength(first) + Buffer.byteLength(last)).toBeLessThanOrEqual(most)
        },
      ),
    )
  })

  test('an excerpt', () => {
    expect(excerpt('abc', 3)).toBe('abc')
    expect(excerpt('abcdefgh', 4)).toBe('ab\n[svc: 4 characters dropped]\ngh')
  })
})

test('an expected text is found wherever it is cut', () => {
  const found = (wanted: string | undefined, ...chunks: string[]) => {
    const watch = createSubstringWatch(wanted)
    for (const chunk of chunks) watch.push(chunk)
    return watch.isMet()
  }
  for (const chunks of [['xabcx'], ['xa', 'bcx'], ['x', 'a', 'b', 'c'], ['ab', '', 'c'], ['ababc']]) {
    expect(found('abc', ...chunks)).toBe(true)
  }
  expect(found('abc', 'ab', 'xc')).toBe(false)
  expect(found('a', 'b', 'a')).toBe(true)
  expect(found(undefined)).toBe(true)
  expect(found('')).toBe(true)
})

describe('100 MB of output', () => {
  const HUNDRED_MB = 100 * 1_024 * 1_024
  const flood = (stream: string) => `
    const line = 'x'.repeat(1023) + '\\n'
    const block = line.repeat(256)
    let left = ${HUNDRED_MB} / block.length
    const more = () => { while (left-- > 0) if (!process.${stream}.write(block)) return process.${stream}.once('drain', more); done() }
    const done = () => {
      if ('${stream}' === 'stdout') process.stdout.write('needle\\n')
      process.stdout.write(${JSON.stringify(`${MARKER}\n${JSON.stringify(frameOf())}\n`)})
    }
    more()`

  test.each(['stdout', 'stderr'] as const)('on %s leaves bounded memory, and the frame is found', async stream => {
    const skills = lab()
    const more = stream === 'stdout' ? { expectContains: 'x\nneedle\n' } : {}
    const finished = await skills.js(flood(stream), more)
    expect(finished).toMatchObject({ status: 'success', skillResult: { status: 'success' } })
    const kept = finished.captured?.[stream] ?? ''
    expect(kept.length).toBeLessThan(CAPTURE_BYTES + 100)
    expect(kept.length).toBeGreaterThan(CAPTURE_BYTES - 100)
    expect(kept).toMatch(/\n\[svc: \d+ bytes dropped\]\n/)
    if (stream === 'stdout') expect(kept).toContain(`needle\n${MARKER}`)
    const ended = skills.journal.last(`skill-run:${finished.runId}`)
    expect(JSON.stringify(ended && skills.journal.body(ended)).length).toBeLessThan(1_000_000)
  })

  test('much more of it costs no more memory', () => {
    const output = createRunOutput({ isTerminal: false, expectContains: 'absent' })
    const block = Buffer.from(`${'x'.repeat(1_023)}\n`.repeat(64))
    const before = process.memoryUsage.rss()
    let peak = before
    for (let sent = 0; sent < 10 * HUNDRED_MB; sent += block.length) {
      output.stdout(block)
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    output.end()
    expect(output.captured().stdout.length).toBeLessThan(CAPTURE_BYTES + 100)
    expect(output.isExpectationMet()).toBe(false)
    expect(peak - before).toBeLessThan(5 * HUNDRED_MB)
  })

  test('many small writes cost no more than few large ones', () => {
    const kept = createBoundedOutput()
    const before = process.memoryUsage().heapUsed
    for (let sent = 0; sent < 1_000_000; sent++) kept.push('é')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(3 * CAPTURE_BYTES)
    expect(kept.text().length).toBe(1_000_000)
  })
})
