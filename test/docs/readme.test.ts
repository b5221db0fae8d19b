/** The README as a user reads it: what it names exists, and what exists is named. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GLOBAL_FLAGS } from '../../src/cli/argv.ts'
import type { Command } from '../../src/cli/command.ts'
import { catalogue } from '../../src/cli/commands/catalogue.ts'
import { parse } from '../../src/cli/parse-all.ts'
import { FAILURES } from '../../src/contracts/failures.ts'
import { TOOL_ARGUMENTS } from '../../src/contracts/mcp.ts'
import { createApp } from '../../src/http/app.ts'
import { ROOT, sourcesUnder } from '../architecture/sources.ts'
import { fakeExecutions } from '../support/fake-executions.ts'
import { fakeDeps } from '../support/http-server.ts'
import { calledAsShaped, commandsIn, readme, shellLines, spans, tableUnder } from './readme-text.ts'

const COMMANDS = await catalogue.all()

const names = COMMANDS.filter(({ internal }) => !internal).map(({ path }) => path.join(' '))

test('every command is in the README', () => {
  expect(names.filter(name => !new RegExp(`\`svc ${name}[\` ]`).test(readme))).toEqual([])
})

const refusal = (words: readonly string[]): string | undefined => {
  try {
    const parsed = parse(COMMANDS, words)
    return parsed.kind === 'refused' ? parsed.error.message : undefined
  } catch (error) {
    return (error as Error).message
  }
}
const refusals = (lines: readonly string[]) =>
  lines.flatMap(line => commandsIn(line).flatMap(words => (refusal(words) ? [`${line}: ${refusal(words)}`] : [])))

test('every command of a block is taken by svc', () => {
  expect(shellLines.flatMap(commandsIn).length).toBeGreaterThan(60)
  expect(refusals(shellLines)).toEqual([])
})

/** A sentence may name a command or a flag without its values. */
const UNFINISHED = /is missing|needs a subcommand|needs a value/

test('every command of a sentence is one of svc, with flags that it has', () => {
  const told = spans.filter(span => span.startsWith('svc ') && !span.includes('<command>')).map(calledAsShaped)
  expect(told.length).toBeGreaterThan(100)
  expect(refusals(told).filter(problem => !UNFINISHED.test(problem))).toEqual([])
})

const flagsIn = (text: string) => [...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(([, name = '']) => name)
const namesOf = (flags: Command['flags'] = []) => flags.flatMap(({ name, aliases = [] }) => [name, ...aliases])
const commandsPart = readme.split('\n## Commands\n')[1]?.split('\n## ')[0] ?? ''

test('every flag is in the section on commands, and no other', () => {
  const flags = [...GLOBAL_FLAGS, ...COMMANDS.filter(({ internal }) => !internal).flatMap(({ flags = [] }) => flags)]
  const shown = new Set(flagsIn(commandsPart))
  expect([...new Set(flags.map(({ name }) => name))].filter(name => !shown.has(name))).toEqual([])
  expect([...shown].filter(name => !namesOf(flags).includes(name))).toEqual([])
})

test('a row of the table of flags is true of every command in it', () => {
  const rows = [...commandsPart.matchAll(/^\| (`svc [^|]+) \| (`--[^|]+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(20)
  for (const [, named = '', flags = ''] of rows) {
    for (const [, path = ''] of named.matchAll(/`svc ([^`]+)`/g)) {
      const command = COMMANDS.find(each => each.path.join(' ') === path)
      expect(namesOf(command?.flags), path).toEqual(expect.arrayContaining(flagsIn(flags)))
    }
  }
})

const sources = sourcesUnder('src')
const variables = sources.flatMap(({ code }) =>
  [...code.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
)

test('every environment variable is in the README', () => {
  expect(variables.length).toBeGreaterThan(0)
  expect(variables.filter(name => !readme.includes(`\`${name}\``))).toEqual([])
})

/** Some are read by a name that a table holds. */
const isRead = (name: string) => sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))

test('every environment variable of the README is read', () => {
  const rows = tableUnder('Environment').flatMap(([cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [])
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter(name => !isRead(name))).toEqual([])
})

const isVariable = (span: string) => tableUnder('Environment').some(([cell = '']) => cell.includes(`\`${span}\``))

test('every code that the README names is one that svc answers', () => {
  const codes = spans.filter(span => /^(?!SVC_|ANDROID_)[A-Z]+(?:_[A-Z]+)+$/.test(span) && !isVariable(span))
  expect(codes.length).toBeGreaterThan(15)
  expect(codes.filter(code => !Object.hasOwn(FAILURES, code))).toEqual([])
})

test('every file that the README sends a reader to is there', () => {
  const places = tableUnder('Where things are').flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z][\w./-]*\/[\w./-]*)`/g)].map(([, path = '']) => path),
  )
  expect(places.length).toBeGreaterThan(30)
  const within = (path: string) => places.some(place => existsSync(join(ROOT, place.replace(/[^/]*$/, ''), path)))
  expect(places.filter(path => !existsSync(join(ROOT, path)) && !within(path))).toEqual([])
})

test('every npm script of the README is one of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
})

test('every request is in the README, and every request of the README is one of svc', async () => {
  const path = '/openapi.json'
  const app = createApp(fakeDeps(fakeExecutions()))
  const response = await app.request(path, { headers: { host: 'localhost' } }, { incoming: { url: path } })
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> }
  const generic = (path: string) => path.replaceAll(/\{\w+\}|<\w+>|(?<=\/actors\/)policy/g, '<>')
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${generic(path)}`),
  )
  const told = spans
    .filter(span => /^(GET|POST|DELETE|PUT) \//.test(span))
    .map(span => generic(span.split(/[ ?](?=[{]|\w+=)/)[0] ?? ''))
  expect(told.filter(request => !served.includes(request))).toEqual([])
  expect(served.filter(request => !told.includes(request))).toEqual([])
})

test('every tool of an agent is in the README', () => {
  const rows = tableUnder('For agents: MCP').map(([cell = '']) => cell)
  expect(Object.keys(TOOL_ARGUMENTS).filter(name => !rows.some(row => row.includes(`\`${name}\``)))).toEqual([])
})

test('the size of the helpers that an installation puts on a device is stated', () => {
  const folder = join(ROOT, 'dist/helper')
  const apks = readdirSync(folder).filter(name => name.endsWith('.apk'))
  const bytes = apks.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(apks).toHaveLength(2)
  expect(readme).toContain(`two packages, ${Math.round(bytes / 1_000)} KB,`)
})
