/** `npm run inspect` in a copy of the checkout: a machine is edited, its chart is drawn again, and Ctrl-C leaves nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../support/http/http-client.ts'
import { until } from '../support/until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LEFT_OUT = ['.git', 'node_modules', join('dist', 'test')]
const BUILD_MS = 120_000

let copy: string
let inspect: ChildProcess | undefined
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'svc-inspect-'))
  const filter = (path: string) => !LEFT_OUT.includes(path.slice(ROOT.length))
  for (const name of readdirSync(ROOT)) {
    if (filter(ROOT + name)) cpSync(ROOT + name, join(copy, name), { recursive: true, filter })
  }
  symlinkSync(`${ROOT}node_modules`, join(copy, 'node_modules'))
})
afterEach(async () => {
  if (inspect && inspect.exitCode === null) {
    inspect.kill('SIGTERM')
    await until(() => inspect?.exitCode !== null || inspect?.signalCode !== null, 'the end')
  }
  rmSync(copy, { recursive: true, force: true })
})

/** What runs from the copy, by its command line. */
const running = (): string[] =>
  readdirSync('/proc').flatMap(pid => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return line.includes(basename(copy)) ? [line] : []
    } catch {
      return []
    }
  })

const edit = (change: (text: string) => string) => {
  const file = join(copy, 'machines/device/device.ts')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

test.skipIf(process.platform !== 'linux')(
  'a changed machine is drawn and served, a broken one changes nothing, and Ctrl-C leaves nothing',
  async () => {
    const home = join(copy, 'home')
    const env = { HOME: home, SVC_HOME: home, PATH: process.env.PATH }
    inspect = spawn(process.execPath, [join(copy, 'dist/dev/inspect.js'), '--port', '0'], {
      env,
      cwd: copy,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    inspect.stderr?.on('data', chunk => {
      said += String(chunk)
    })
    const hear = (text: string) => until(() => said.includes(text), `${text} in: ${said}`, BUILD_MS)
    await hear('follows the files of machines/')
    const url = /(http:\S+)\/inspector/.exec(said)?.[1] ?? ''
    const chart = async () => (await call(`${url}/inspector/files/device.svg`)).text
    const build = async () => (await call(`${url}/version`)).json
    const [before, built] = [await chart(), await build()]
    expect(before).not.toContain('resting')

    edit(text => `${text}\nconst = 5\n`)
    await hear('were not taken over')
    expect(await chart()).toBe(before)

    edit(text => text.replace('\nconst = 5\n', '').replaceAll(/\bidle\b/g, 'resting'))
    await hear('shows the changed machines')
    expect(await chart()).toContain('resting')
    expect(await build()).not.toEqual(built)

    const ended = new Promise(resolve => inspect?.once('exit', resolve))
    inspect.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(running()).toEqual([])
  },
  3 * BUILD_MS,
)
