/** The package as a library: packed, and used by projects that have nothing of ours but the tarball. */
import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/sources.ts'
import { programOnPath } from '../support/needs.ts'

const SETUP_MS = 240_000
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

let folder: string
let tarball: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-library-'))
  const npm = programOnPath('npm') ?? ''
  execFileSync(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, stdio: 'pipe' })
  tarball = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '')
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'svc'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'svc'), '--strip-components=1'])
  // What npm would install beside it: its own dependencies, which the library does not load.
  mkdirSync(join(modules, '@lydell'))
  for (const name of ['libsql', '@libsql', '@neon-rs', 'node-pty', 'detect-libc']) linkOurs(modules, name)
}, SETUP_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const linkOurs = (modules: string, name: string) => {
  try {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  } catch {
    // Some are there on some systems only.
  }
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const run = async (program: string, args: readonly string[]) => {
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: process.env.TMPDIR, NO_COLOR: '1' }
  try {
    const { stdout } = await promisify(execFile)(program, [...args], { cwd: folder, env, timeout: SETUP_MS })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

const CONSUMER = `
import { connect, SvcError, type Lease, type Phone, type Svc } from 'svc'
import { startPhones } from 'svc/simulator'

export const drive = async () => {
  const phones = await startPhones({ count: 1, scenario: { apps: [] } })
  const svc: Svc = await connect({ env: phones.env })
  const phone: Phone = svc.device(phones.devices[0]?.serial)
  const read: string = (await phone.read({ text: 'Pay', below: 'Total' }, { observe: true })).data.text
  const typed: string = (await phone.enterText({ matcher: { textEquals: 'a' }, text: 'b' })).data.text_length
  const lease: Lease = await svc.lease('any:android>=14', { forMs: 1000 })
  await lease.release()
  for await (const { eventId, seq } of svc.transitions({ after: 3 })) {
    const id: string = eventId
    const position: number = seq
    return [id, position, read, typed]
  }
  const { devices } = await svc.request('devices.list', {})
  const serials: string[] = devices.map(each => each.serial)
  // @ts-expect-error the action has no such param
  await phone.openApp({ application: 'x' })
  // @ts-expect-error there is no such request
  await svc.request('devices.nothing', {})
  // @ts-expect-error the data of a click are not those of a read
  void (await phone.click('Pay')).data.text
  return serials
}

export const outcome = (error: unknown): string => {
  if (!(error instanceof SvcError)) return 'other'
  switch (error.dispatched) {
    case true:
      return 'sent'
    case false:
      return 'not sent'
    case 'unknown':
      return error.executionId ?? 'unknown'
    default: {
      const never: never = error.dispatched
      return never
    }
  }
}
`

test('compiles in a strict project without our dependencies, and without the types of Node', {
  timeout: SETUP_MS,
}, async () => {
  write('esm.mts', CONSUMER)
  write('cjs.cts', CONSUMER)
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ]) {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      module,
      moduleResolution,
      noEmit: true,
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['esm.mts', 'cjs.cts'] }))
    expect(await run(bin('tsc'), ['-p', '.'])).toBe('')
  }
})

test('its declarations name no package but Vitest', () => {
  const types = join(folder, 'node_modules/svc/dist/lib/types')
  const named = readdirSync(types, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.d\.c?ts$/.test(name))
    .flatMap(name => [...readFileSync(join(types, name), 'utf8').matchAll(/(?:from |import\()['"]([^.'"][^'"]*)['"]/g)])
    .map(([, specifier]) => specifier)
  expect([...new Set(named)]).toEqual(['vitest'])
})

test('publint and attw find nothing', { timeout: SETUP_MS }, async () => {
  expect(await run(bin('publint'), ['--strict', tarball])).toContain('All good!')
  // Vitest itself is an ES module only; schemas are no modules.
  const schemas = ['--exclude-entrypoints', './schemas/*.json']
  await run(bin('attw'), [tarball, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', ...schemas])
})

test('runs as ES module, as CommonJS, and with both in one process', { timeout: SETUP_MS }, async () => {
  const body = `
  const phones = await startPhones()
  const svc = await connect({ env: phones.env })
  try {
    console.log((await svc.device().open('com.android.settings')).data.application_id)
    await svc.device().click('Nothing').catch(error => console.log(error instanceof SvcError, error.code, error.dispatched))
  } finally {
    await svc.close()
    await phones.close()
  }`
  const imports = `import { connect } from 'svc'\nimport { startPhones } from 'svc/simulator'\nimport { createRequire } from 'node:module'\nconst { SvcError } = createRequire(import.meta.url)('svc')`
  write('run.mjs', `${imports}\n${body}`)
  const requires = `const { connect, SvcError } = require('svc')\nconst { startPhones } = require('svc/simulator')`
  write('run.cjs', `${requires}\nconst main = async () => {${body}\n}\nmain()`)
  for (const file of ['run.mjs', 'run.cjs']) {
    expect(await run(process.execPath, [file])).toBe('com.android.settings\ntrue NODE_NOT_FOUND true\n')
  }
  write(
    'schema.mjs',
    `import schema from 'svc/schemas/Receipt.json' with { type: 'json' }\nimport scenario from 'svc/schemas/scenario.schema.json' with { type: 'json' }\nconsole.log(schema.type, scenario.type)`,
  )
  expect(await run(process.execPath, ['--no-warnings', 'schema.mjs'])).toBe('object object\n')
})

test('gives Vitest a phone for each scenario', { timeout: SETUP_MS }, async () => {
  for (const name of ['vitest', 'vite', '@vitest', 'esbuild', 'typescript'])
    linkOurs(join(folder, 'node_modules'), name)
  copyFileSync(join(ROOT, 'docs/examples/settings.test.mjs'), join(folder, 'settings.test.mjs'))
  write(
    'scoped.test.mjs',
    `import { test } from 'svc/vitest'
import { describe, expect } from 'vitest'
const app = { package: 'com.example.shop', label: 'Shop', screens: { home: { nodes: [{ text: 'Pay' }] } } }
const scenario = { apps: [app], front: 'com.example.shop' }
test('the default phone', async ({ phone, svc }) => {
  expect((await svc.apps.list(phone.deviceId)).some(each => each.applicationId === 'com.android.settings')).toBe(true)
})
describe('a shop', () => {
  test.scoped({ scenario })
  test('another phone', async ({ phone }) => {
    expect((await phone.snapshot({ format: 'compact' })).data.text).toContain('Pay')
  })
})`,
  )
  const said = await run(bin('vitest'), ['run', '--root', folder, '--reporter', 'verbose', '--globals', 'false'])
  expect(said).toMatch(/Tests\s+3 passed/)
})

test('tells in Vitest what was on the screen of a test that failed', { timeout: SETUP_MS }, async () => {
  for (const name of ['vitest', 'vite', '@vitest', 'esbuild', 'typescript'])
    linkOurs(join(folder, 'node_modules'), name)
  write(
    'failing.test.mjs',
    `import { test } from 'svc/vitest'
import { expect } from 'vitest'
test('taps what is not there', async ({ phone }) => {
  await phone.open('com.android.settings')
  await phone.click({ text: 'Displai' })
})
test('expects another number', async ({ phone }) => {
  await phone.open('com.android.settings')
  expect(1).toBe(2)
})`,
  )
  const ran = run(bin('vitest'), ['run', '--root', folder, '--globals', 'false', 'failing.test.mjs'])
  const report = await ran.then(
    () => '',
    (error: Error) => error.message,
  )
  expect(report).toContain('Code: NODE_NOT_FOUND')
  expect(report).toMatch(/ Hint: \S/)
  expect(report).toMatch(/ Nearest on the screen:\n\s+@\S+ \S+ "Display"/)
  expect(report).toMatch(/expected 1 to be 2.*\n\s+On the screen:\n\s+@/)
  expect(report.match(/ In front: com\.android\.settings/g)?.length).toBeGreaterThanOrEqual(2)
  expect(report).toMatch(/ Execution: [0-9a-f]{8}-/)
  expect(report).not.toMatch(/`(GET|POST|DELETE) \//)
  const pictures = [...new Set(report.match(/(?<= Picture: ).*\.png/g))]
  expect(pictures).toHaveLength(2)
  for (const picture of pictures) expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
})
