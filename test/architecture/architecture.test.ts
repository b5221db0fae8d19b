/** The rules that keep the house as it was drawn. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROOT, type Source, sourcesUnder } from './sources.ts'

const sources = sourcesUnder('src', 'machines', 'statecharts')
const paths = new Set(sources.map(source => source.path))

/** The room a file belongs to: `machines`, or the folder under `src`. */
const roomOf = (path: string): string => {
  const [top, second] = path.split('/')
  if (top !== 'src') return top ?? ''
  return second?.endsWith('.ts') ? second : (second ?? '')
}

const DRIVERS = [
  'policy',
  'adb',
  'operator',
  'executions',
  'skills',
  'emulators',
  'recordings',
  'reservations',
  'daemon',
  'install',
  'fleet',
  'simulator',
  'flows',
  'workers',
]
const BASE = ['contracts', 'machines', 'runtime']

/** Which rooms a room may import from, besides itself. */
const ALLOWED: Record<string, readonly string[]> = {
  contracts: [],
  machines: ['contracts'],
  runtime: ['contracts', 'machines'],
  ...Object.fromEntries(DRIVERS.map(driver => [driver, [...BASE, 'adb', 'workers', 'policy']])),
  workers: ['contracts'],
  policy: ['contracts', 'runtime'],
  reservations: [...BASE, 'adb'],
  executions: [...BASE, 'adb', 'operator', 'policy', 'reservations', 'workers'],
  fleet: [...BASE, 'adb', 'policy', 'reservations', 'workers'],
  simulator: [...BASE, 'adb', 'operator', 'workers'],
  flows: [...BASE, 'adb', 'operator', 'executions', 'reservations', 'workers'],
  skills: [...BASE, 'adb', 'executions', 'policy', 'reservations', 'workers'],
  viewer: [...BASE, 'executions', 'operator', 'statecharts'],
  service: [...BASE, ...DRIVERS, 'viewer'],
  transports: [...BASE, 'fleet', 'skills', 'service'],
  mcp: [...BASE, 'adb', 'operator', 'executions', 'policy', 'skills', 'flows', 'emulators', 'service', 'statecharts'],
  webdriver: [...BASE, ...DRIVERS, 'service'],
  http: [...BASE, ...DRIVERS, 'service', 'transports', 'mcp', 'webdriver', 'viewer'],
  cli: [...BASE, ...DRIVERS, 'service', 'transports', 'http', 'mcp', 'webdriver', 'viewer'],
  roots: [...BASE, ...DRIVERS, 'service', 'http', 'mcp', 'webdriver', 'viewer', 'cli'],
  demo: [...BASE, ...DRIVERS, 'http', 'cli', 'roots'],
  // Of contracts, runtime and daemon only what needs no package: test/surfaces/library/size.test.ts looks into the bundle.
  client: ['contracts', 'runtime', 'daemon', 'simulator'],
  docs: ['contracts', 'operator', 'cli', 'mcp', 'webdriver'],
  statecharts: ['machines', 'contracts'],
}

/** A process begins in the CLI, so these files of it reach the roots. */
const ENTERS_ROOTS = ['src/surfaces/cli/start.ts', 'src/surfaces/cli/skills/run.ts']

/** Packages that only some rooms may use. */
const PACKAGES: Record<string, readonly string[]> = {
  valibot: [
    'contracts',
    'policy',
    'executions',
    'skills',
    'http',
    'simulator',
    'cli',
    'daemon',
    'emulators',
    'recordings',
    'operator',
    'mcp',
    'fleet',
    'service',
    'webdriver',
  ],
  '@valibot/to-json-schema': ['contracts'],
  xstate: ['machines', 'runtime', 'statecharts', 'viewer'],
  libsql: ['runtime'],
  'state-machine-cat': ['statecharts'],
  hono: ['http', 'daemon'],
  '@hono/node-server': ['http', 'daemon'],
  ws: ['http'],
  '@nats-io/transport-node': ['fleet'],
  '@nats-io/jetstream': ['fleet'],
  '@nats-io/kv': ['fleet'],
  cac: ['cli'],
  '@modelcontextprotocol/server': ['mcp'],
  tinypool: ['workers'],
  'playwright-core': ['demo'],
  '@faker-js/faker': ['flows'],
  'fast-png': ['flows', 'operator'],
  marked: ['docs'],
  preact: ['viewer'],
  '@preact/signals': ['viewer'],
  'eventsource-parser': ['viewer', 'demo'],
  'node-pty': ['skills'],
  vitest: ['client'],
  xpath: ['webdriver'],
  yaml: ['flows'],
  '@yume-chan/adb': ['adb', 'simulator'],
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What a file imports against the directions, each as a line of the failure. */
const strayImports = ({ path, imports }: Source): string[] => {
  const room = roomOf(path)
  const allowed = ALLOWED[room]
  if (!allowed) return [`${path}: ${room} is a room that the drawing does not know`]
  return imports.flatMap(({ specifier, path: target }) => {
    if (target === undefined) {
      const known = specifier.startsWith('node:') || PACKAGES[packageOf(specifier)]?.includes(room)
      return known ? [] : [`${path} (${room}) imports ${specifier}`]
    }
    if (!paths.has(target)) return [`${path} imports ${specifier}, which is not a source file`]
    const other = roomOf(target)
    const enters = other === 'roots' && ENTERS_ROOTS.includes(path)
    return other === room || allowed.includes(other) || enters ? [] : [`${path} (${room}) -> ${target} (${other})`]
  })
}

describe('directions', () => {
  test('a file imports only what its room may', () => expect(sources.flatMap(strayImports)).toEqual([]))

  test('there are no import cycles', () => {
    const graph = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.filter(found => !found.typeOnly && found.path).map(found => found.path as string),
      ]),
    )
    const done = new Set<string>()
    const visit = (path: string, trail: readonly string[]): string[] => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
      if (done.has(path)) return []
      for (const next of graph.get(path) ?? []) {
        const cycle = visit(next, [...trail, path])
        if (cycle.length > 0) return cycle
      }
      done.add(path)
      return []
    }
    expect([...graph.keys()].map(path => visit(path, [])).find(cycle => cycle.length > 0) ?? []).toEqual([])
  })
})

describe('rules', () => {
  const offenders = (holds: (source: Source) => boolean) =>
    sources.filter(source => !holds(source)).map(({ path }) => path)

  test('a file has at most 300 lines, unless it is generated', () => {
    const isGenerated = (path: string) => path === 'src/surfaces/library/shapes.ts'
    expect(offenders(({ path, text }) => isGenerated(path) || text.split('\n').length - 1 <= 300)).toEqual([])
  })

  test('a file opens with a sentence on what it owns', () => {
    expect(offenders(({ text }) => /^(#!.*\n)?(\/\*\*[\s*]*|\/\/ ?)\S/.test(text))).toEqual([])
  })

  const only = (name: string, pattern: RegExp, allowed: (path: string) => boolean) => {
    test(name, () => expect(offenders(({ path, code }) => allowed(path) || !pattern.test(code))).toEqual([]))
  }

  only(
    'environment and arguments are read in the CLI and the entry points only',
    /\bprocess\.(env|argv)\b/,
    path =>
      /^src\/(cli|demo|docs)\//.test(path) ||
      ['statecharts/main.ts', 'src/surfaces/library/environment.ts'].includes(path),
  )
  only(
    'process.exit is called in the CLI entry only',
    /\bprocess\.(exit|abort)\(/,
    path => path === 'src/surfaces/cli/main.ts',
  )
  only(
    'only the clock knows the time',
    /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bset(Timeout|Interval)\(|\bhrtime\b/,
    // A page has its own, and a program that pages evaluate uses that.
    path => ['src/runtime/clock.ts', 'src/surfaces/viewer/time.ts', 'src/device/pages/program/acts.ts'].includes(path),
  )
  only('machines are pure', /\bMath\.random\(|\brandomUUID\(/, path => !path.startsWith('machines/'))
  only('there are no default exports', /^export default\b/m, () => false)
  only('there is no any', /\bas any\b|: any\b|<any>/, path => path === 'src/runtime/port.ts')
})

test('the top level holds nothing that was not agreed on', () => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(entry => entry.name)
  const agreed = ['src', 'machines', 'test', 'statecharts', 'docs', 'node_modules', 'dist']
  expect(folders.filter(folder => !agreed.includes(folder))).toEqual([])
})
