/** The text of each command at three widths and in a pipe, and what holds for all of it. */
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'
import { executionText } from '../../../../src/surfaces/cli/text/execution.ts'
import { displayWidth, shortened } from '../../../../src/surfaces/cli/text/visible.ts'
import type { Case } from './cases/case.ts'
import { CONNECTION_CASES } from './cases/connection.ts'
import { DEVICE_CASES } from './cases/device.ts'
import { EXECUTION_CASES } from './cases/execution.ts'
import { HOST_CASES } from './cases/host.ts'
import { SKILL_CASES } from './cases/skill.ts'
import { givenWords, pageFor } from './page-for.ts'

const FAMILIES = {
  connections: CONNECTION_CASES,
  devices: DEVICE_CASES,
  executions: EXECUTION_CASES,
  host: HOST_CASES,
  skills: SKILL_CASES,
}
const ALL = Object.values(FAMILIES).flat()
const WIDTHS = [60, 80, 140]

const textOf = ({ printer, output, path = [], args, flags }: Case, width?: number): string =>
  printer(pageFor({ width, path, given: givenWords(args, flags) }), output as never)

const ruler = (width: number) => `--- ${width} ${'-'.repeat(width - 5 - String(width).length)}`

/** Text that is the same at several widths stands once. */
const atWidths = (each: Case): string => {
  const texts = WIDTHS.map(width => ({ width, text: textOf(each, width) }))
  return texts
    .filter(({ text }, at) => text !== texts[at - 1]?.text)
    .map(({ width, text }) => `${ruler(width)}\n${text}`)
    .join('\n')
}

describe.each(Object.entries(FAMILIES))('%s', (family, cases) => {
  test('read as in the snapshot', async () => {
    const text = cases.map(each => `=== ${each.about}\n${atWidths(each)}\n`).join('\n')
    await expect(text).toMatchFileSnapshot(`./snapshots/${family}.txt`)
  })
})

/** A path, an id or an address is never cut, as it would be of no use then. */
const hasLongWord = (line: string) => line.split(' ').some(word => displayWidth(word) > 24)

describe('every text', () => {
  test.each(WIDTHS)('fits %d columns, but for words that may not be broken', width => {
    const wide = ALL.flatMap(each => textOf(each, width).split('\n')).filter(line => displayWidth(line) > width)
    expect(wide.filter(line => !hasLongWord(line))).toEqual([])
  })

  test('is whole in a pipe', () => {
    const cut = ALL.flatMap(each => textOf(each).split('\n')).filter(line => line.includes(shortened('ab', 1)))
    expect(cut).toEqual([])
  })

  test('lets nothing of a device, a script or a file control the terminal', () => {
    const texts = [...WIDTHS, undefined].flatMap(width => ALL.map(each => textOf(each, width)))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    for (const text of texts) expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066\u2067]/)
  })

  test('says with colours what it says without them', () => {
    for (const { printer, output, path = [], args, flags } of ALL) {
      const page = { path, given: givenWords(args, flags) }
      const coloured = printer(pageFor({ ...page, hasColours: true }), output as never)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
      expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(printer(pageFor(page), output as never))
    }
  })
})

test('the printer of every command has a case', async () => {
  const tried = new Set(ALL.map(({ printer }) => printer))
  const commands = (await catalogue.all()).filter(({ text }) => text !== 'unchanged')
  const printers = commands.map(async ({ path, text }) => ({
    command: path.join(' '),
    printer: typeof text === 'function' ? await text() : executionText,
  }))
  const untried = (await Promise.all(printers)).filter(({ printer }) => !tried.has(printer))
  expect(untried.map(({ command }) => command)).toEqual([])
})
