/** What each call loads: help, usage errors and plans must not pay for the debug bridge, the journal or the server. */
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, runCli } from '../../../support/cli/run-cli.ts'
import { rememberScreen, seenNode } from '../../../support/cli/seen-home.ts'
import { startServe } from '../../../support/cli/serve.ts'
import { type SvcLab, startSvcLab } from '../../../support/cli/svc-lab.ts'
import { programPath } from '../../../support/run-program.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-loaded-')
const HOOK = process.env.SVC_TEST_LOADED_HOOK ?? programPath('loaded-files')

/** Of their modules those are loaded that were evaluated, which the hook names. */
const BUNDLE = join(CLI, '..', 'heavy.cjs')

/** The source files inside a bundle: named by its source map, else by the comments that the bundler leaves. */
const sourcesOf = (file: string): string[] => {
  if (file === BUNDLE) return []
  const map = `${file}.map`
  if (existsSync(map)) return (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources
  return [...readFileSync(file, 'utf8').matchAll(/^ *\/\/ ((?:[\w.-]+\/)+[\w@.-]+\.[cm]?[jt]s)$/gm)].map(
    ([, path = '']) => path,
  )
}

let count = 0

const sourcesIn = (list: string) => {
  const names = [...new Set(readFileSync(list, 'utf8').trim().split('\n'))].filter(file => file !== HOOK)
  const [files, modules] = [names.filter(isAbsolute), names.filter(name => !isAbsolute(name))]
  const ours = files.filter(file => file.startsWith(join(CLI, '..')))
  return { files, sources: [...files, ...modules, ...ours.flatMap(sourcesOf)] }
}

const loadedBy = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const list = join(folder(), `loaded-${count++}`)
  const { code } = await runCli(args, { env: { LOADED_FILES: list, ...env }, node: ['--import', HOOK] })
  return { code, ...sourcesIn(list) }
}

const HEAVY = [
  '@yume-chan',
  '@nats-io',
  'libsql',
  'xstate',
  'hono',
  '@modelcontextprotocol',
  '@nats-io',
  'src/device/link/',
  'src/fleet/',
  'src/surfaces/http/',
  'machines/device/device.ts',
  'src/device/operators/',
  'src/service/executions/run/',
  'src/runtime/journal/',
  'src/start/command.ts',
  'src/simulator/',
  'src/surfaces/webdriver/',
]

/** All that a proxied command reads before it has asked. Some 1,600 of it find compiled code and refuse what is damaged, of another Node or another user. */
const QUICK_BYTES_MAX = 83_600

const heavyIn = (sources: readonly string[]) => HEAVY.filter(name => sources.some(source => source.includes(name)))

const payload = JSON.stringify({
  commandId: 'c',
  taskId: 't',
  source: 's',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 5_000,
  actions: [{ id: 'a', type: 'sleep', params: { durationMs: 1 } }],
})

const registry = fileURLToPath(new URL('../../../fixtures/skills/skills-registry.json', import.meta.url))

describe('nothing heavy is loaded by', () => {
  test.each<[number, string[]]>([
    [0, ['--version']],
    [0, ['--help']],
    [0, ['help', 'serve']],
    [0, ['exec', payload, '--validate-only']],
    [0, ['click', '--text', 'OK', '--dry-run']],
    [1, ['clck']],
    [1, ['exec', '{}']],
    [0, ['completion', 'bash']],
    [0, ['skills', 'list', '--registry', registry]],
    [0, ['skills', 'search', 'battery', '--registry', registry]],
    [0, ['skills', 'validate', '--all', '--dry-run', '--registry', registry]],
    [1, ['skills', 'run']],
  ])('exit %d: svc %j', async (expected, args) => {
    const { code, sources } = await loadedBy(args)
    expect(code).toBe(expected)
    expect(sources).toEqual(expect.arrayContaining([expect.stringContaining('src/surfaces/cli/main.ts')]))
    expect(heavyIn(sources)).toEqual([])
  })
})

describe('the journal is read without what writes it, and no device is asked, by', () => {
  const BUNDLED = [
    '@yume-chan',
    '@nats-io',
    'xstate',
    'hono',
    '@modelcontextprotocol',
    'src/start/',
    'src/device/link/links.ts',
  ]
  const WRITERS = ['journal/writer.ts', 'journal/sqlite.ts', 'journal/open-file.ts']

  test.each([
    [['__complete', '--', 'click', '']],
    [['__complete', '--', 'executions', 'show', '']],
    [['__complete', '--', 'back', '--device', '']],
    [[]],
  ])('svc %j', async args => {
    const home = mkdtempSync(join(folder(), 'seen-'))
    await rememberScreen(home, [seenNode('OK')])
    const { code, files, sources } = await loadedBy(args, { SVC_HOME: home, ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' })
    expect(code).toBe(0)
    expect(files).not.toContain(BUNDLE)
    const found = [...BUNDLED, ...WRITERS].filter(name => sources.some(source => source.includes(name)))
    expect(found).toEqual([])
  })
})

test('a call that needs devices loads the debug bridge, and neither server nor simulator', async () => {
  const { code, sources } = await loadedBy(['devices'], { HOME: folder(), SVC_TCP_DEVICES: '127.0.0.1:1' })
  expect(code).toBe(0)
  const heavy = heavyIn(sources)
  // This also shows that the names above are those by which the parts would be found.
  expect(heavy).toEqual(expect.arrayContaining(['@yume-chan', 'src/device/link/', 'src/start/command.ts']))
  expect(heavy).not.toContain('hono')
  expect(heavy).not.toContain('@modelcontextprotocol')
  expect(heavy).not.toContain('@nats-io')
  expect(sources.filter(source => /src\/simulator\/(simulated-phones|device|scenario)/.test(source))).toEqual([])
})

test('an execution without a daemon loads nothing that serves', async () => {
  const env = { HOME: folder(), SVC_TCP_DEVICES: '127.0.0.1:1' }
  const { files, sources } = await loadedBy(['snapshot', '--no-daemon'], env)
  expect(files).toContain(BUNDLE)
  const heavy = heavyIn(sources)
  expect(heavy).toEqual(
    expect.arrayContaining(['@yume-chan', 'libsql', 'xstate', 'src/device/link/', 'src/start/command.ts']),
  )
  for (const name of ['hono', '@modelcontextprotocol', '@nats-io', 'src/surfaces/http/', 'src/fleet/'])
    expect(heavy).not.toContain(name)
})

describe('through a warm daemon', () => {
  let lab: SvcLab
  beforeAll(async () => {
    lab = await startSvcLab()
    await lab.svc(['back'])
  })
  afterAll(() => lab.close())

  test.each<[string[]]>([
    [['snapshot']],
    [['screenshot']],
    [['click', '--coordinate', '5', '5']],
    [['exec', payload]],
    [['open', 'com.android.settings', '--timeout', '9000', '--log-level', 'info']],
  ])('svc %j loads cac as its only package, and little of ours', async args => {
    const { code, files, sources } = await loadedBy(args, lab.env)
    expect(code).toBe(0)
    const packages = sources.flatMap(source => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
    expect([...new Set(packages)]).toEqual(['cac'])
    expect(heavyIn(sources)).toEqual([])
    expect(sources.filter(source => /machines\/(?!dispatch\/dispatch-table)/.test(source))).toEqual([])
    expect(files.filter(file => file.includes(join('dist', 'quick'))).length).toBeLessThanOrEqual(3)
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(QUICK_BYTES_MAX)
    expect(lab.daemons()).toHaveLength(1)
  })

  test('svc test loads the simulator for phones of its own alone', async () => {
    const flow = join(folder(), 'back.yaml')
    writeFileSync(flow, 'appId: com.android.settings\n---\n- back\n')
    const simulatorOf = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
      const { code, sources } = await loadedBy(['test', flow, ...args], env)
      expect(code).toBe(0)
      return sources.filter(source => /src\/simulator\/(?!services\.ts)/.test(source))
    }
    expect(await simulatorOf(lab.env)).toEqual([])
    expect(await simulatorOf({ HOME: folder() }, '--simulate')).not.toEqual([])
  })
})

test('a skill that runs where no device can be loads no debug bridge', async () => {
  const skill = ['com.android.settings.open-row', '--registry', registry]
  const env = { HOME: folder(), ADB_SERVER_SOCKET: `localfilesystem:${folder()}/no-server` }
  const { sources } = await loadedBy(['skills', 'run', ...skill], env)
  const heavy = heavyIn(sources)
  expect(heavy).toEqual(expect.arrayContaining(['libsql', 'xstate']))
  for (const name of ['@yume-chan', 'hono', 'src/operator/', 'src/start/command.ts']) expect(heavy).not.toContain(name)
})

test('svc --version loads the thin entry alone', async () => {
  const { files } = await loadedBy(['--version'])
  expect(files.filter(file => file.startsWith(join(CLI, '..')))).toEqual([CLI])
})

test('doctor loads what speaks to NATS for a fleet, and for nothing else', async () => {
  const env = { HOME: folder(), SVC_TCP_DEVICES: '127.0.0.1:1' }
  expect(heavyIn((await loadedBy(['doctor'], env)).sources)).not.toContain('@nats-io')
  expect(heavyIn((await loadedBy(['doctor', '--fleet', '127.0.0.1:1'], env)).sources)).toContain('@nats-io')
})

test('a server loads what speaks to other hosts for a fleet only, and sessions for WebDriver only', async () => {
  const list = join(folder(), 'loaded-by-serve')
  const serving = await startServe({
    env: { HOME: folder(), LOADED_FILES: list, SVC_TCP_DEVICES: '127.0.0.1:1' },
    node: ['--import', HOOK],
  })
  await serving.end()
  const { sources } = sourcesIn(list)
  expect(heavyIn(sources)).toEqual(expect.arrayContaining(['hono', 'src/surfaces/http/']))
  for (const name of [
    '@nats-io',
    'src/start/fleet.ts',
    'src/fleet/exchange/ask.ts',
    'src/start/webdriver.ts',
    'src/surfaces/webdriver/session/',
    'src/device/screen/locators/',
  ])
    expect(sources.filter(source => source.includes(name))).toEqual([])
})
