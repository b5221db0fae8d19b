/** The README, taken apart: the commands of svc in its blocks and sentences, its tables, and the names in backticks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../architecture/sources.ts'

export const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm
const prose = readme.replace(FENCE, '')

export const shellLines = [...readme.matchAll(FENCE)]
  .filter(([, language]) => language === 'sh')
  .flatMap(([, , body = '']) => body.split('\n'))

/** Words in backticks, with the escaped bars of tables as bars. */
export const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'))

const WORD = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/g
const unquoted = (word: string) => word.replace(/^(["'])(.*)\1$/s, '$2')

/** Arguments of each `svc` of a shell line, without what the shell itself takes. */
export const commandsIn = (line: string): string[][] =>
  line
    .replace(/(^|\s)#.*$/, '')
    .split(/\s(?:\||&&|&|;)(?:\s|$)/)
    .map(part => part.replace(/\s\d?>\s*\S+/g, '').match(WORD) ?? [])
    .filter(([program]) => program === 'svc')
    .map(([, ...words]) => words.map(unquoted))

/** A shape as a call: optional parts are given, and of several values the first one is taken. */
export const calledAsShaped = (span: string): string =>
  span.replaceAll(/[[\]]|\.\.\.$/g, '').replaceAll(/(?<=[\w-])\|[\w-]+(?: <\w+>)?/g, '')

/** Rows of the table under a heading: its cells, without the head. */
export const tableUnder = (heading: string): string[][] => {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split(/\n## /)[0] ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('|'))
  return rows.slice(2).map(row =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}
