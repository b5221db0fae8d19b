/** Compiled code: made by those who run `svc`, used by those who run it again, and no condition for anything. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLI, runCli } from '../../support/cli/run-cli.ts'
import { startServe } from '../../support/cli/serve.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const place = temporary('svc-code-')
const DIST = dirname(CLI)

test('every piece is ASCII, as they are decoded', () => {
  for (const name of ['heavy.cjs', ...readdirSync(join(DIST, 'quick')).map(name => join('quick', name))]) {
    if (name.endsWith('.cjs'))
      expect(
        readFileSync(join(DIST, name)).every(byte => byte < 128),
        name,
      ).toBe(true)
  }
})

test('the build has no compiled code', () => {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  expect(files.filter(name => name.endsWith('.code'))).toEqual([])
})

let count = 0
const newHome = (): string => {
  const home = join(place(), `home-${count++}`)
  mkdirSync(home, { mode: 0o700 })
  return home
}

const ARGS = ['executions', 'list']
const call = (home: string, args: readonly string[] = ARGS, more: NodeJS.ProcessEnv = {}, node: string[] = []) =>
  runCli(args, { env: { SVC_HOME: home, SVC_CACHE_DIR: undefined, SVC_TCP_DEVICES: '127.0.0.1:1', ...more }, node })

/** The files of code with what tells one writing from another. */
const codeIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map(name => {
      const { ino, mtimeMs, size } = statSync(join(folder, name))
      return [name, `${ino} ${mtimeMs} ${size}`]
    }),
  )

/** Until a call has nothing to add: each adds a little. */
const warmed = async (home: string, args: readonly string[] = ARGS): Promise<string> => {
  const folder = join(home, 'cache')
  let before: Record<string, string> | undefined
  for (;;) {
    await call(home, args)
    const now = codeIn(folder)
    if (JSON.stringify(now) === JSON.stringify(before)) return folder
    before = now
  }
}

test('the first call keeps code, and later ones use it and leave it as it is', async () => {
  const folder = await warmed(newHome())
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).some(name => name.startsWith('heavy-'))).toBe(true)
})

test('the output is the same without code, with it, and with damaged code, which is replaced', async () => {
  const home = newHome()
  const folder = await warmed(home)
  const timeless = ({ stdout, stderr, code }: Awaited<ReturnType<typeof call>>) => ({
    stdout: stdout.replace(/\d{13}/g, 'T'),
    stderr,
    code,
  })
  const flipped = (bytes: Buffer, at: number) => bytes.map((byte, index) => (index === at ? ~byte : byte))
  const damages: readonly ((bytes: Buffer) => Uint8Array)[] = [
    bytes => flipped(bytes, 40),
    bytes => Buffer.from(bytes).fill(0, bytes.length >> 2, bytes.length >> 1),
    () => Buffer.alloc(0),
    bytes => bytes.subarray(0, 1_000),
    // Of another V8.
    bytes => bytes.map((byte, at) => (at < 16 ? ~byte : byte)),
  ]
  for (const args of [ARGS, ['press', 'home', '--validate-only'], ['exec', '{}'], ['devices'], ['back']]) {
    const [cold, warm] = await Promise.all([call(home, args, { SVC_CACHE_DIR: '' }), call(home, args)])
    expect(timeless(warm), args.join(' ')).toEqual(timeless(cold))
    for (const [at, name] of readdirSync(folder).entries()) {
      const file = join(folder, name)
      writeFileSync(file, damages[(at + args.length) % damages.length]?.(readFileSync(file)) ?? '')
    }
    const damaged = codeIn(folder)
    expect(timeless(await call(home, args)), `${args.join(' ')} with damaged code`).toEqual(timeless(cold))
    expect(codeIn(folder), 'some of it is replaced').not.toEqual(damaged)
  }
})

test('a Node with other flags has code of its own', async () => {
  const home = newHome()
  const folder = await warmed(home)
  const before = codeIn(folder)
  expect((await call(home, ARGS, {}, ['--max-lazy'])).code).toBe(0)
  const after = codeIn(folder)
  expect(after).toMatchObject(before)
  expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length)
})

test('processes that begin at once do each other no harm', async () => {
  const home = newHome()
  const ended = await Promise.all(Array.from({ length: 4 }, () => call(home)))
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']))
  const folder = await warmed(home)
  expect(readdirSync(folder).filter(name => !name.endsWith('.code'))).toEqual([])
})

test('a server keeps its code while it is idle', async () => {
  const home = newHome()
  const server = await startServe({ env: { SVC_HOME: home, SVC_CACHE_DIR: undefined } })
  try {
    const hasHeavy = () =>
      readdirSync(home).includes('cache') && /\bheavy-/.test(readdirSync(join(home, 'cache')).join())
    await until(hasHeavy, 'the code of the heavy half', 30_000)
  } finally {
    await server.end()
  }
})

describe('nothing is kept, and nothing is said of it', () => {
  const expectQuiet = async (home: string, more: NodeJS.ProcessEnv = {}) =>
    expect(await call(home, ['devices'], more)).toMatchObject({ code: 0, stderr: '' })

  test('without a home: commands that keep nothing make none', async () => {
    const home = join(place(), 'none')
    await expectQuiet(home)
    expect(readdirSync(place())).not.toContain('none')
  })

  test('with SVC_CACHE_DIR blank', async () => {
    const home = newHome()
    await expectQuiet(home, { SVC_CACHE_DIR: '' })
    expect(readdirSync(home)).toEqual([])
  })

  test('in a home that is read-only, or on a full disk', async context => {
    const disk = smallDisk()
    if (!disk) return context.skip()
    try {
      disk.makeReadOnly()
      await expectQuiet(disk.path)
      expect(readdirSync(disk.path)).toEqual([])
    } finally {
      disk.remove()
    }
  })

  test('where a file has the place of the folder', async () => {
    const home = newHome()
    writeFileSync(join(home, 'cache'), '')
    await expectQuiet(home)
    expect(readFileSync(join(home, 'cache'), 'utf8')).toBe('')
  })

  test('in a folder that others can write', async () => {
    const home = newHome()
    mkdirSync(join(home, 'cache'))
    chmodSync(join(home, 'cache'), 0o777)
    await expectQuiet(home)
    expect(readdirSync(join(home, 'cache'))).toEqual([])
  })
})
