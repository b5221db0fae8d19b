/** Variables, codes, scripts, files and tools that the documents name are there, and those that are there are named. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TOOL_ARGUMENTS } from '../../../src/contracts/doors/mcp.ts'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { failureHint } from '../../../src/contracts/failures/failure-hints.ts'
import { FAILURES } from '../../../src/contracts/failures/failures.ts'
import { actsOf } from '../../../src/service/policy/evaluate-policy.ts'
import { ENVIRONMENT } from '../../../src/surfaces/cli/environment.ts'
import { ROOT, sourcesUnder } from '../../architecture/sources.ts'
import { DOCUMENTS, page, spans, spansOf } from './documents.ts'

const sources = sourcesUnder('src').filter(({ path }) => path !== 'src/surfaces/cli/environment.ts')
const listed = Object.values(ENVIRONMENT).flatMap(variables => variables.flatMap(({ names }) => names))

test('every environment variable that the code reads is listed', () => {
  const variables = sources.flatMap(({ code }) =>
    [...code.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
  )
  expect(variables.length).toBeGreaterThan(0)
  expect(variables.filter(name => !listed.includes(name) && name !== 'HOME')).toEqual([])
})

/** Some are read by a name that a table holds. */
const isRead = (name: string) => sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))

test('every environment variable that is listed is read', () => {
  expect(listed.length).toBeGreaterThan(25)
  expect(listed.filter(name => !isRead(name))).toEqual([])
})

test('every environment variable of a sentence is one that is listed, or one of the tests', () => {
  const named = spans.filter(span => /^SVC_[A-Z_]+$/.test(span))
  const soak = ['CLICKS', 'SKILL_RUNS', 'FLOWS', 'LIVES', 'SESSIONS'].map(kind => `SVC_SOAK_${kind}`)
  const tests = ['SVC_TRIALS', 'SVC_SEED', 'SVC_CHAOS_SECONDS', ...soak]
  expect([...new Set(named)].filter(name => !listed.includes(name) && !tests.includes(name))).toEqual([])
})

test('every code that a sentence names is one that svc answers', () => {
  const codes = spans.filter(
    span => /^(?!SVC_|MAESTRO_|ANDROID_[AHSU])[A-Z]+(?:_[A-Z]+)+$/.test(span) && !listed.includes(span),
  )
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter(code => !Object.hasOwn(FAILURES, code))).toEqual([])
})

test('every code has an entry in the troubleshooting, with something to do', () => {
  const entries = page('troubleshooting')
    .split(/^#### /m)
    .slice(1)
  expect(entries.map(text => text.split('\n', 1)[0]).sort()).toEqual(Object.keys(FAILURES).sort())
  expect(entries.filter(text => !/^What to do: \S.*\.$/m.test(text))).toEqual([])
})

test('a code that is certain to have done nothing does not send a reader to a receipt', () => {
  const certain = Object.entries(FAILURES).filter(([, { mayHaveExecuted }]) => !mayHaveExecuted)
  const codes = certain.map(([code]) => code as keyof typeof FAILURES)
  expect(codes.filter(code => failureHint(code).includes('before you repeat'))).toEqual([])
})

test('every npm script of the documents is one of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...DOCUMENTS.values()].flatMap(text =>
    [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
})

test('every tool of an agent is listed', () => {
  const rows = [...page('mcp').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(Object.keys(TOOL_ARGUMENTS).sort())
})

test('the size of the helpers that an installation puts on a device is stated', () => {
  const folder = join(ROOT, 'dist/helper')
  const apks = readdirSync(folder).filter(name => name.endsWith('.apk'))
  const bytes = apks.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(apks).toHaveLength(2)
  expect(page('devices')).toContain(`two packages, ${Math.round(bytes / 1_000)} KB,`)
})

test('each action that others contain has one row, with all that contain it', () => {
  const section = page('policy').split('## Actions that contain others')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+) \|$/gm)].map(([, first = '', second = '']) => [first, second])
  const names = rows.flatMap(([first = '']) => spansOf(first))
  expect(names.length).toBeGreaterThan(8)
  expect(new Set(names).size).toBe(names.length)
  const held = (name: string) => rows.find(([first = '']) => spansOf(first).includes(name))?.[1] ?? ''
  const types = ['open_uri', 'install_app', 'uninstall_app', 'clear_app', 'restore_settings', 'measure_startup']
  for (const type of [...types, 'read_page', 'change_page', 'page_script']) {
    const [act] = actsOf({ id: 'a', type, params: {} } as Action)
    for (const part of act?.contains ?? []) expect(spansOf(held(part)), `${part} in ${type}`).toContain(type)
  }
})
