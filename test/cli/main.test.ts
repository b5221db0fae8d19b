/** The compiled pieces: taken where they were built, and no condition for anything. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLI } from '../support/run-cli.ts'
import { plainEnv } from '../support/run-program.ts'
import { spawnOther } from '../support/spawn-other.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-code-')
const QUICK = join(dirname(CLI), 'quick')
const codeIn = (quick: string) => readdirSync(quick).filter(name => name.endsWith('.code'))

test.each(['quick', 'heavy'])('the Node that made them takes those of the %s half', half => {
  const pieces = join(dirname(CLI), half)
  const check = `
    const { readFileSync } = require('fs')
    const rejected = process.argv.slice(1).filter(code => {
      const source = '(function (exports, require, module) {' + readFileSync(code.slice(0, -5), 'utf8') + '\\n})'
      return new (require('vm').Script)(source, { cachedData: readFileSync(code) }).cachedDataRejected
    })
    console.log(JSON.stringify(rejected))`
  const files = codeIn(pieces).map(name => join(pieces, name))
  expect(files.length).toBeGreaterThan(0)
  const said = execFileSync(process.execPath, ['-e', check, ...files], { env: plainEnv(), encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([])
})

describe('what they do is the same', () => {
  const copy = (name: string) => {
    const to = join(folder(), name)
    cpSync(CLI, join(to, 'svc.cjs'))
    cpSync(QUICK, join(to, 'quick'), { recursive: true })
    return to
  }
  test.each<[string, (file: string) => void]>([
    ['without them', file => rmSync(file)],
    ['with empty ones', file => writeFileSync(file, '')],
    ['with ones that were cut off', file => writeFileSync(file, readFileSync(file).subarray(0, 1_000))],
    [
      'with those of another V8',
      file =>
        writeFileSync(
          file,
          readFileSync(file).map((byte, at) => (at < 16 ? ~byte : byte)),
        ),
    ],
  ])('%s', async (name, damage) => {
    const to = copy(name)
    for (const code of codeIn(join(to, 'quick'))) damage(join(to, 'quick', code))
    for (const args of [
      ['press', 'home', '--validate-only'],
      ['exec', '{}'],
      ['snapshot', '--dry-run', '--timeout', 'x'],
    ]) {
      const env = { SVC_NO_DAEMON: '1' }
      const [ours, theirs] = await Promise.all([spawnOther(CLI, args, env), spawnOther(join(to, 'svc.cjs'), args, env)])
      const timeless = ({ stdout, ...rest }: typeof ours) => ({ ...rest, stdout: stdout.replace(/\d{13}/g, 'T') })
      expect(timeless(theirs)).toEqual(timeless(ours))
      expect(ours.stderr).toBe('')
    }
  })
})
