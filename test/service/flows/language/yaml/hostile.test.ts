/** Whatever stands in a file, it is answered soon and by a list of faults. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../../../src/service/flows/language/command-table.ts'
import { describeCommand } from '../../../../../src/service/flows/language/describe-command.ts'
import { readFlow } from '../../../../../src/service/flows/language/read/read-flow.ts'
import { propertyRuns } from '../../../../support/property-runs.ts'

const MEBIBYTE = 1_048_576
const messages = (text: string | Uint8Array): readonly string[] => {
  const result = readFlow(text, '/a.yaml')
  if (result.ok) {
    for (const command of result.flow.commands) expect(describeCommand(command)).not.toBe('')
    return []
  }
  expect(result.problems.length).toBeGreaterThan(0)
  return result.problems.map(({ message }) => message)
}

/** Pieces that flows are made of, and those that parsers fear. */
const piece = fc.oneof(
  fc.constantFrom(...Object.keys(COMMANDS)),
  fc.constantFrom(
    'appId: a',
    '---',
    '\n',
    '\n  ',
    '\n    ',
    '- ',
    ': ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '|',
    '>',
  ),
  fc.constantFrom(
    '&a ',
    '*a',
    '<<',
    '!x ',
    '!!str ',
    '# ',
    '\t',
    '${',
    '}',
    '%',
    '@',
    '~',
    'null',
    'true',
    '\uFEFF',
    '\u2028',
    '\0',
  ),
  fc.constantFrom(
    'text',
    'id',
    'when',
    'commands',
    'env',
    'visible',
    'point',
    '__proto__',
    'constructor',
    'permissions',
  ),
  fc.string({ maxLength: 6 }),
)

describe('no input', () => {
  test('of pieces of flows throws', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        messages(pieces.join(''))
        messages(`appId: a\n---\n- ${pieces.join('')}`)
      }),
      { numRuns: propertyRuns(1_500) },
    )
  })

  test('of bytes throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => void messages(bytes)),
      { numRuns: propertyRuns(1_500) },
    )
  })

  test('of any values below a command throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(COMMANDS)), fc.jsonValue(), (key, value) => {
        messages(`appId: a\n---\n- ${key}: ${JSON.stringify(value)}`)
      }),
      { numRuns: propertyRuns(1_500) },
    )
  })
})

describe('a file is refused at once', () => {
  test('for aliases that multiply, or contain themselves', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `k${at}: &k${at} [${`*k${at - 1},`.repeat(at === 0 ? 0 : 9)} x]`,
    )
    expect(messages(levels.join('\n'))[0]).toContain('at most 10000 values, with each alias counted')
    expect(messages('a: &a [*a, *a]')[0]).toContain('at most 64 levels')
  })

  test('for its depth', () => {
    const steps = Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')
    for (const text of [
      '['.repeat(9_000),
      '{a: '.repeat(9_000),
      '- '.repeat(9_000),
      '? '.repeat(9_000),
      'a: '.repeat(30_000),
      steps,
    ]) {
      expect(messages(text)[0]).toContain('nested deeper than 64 levels')
    }
  })

  test('for more than 10,000 values, and not for as many', () => {
    const flow = (commands: number) => `appId: a\n---\n${'- back\n'.repeat(commands)}`
    expect(messages(flow(9_990))).toEqual([])
    expect(messages(flow(10_000))[0]).toContain('at most 10000 values')
  })

  // Whatever were quadratic in this would take many minutes.
  test.each(['- back\n', '[', '"', '&a ', '#\n', '%a\n', '"a"\n', '|\n '])(
    'of 1 MiB of %j',
    unit => void messages(unit.repeat(Math.floor(MEBIBYTE / unit.length))),
    60_000,
  )

  test('a megabyte of comments is no fault', () => {
    expect(messages(`appId: a\n---\n${`# ${'x'.repeat(60)}\n`.repeat(16_000)}- back\n`)).toEqual([])
  })
})
