/** The rules that keep the house as it was drawn: ARCHITECTURE.md tells of it. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROOT, type Source, sourcesUnder } from './sources.ts'
import { INTO_DEVICES, INTO_SIMULATOR } from './surface-imports.ts'

const sources = sourcesUnder('src', 'machines', 'statecharts')
const paths = new Set(sources.map(source => source.path))

/** The floors from the ground up. Those that stand beside each other do not import each other. */
const FLOORS = [
  ['contracts'],
  ['machines'],
  ['runtime', 'statecharts'],
  ['device'],
  ['service', 'simulator'],
  ['fleet'],
  ['surfaces'],
  ['start'],
  ['build'],
]

const floorOf = (path: string): string => {
  const [top = '', second = ''] = path.split('/')
  return top === 'src' ? second : top
}

const heightOf = (floor: string): number => FLOORS.findIndex(floors => floors.includes(floor))

/** A process begins in the CLI, so these files of it compose its services. */
const BEGINNINGS = ['src/surfaces/cli/start.ts', 'src/surfaces/cli/skills/run.ts']

/** The surface of a file; the files beside the surfaces are types that several of them share. */
const surfaceOf = (path: string): string | undefined => /^src\/surfaces\/(\w+)\//.exec(path)?.[1]

/** HTTP mounts the surfaces that speak over it, and the daemon is a process that the CLI and the library call. */
const SURFACE_PAIRS = ['cli -> daemon', 'http -> daemon', 'http -> mcp', 'http -> webdriver', 'library -> daemon']

/** Packages, and the folders that may use them. */
const PACKAGES: Record<string, readonly string[]> = {
  valibot: [
    'src/contracts',
    'src/device/operators',
    'src/device/pages',
    'src/fleet',
    'src/service',
    'src/simulator',
    'src/surfaces/cli',
    'src/surfaces/http',
    'src/surfaces/mcp',
    'src/surfaces/webdriver',
  ],
  '@valibot/to-json-schema': ['src/contracts'],
  xstate: ['machines', 'src/runtime', 'statecharts', 'src/surfaces/viewer'],
  libsql: ['src/runtime/journal'],
  'state-machine-cat': ['statecharts'],
  hono: ['src/surfaces/http', 'src/surfaces/webdriver'],
  '@hono/node-server': ['src/surfaces/http'],
  ws: ['src/surfaces/http'],
  '@nats-io/transport-node': ['src/fleet'],
  '@nats-io/jetstream': ['src/fleet'],
  '@nats-io/kv': ['src/fleet'],
  cac: ['src/surfaces/cli'],
  uqr: ['src/surfaces/cli'],
  '@modelcontextprotocol/server': ['src/surfaces/mcp'],
  tinypool: ['src/runtime/threads'],
  'playwright-core': ['src/build/demo'],
  '@faker-js/faker': ['src/service/flows'],
  'fast-png': ['src/service/flows', 'src/device'],
  fflate: ['src/surfaces/webdriver'],
  marked: ['src/build/docs'],
  preact: ['src/surfaces/viewer'],
  '@preact/signals': ['src/surfaces/viewer'],
  'eventsource-parser': ['src/surfaces/viewer', 'src/build/demo'],
  'node-pty': ['src/service/skills'],
  vitest: ['src/surfaces/library'],
  xpath: ['src/device/screen'],
  yaml: ['src/service/flows'],
  '@yume-chan/adb': ['src/device/link', 'src/simulator'],
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)

interface Arrow {
  from: string
  to: string
}

const arrows: Arrow[] = sources.flatMap(({ path, imports }) =>
  imports.flatMap(({ path: target }) => (target === undefined ? [] : [{ from: path, to: target }])),
)

const textOf = ({ from, to }: Arrow) => `${from} -> ${to}`

describe('floors', () => {
  test('every file stands on a floor', () => {
    expect(sources.filter(({ path }) => heightOf(floorOf(path)) === -1).map(({ path }) => path)).toEqual([])
  })

  test('a file imports what stands below it', () => {
    const pointsUp = ({ from, to }: Arrow) =>
      floorOf(from) !== floorOf(to) &&
      heightOf(floorOf(to)) >= heightOf(floorOf(from)) &&
      !(BEGINNINGS.includes(from) && floorOf(to) === 'start')
    expect(arrows.filter(pointsUp).map(textOf)).toEqual([])
  })

  test('an import leads to a source file', () => {
    expect(arrows.filter(({ to }) => !paths.has(to)).map(textOf)).toEqual([])
  })

  test('a package is used where it belongs', () => {
    const strays = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, path: target }) => target === undefined && !specifier.startsWith('node:'))
        .filter(({ specifier }) => !PACKAGES[packageOf(specifier)]?.some(folder => isIn(path, folder)))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    )
    expect(strays).toEqual([])
  })

  test('surfaces import each other in at most six pairs', () => {
    const pairs = arrows.flatMap(({ from, to }) => {
      const [one, other] = [surfaceOf(from), surfaceOf(to)]
      return one === undefined || other === undefined || one === other ? [] : [`${one} -> ${other}`]
    })
    expect([...new Set(pairs)].sort()).toEqual(SURFACE_PAIRS)
    expect(SURFACE_PAIRS.length).toBeLessThanOrEqual(6)
  })

  test.each([
    ['device', INTO_DEVICES, 5],
    ['simulator', INTO_SIMULATOR, 13],
  ])('surfaces have no other imports into %s than these: the list only shrinks', (floor, known, count) => {
    const reaching = arrows.filter(({ from, to }) => floorOf(from) === 'surfaces' && floorOf(to) === floor)
    expect([...new Set(reaching.map(textOf))].sort()).toEqual(known)
    expect(known).toHaveLength(count)
  })

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
    const isGenerated = (path: string) => isIn(path, 'src/surfaces/library/generated')
    expect(offenders(({ path, text }) => isGenerated(path) || text.split('\n').length - 1 <= 300)).toEqual([])
  })

  test('a folder has two to forty files', () => {
    const folderOf = (path: string) => path.replace(/\/[^/]*$/, '')
    const folders = [...new Set([...paths].map(folderOf))]
    const filesIn = (folder: string) => [...paths].filter(path => folderOf(path) === folder).length
    const filesBelow = (folder: string) => [...paths].filter(path => isIn(path, folder)).length
    expect(folders.filter(folder => filesIn(folder) > 40 || filesBelow(folder) === 1)).toEqual([])
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
      ['src/surfaces/cli', 'src/build'].some(folder => isIn(path, folder)) ||
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

  test('one place finds the operator of a package name: nothing else compares or lists the names of built-in ones', () => {
    const knowsThem = [
      'src/contracts/device/operator.ts',
      ...['choose-operator', 'operators', 'traits'].map(name => `src/device/operators/${name}.ts`),
    ]
    const constant = '\\b(?:SHELL|UIAUTOMATOR)_OPERATOR_PACKAGE\\b'
    const comparison = new RegExp(
      `(?:[=!]==?|\\bcase)\\s*${constant}|${constant}\\s*[=!]==?|[[,(]\\s*${constant}\\s*[\\],)]`,
    )
    const compares = ({ text }: Source) =>
      /'svc\.(?:shell|uiautomator)'/.test(text) || comparison.test(text.replace(/^import\b[^']*'[^']*'/gm, ''))
    expect(offenders(source => knowsThem.includes(source.path) || !compares(source))).toEqual([])
  })

  only('there are no default exports', /^export default\b/m, () => false)
  only('there is no any', /\bas any\b|: any\b|<any>/, path => path === 'src/runtime/port.ts')
})

test('the root holds nothing that was not agreed on', () => {
  const agreed = [
    ...['src', 'machines', 'test', 'statecharts', 'docs', 'node_modules', 'dist'],
    ...['package.json', 'package-lock.json', 'tsconfig.json', 'biome.json', 'vitest.config.ts', 'LICENSE'],
    ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ]
  expect(readdirSync(ROOT).filter(name => !name.startsWith('.') && !agreed.includes(name))).toEqual([])
})
