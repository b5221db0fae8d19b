/** The compiled pieces: taken where they were built, and no condition for anything. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openCode } from '../../../src/surfaces/cli/code-cache.ts'
import { CLI } from '../../support/cli/run-cli.ts'
import { spawnOther } from '../../support/cli/spawn-other.ts'
import { plainEnv } from '../../support/run-program.ts'

// Native packages are found from within the repository only.
const CACHE = 'node_modules/.cache'
mkdirSync(CACHE, { recursive: true })
const copies = mkdtempSync(join(CACHE, 'svc-code-'))
afterAll(() => rmSync(copies, { recursive: true, force: true }))
const folder = () => copies
const DIST = dirname(CLI)
const QUICK = join(DIST, 'quick')
const HEAVY_FILES = ['heavy.cjs', 'execution.cjs']
const codeIn = (quick: string) => readdirSync(quick).filter(name => name.endsWith('.code'))

test('every piece is ASCII, as they are decoded', () => {
  for (const name of [...HEAVY_FILES, ...readdirSync(QUICK).map(name => join('quick', name))]) {
    if (name.endsWith('.cjs'))
      expect(
        readFileSync(join(DIST, name)).every(byte => byte < 128),
        name,
      ).toBe(true)
  }
})

test('the Node that made them takes them, and those of the heavy half', () => {
  const check = `
    const { readFileSync } = require('fs')
    const rejected = JSON.parse(process.argv[1]).filter(([code, bytes]) => {
      const source = '(function (exports, require, module) {' + readFileSync(code.slice(0, -5), 'latin1') + '\\n})'
      const cachedData = readFileSync(code).subarray(0, bytes)
      return new (require('vm').Script)(source, { cachedData }).cachedDataRejected
    })
    console.log(JSON.stringify(rejected))`
  const pieces = [QUICK, join(DIST, 'heavy'), DIST].flatMap(place => codeIn(place).map(name => join(place, name)))
  for (const name of HEAVY_FILES) expect(pieces).toContain(join(DIST, `${name}.code`))
  const codes = pieces.map(piece => {
    const code = openCode(readFileSync(piece.slice(0, -'.code'.length)), readFileSync(piece))
    expect(code, piece).toBeDefined()
    return [piece, code?.length]
  })
  const said = execFileSync(process.execPath, ['-e', check, JSON.stringify(codes)], {
    env: plainEnv(),
    encoding: 'utf8',
  })
  expect(JSON.parse(said)).toEqual([])
})

describe('what they do is the same', () => {
  const copy = (name: string) => {
    const to = join(folder(), name)
    cpSync(CLI, join(to, 'svc.cjs'))
    for (const part of ['quick', 'heavy', ...HEAVY_FILES.flatMap(name => [name, `${name}.code`])])
      cpSync(join(DIST, part), join(to, part), { recursive: true })
    return to
  }
  const flipped = (bytes: Buffer, at: number) => bytes.map((byte, place) => (place === at ? ~byte : byte))
  /** Each file is damaged in a way of its own. */
  const DAMAGES: readonly ((file: string) => void)[] = [
    file => writeFileSync(file, flipped(readFileSync(file), 40)),
    file => writeFileSync(file, readFileSync(file).fill(0, statSync(file).size >> 2, statSync(file).size >> 1)),
    file => writeFileSync(file, ''),
    file => writeFileSync(file, readFileSync(file).subarray(0, 1_000)),
    // Of another V8.
    file =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, at) => (at < 16 ? ~byte : byte)),
      ),
  ]
  test.each<[string, (file: string, at: number) => void]>([
    ['without them', file => rmSync(file)],
    ['with damaged ones', (file, at) => DAMAGES[at % DAMAGES.length]?.(file)],
    ['with damaged ones, each in another way', (file, at) => DAMAGES[(at + 2) % DAMAGES.length]?.(file)],
  ])('%s', async (name, damage) => {
    const to = copy(name)
    for (const place of [join(to, 'quick'), to])
      for (const [at, code] of codeIn(place).entries()) damage(join(place, code), at)
    for (const args of [
      ['press', 'home', '--validate-only'],
      ['exec', '{}'],
      ['snapshot', '--dry-run', '--timeout', 'x'],
      ['executions', 'list'],
      ['devices'],
      ['back'],
    ]) {
      const env = { SVC_NO_DAEMON: '1', SVC_HOME: join(to, 'home'), SVC_TCP_DEVICES: '127.0.0.1:1' }
      const [ours, theirs] = await Promise.all([spawnOther(CLI, args, env), spawnOther(join(to, 'svc.cjs'), args, env)])
      const timeless = ({ stdout, ...rest }: typeof ours) => ({ ...rest, stdout: stdout.replace(/\d{13}/g, 'T') })
      expect(timeless(theirs)).toEqual(timeless(ours))
      expect(ours.stderr).toBe('')
    }
  })
})
