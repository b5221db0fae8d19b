/** The arguments of `svc test` that name reports. */
import { expect, test } from 'vitest'
import { type CommandContext, CommandError } from '../../../../src/surfaces/cli/command.ts'
import { wantedReports } from '../../../../src/surfaces/cli/test/test-flags.ts'

const reports = (flags: Readonly<Record<string, readonly string[]>>) =>
  wantedReports({ all: (flag: string) => flags[flag] ?? [] } as unknown as CommandContext)

test('formats are written in any case, and a page with each command is the HTML page', () => {
  const formats = reports({ format: ['JUNIT', 'Html', 'HTML-DETAILED', 'ctrf'] })
  expect(formats.map(({ format }) => format)).toEqual(['junit', 'html', 'html', 'ctrf'])
})

test('another format is refused with those that there are', () => {
  expect(() => reports({ format: ['allure'] })).toThrow(CommandError)
  expect(() => reports({ format: ['allure'] })).toThrow(/--format must be junit, ctrf, html; got "allure"/)
})

test('an output belongs to the format at its place', () => {
  expect(reports({ format: ['junit', 'html'], output: ['a.xml', 'b.html'] })).toEqual([
    { format: 'junit', file: 'a.xml' },
    { format: 'html', file: 'b.html' },
  ])
})
