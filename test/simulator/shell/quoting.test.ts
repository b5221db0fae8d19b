/** Any string survives the shell when it is quoted, and none breaks it when it is not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quote } from '../../../src/runtime/text/quote.ts'
import { runIn, shellOf } from '../../support/device/shell-run.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter(value => !/[\0\ud800-\udfff]/.test(value))
const nasty = fc
  .array(
    fc.constantFrom(
      "'",
      '"',
      '\\',
      '$',
      '`',
      '\n',
      ' ',
      ';',
      '&',
      '|',
      '>',
      '<',
      '(',
      ')',
      '#',
      '*',
      '?',
      '~',
      '!',
      '{',
      '}',
      'a',
      '%',
      '-',
      '=',
      'é',
      '\t',
    ),
    {
      maxLength: 30,
    },
  )
  .map(parts => parts.join(''))
const value = fc.oneof(text, nasty)

describe('quoting', () => {
  const shell = shellOf()

  test('any string comes through as one word', async () => {
    await fc.assert(
      fc.asyncProperty(value, async word => {
        expect((await runIn(shell, `printf %s ${quote(word)}`)).out).toBe(word)
        expect((await runIn(shell, `A=${quote(word)}; printf %s "$A"`)).out).toBe(word)
        expect((await runIn(shell, `sh -c ${quote(`printf %s ${quote(word)}`)}`)).out).toBe(word)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test('echo -n prints any string that is not an option of its own', async () => {
    await fc.assert(
      fc.asyncProperty(
        value.filter(word => !/^-[neE]+$/.test(word)),
        async word => {
          expect((await runIn(shell, `echo -n ${quote(word)}`)).out).toBe(word)
        },
      ),
      { numRuns: propertyRuns(300) },
    )
  })

  test('any string as a command line ends, and says why', async () => {
    await fc.assert(
      fc.asyncProperty(value, async line => {
        const { code, err } = await runIn(shell, line)
        expect(code).toBeGreaterThanOrEqual(0)
        if (code === 127) expect(err).toContain('inaccessible or not found')
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
