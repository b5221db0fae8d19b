import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPTURE_BYTES } from '../../../src/contracts/limits.ts'
import { createFrameReader, readFrame } from '../../../src/skills/result/frame-reader.ts'

const M = '[Svc-Skill-Result]'
const J = '{"a":1}'

describe('a frame is the last two lines that are not empty', () => {
  test.each([
    ['alone', `${M}\n${J}\n`],
    ['after output', `hello\nworld\n${M}\n${J}\n`],
    ['without a final newline', `${M}\n${J}`],
    ['with CRLF', `a\r\n${M}\r\n${J}\r\n`],
    ['with empty lines around it', `a\n\n${M}\n\n  \n${J}\n\n \n\t\n`],
    ['after a NUL', `\0\n${M}\n${J}\n`],
    ['after prose that mentions the marker', `print ${M} and then JSON\nthe line \`${M}\` is first.\n${M}\n${J}\n`],
  ])('%s', (_name, stdout) => expect(readFrame(stdout)).toEqual({ kind: 'framed', json: J }))

  test('the line is handed on as it is, the marker inside it too', () => {
    const json = `{"note":"${M}"}`
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
    ['output after the frame', `${M}\n${J}\nbye\n`, 'after the frame'],
    ['output after the frame, unfinished', `${M}\n${J}\nbye`, 'after the frame'],
    ['NUL after the frame', `${M}\n${J}\n\0`, 'after the frame'],
    ['JSON over two lines', `${M}\n{\n"a":1}\n`, 'after the frame'],
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

const pieces = fc.array(
  fc.constantFrom(M, J, '\n', '\r\n', 'hello', ' ', `x${M}`, '[Svc', '-Skill-Result]', '\n\n', 'é', '\0'),
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
    { numRuns: 2_000 },
  )
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
