import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPTURE_BYTES } from '../../../../src/contracts/limits/limits.ts'
import { createFrameReader, readFrame } from '../../../../src/service/skills/result/frame-reader.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

const M = '[Svc-Skill-Result]'
const J = '{"a":1}'

describe('a frame is the marker and one JSON object up to the end', () => {
  test.each([
    ['alone', `${M}\n${J}\n`],
    ['after output', `hello\nworld\n${M}\n${J}\n`],
    ['without a final newline', `${M}\n${J}`],
    ['with CRLF', `a\r\n${M}\r\n${J}\r\n`],
    ['with empty lines around it', `a\n\n${M}\n\n  \n${J}\n\n \n\t\n`],
    ['after a NUL', `\0\n${M}\n${J}\n`],
    ['after prose that mentions the marker', `print ${M} and then JSON\nthe line \`${M}\` is first.\n${M}\n${J}\n`],
  ])('%s', (_name, stdout) => expect(readFrame(stdout)).toEqual({ kind: 'framed', json: J }))

  test.each([
    ['pretty-printed', JSON.stringify({ a: 1, b: [{ c: '}' }, []], d: { e: '\\"{' } }, null, 2)],
    ['pretty-printed with CRLF', JSON.stringify({ a: 1, b: [2] }, null, 2).replaceAll('\n', '\r\n')],
    ['with empty lines in it', '{\n\n"a":\n\n1\n\n}'],
    ['with the marker in a string', `{"note":"${M}"}`],
    ['with the marker in strings on lines of their own', JSON.stringify({ a: [M, `x ${M}`, `${M} x`] }, null, 1)],
    ['that is not valid', '{"a":1,]}'],
    ['that is never closed', '{\n"a": [1'],
  ])('the object is handed on as it is: %s', (_name, json) => {
    expect(readFrame(`${M}\n${json}\n`)).toEqual({ kind: 'framed', json })
  })
})

describe('no marker, no frame', () => {
  test.each(['', '\n', 'hello', J, '[Svc-Skill-Result', `a ${M} b`, '\r\n\r\n'])('%j', stdout =>
    expect(readFrame(stdout)).toEqual({ kind: 'none' }),
  )
})

describe('a marker elsewhere is a fault', () => {
  test.each([
    ['the last line', `${M}\n`, 'last line'],
    ['the last line, unfinished', `a\n${M}`, 'last line'],
    ['before empty lines only', `${M}\n\n \n`, 'last line'],
    ['twice, with two frames', `${M}\n${J}\n${M}\n${J}\n`, 'more than one'],
    ['twice in a row', `${M}\n${M}\n${J}\n`, 'more than one'],
    ['twice, the second unfinished', `${M}\n${J}\n${M}`, 'more than one'],
    ['output after the frame', `${M}\n${J}\nbye\n`, 'after the JSON'],
    ['output after the frame, unfinished', `${M}\n${J}\nbye`, 'after the JSON'],
    ['NUL after the frame', `${M}\n${J}\n\0`, 'after the JSON'],
    ['twice, the first object never closed', `${M}\n{\n"a":\n${M}\n${J}\n`, 'more than one'],
    ['twice, the first object broken in a string', `${M}\n{"a":"b\n${M}\n${J}\n`, 'more than one'],
    ['output on the last line of the object', `${M}\n{\n"a":1\n} bye\n`, 'after the JSON'],
    ['a second object', `${M}\n${J}\n${J}\n`, 'after the JSON'],
    ['one bracket too many', `${M}\n${J}}\n`, 'after the JSON'],
    ['twice, with text after the first object', `${M}\n${J}\nbye\n${M}\n${J}\n`, 'more than one'],
    ['twice, with text after the first', `${M}\nhi\n${M}\n${J}`, 'more than one'],
    ['before a list', `${M}\n[${J}]\n`, 'not a JSON object'],
    ['before prose', `${M}\nHere it is:\n${J}\n`, 'not a JSON object'],
    ['before a fence', `${M}\n\`\`\`json\n${J}\n\`\`\`\n`, 'not a JSON object'],
    ['JSON on the line of the marker', `${M} ${J}\n`, 'other text'],
    ['behind other text', `working...${M}\n${J}\n`, 'other text'],
    ['indented', `  ${M}\n${J}\n`, 'other text'],
    ['with a space after it', `${M} \n${J}\n`, 'other text'],
    ['with a NUL before it', `\0${M}\n${J}\n`, 'other text'],
    ['behind a progress bar', `10%\r20%\r${M}\n${J}\n`, 'other text'],
    ['unfinished behind other text', `x${M}`, 'other text'],
    ['behind a very long line', `${'x'.repeat(100_000)}${M}\n${J}\n`, 'other text'],
    ['before a very long line', `${M}${'x'.repeat(100_000)}\n`, 'other text'],
  ])('%s', (_name, stdout, said) => {
    expect(readFrame(stdout)).toEqual({ kind: 'malformed', reason: expect.stringContaining(said) })
  })

  test('a frame longer than what is kept', () => {
    const reader = createFrameReader()
    reader.push(`${M}\n`)
    for (let sent = 0; sent <= CAPTURE_BYTES; sent += 1_048_576) reader.push('x'.repeat(1_048_576))
    expect(reader.end()).toEqual({ kind: 'malformed', reason: expect.stringContaining('longer') })
  })
})

describe('on a terminal', () => {
  const wrapped = (json: string, columns: number) => json.match(new RegExp(`.{1,${columns}}`, 'gu'))?.join('\n') ?? ''

  test('line breaks at its edge are no part of the text', () => {
    const json = JSON.stringify({ text: 'a"b\\ c'.repeat(40), n: 123_456_789 })
    expect(readFrame(`${M}\n${wrapped(json, 20)}\n`, 20)).toEqual({ kind: 'framed', json })
    const wide = JSON.stringify({ t: `${'漢'.repeat(9)}🙂${'語'.repeat(8)}` })
    expect(
      readFrame(`${M}\n${wide.slice(0, 6)}${'漢'.repeat(7)}\n${'漢'.repeat(2)}🙂${'語'.repeat(7)}\n語"}\n`, 20),
    ).toEqual({ kind: 'framed', json: wide })
  })

  test('its first line is as wide as it is indented', () => {
    const json = JSON.stringify({ text: 'a b'.repeat(20) })
    expect(readFrame(`${M}\n${wrapped(`   ${json}`, 20)}\n`, 20)).toEqual({ kind: 'framed', json })
  })

  test('others stay', () => {
    const json = JSON.stringify({ a: 'x'.repeat(30), b: [1, 2] }, null, 2)
    expect(readFrame(`${M}\n${json}\n`, 20)).toEqual({ kind: 'framed', json })
    expect(readFrame(`${M}\n{"a":"b\nc"}\n`, 20)).toEqual({ kind: 'framed', json: '{"a":"b\nc"}' })
  })
})

test('the time a frame takes grows with its length, however small its pieces are', () => {
  const read = (size: number) => {
    const reader = createFrameReader()
    reader.push(`${M}\n`)
    const json = JSON.stringify({ text: 'x\\"{'.repeat(size / 8), list: [] }, null, 2)
    const begun = performance.now()
    for (let at = 0; at < json.length; at += 64) reader.push(json.slice(at, at + 64))
    expect(reader.end()).toEqual({ kind: 'framed', json })
    return performance.now() - begun
  }
  read(100_000)
  // A quadratic reader would take minutes.
  expect(read(16_000_000)).toBeLessThan(20_000)
})

const pieces = fc.array(
  fc.constantFrom(
    M,
    J,
    '{',
    '}',
    '"',
    '\\',
    '[',
    '\n',
    '\r\n',
    'hello',
    ' ',
    `x${M}`,
    '[Svc',
    '-Skill-Result]',
    '\n\n',
    'é',
    '\0',
  ),
  { maxLength: 14 },
)

test('it does not matter where the output is cut', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(200), { maxLength: 8 }), (parts, cuts) => {
      const stdout = parts.join('')
      const reader = createFrameReader()
      let [from, shown] = [0, '']
      for (const cut of [...cuts, stdout.length].map(at => Math.min(at, stdout.length)).sort((a, b) => a - b)) {
        shown += reader.push(stdout.slice(from, cut))
        from = cut
      }
      const end = reader.end()
      expect(end).toEqual(readFrame(stdout))
      expect(shown + reader.held(), 'nothing is lost or shown twice').toBe(stdout)
      if (end.kind === 'framed') expect(shown).not.toContain(`${M}\n${J}`)
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

test.each([
  ['on a line of its own', `${M}\n`],
  ['unfinished', M],
  ['in two pieces', '[Svc-Skill', '-Result]\n'],
])('a second marker after a fault is the fault that counts: %s', (_, ...pieces) => {
  const reader = createFrameReader()
  for (const piece of [`${M}\n`, `${J}\nbye\n`, 'x\n', ...pieces]) reader.push(piece)
  expect(reader.end()).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('more than one') })
})

test('a second marker after one with other text on its line changes nothing', () => {
  const reader = createFrameReader()
  for (const piece of [`x${M}\n`, `${M}\n`, J]) reader.push(piece)
  expect(reader.end()).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('other text') })
})

describe('what may be shown while it comes', () => {
  const shown = (...chunks: string[]) => {
    const reader = createFrameReader()
    return chunks.map(chunk => reader.push(chunk))
  }

  test('output at once, the beginnings of lines too', () => {
    expect(shown('a', 'b\nc', '...')).toEqual(['a', 'b\nc', '...'])
  })

  test('the frame never', () => {
    expect(shown('a\n', M, '\n', J, '\n', '\n')).toEqual(['a\n', '', '', '', '', ''])
    expect(shown('a\n[Svc-', 'Skill-Result]\r', '\n{')).toEqual(['a\n', '', ''])
  })

  test('what only began like a marker, as soon as that is known', () => {
    expect(shown('[Svc', '-Other]', '\n')).toEqual(['', '[Svc-Other]', '\n'])
  })

  test('a frame that is none, as soon as more comes', () => {
    expect(shown(`${M}\n${J}\n`, 'more', '\n')).toEqual(['', `${M}\n${J}\nmore`, '\n'])
  })
})
