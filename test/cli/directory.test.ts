/** A call from a directory that was removed meanwhile. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI } from '../support/run-cli.ts'
import { plainEnv } from '../support/run-program.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-gone-')

const fromNowhere = (...args: string[]) => {
  const gone = join(folder(), 'gone')
  mkdirSync(gone)
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
  const env = { ...plainEnv(), HOME: folder(), SVC_NO_DAEMON: '1', ADB_PATH: '/no/adb', ANDROID_ADB_SERVER_PORT: '1' }
  return spawnSync('/bin/sh', ['-c', script, 'sh', gone, process.execPath, CLI, ...args], { env, encoding: 'utf8' })
}

test('is told so by whatever has to know the directory', () => {
  const { status, stdout } = fromNowhere('devices')
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ code: 'USAGE', message: expect.stringContaining('directory') })
})

test('is no obstacle for what does not', () => {
  const { status, stdout } = fromNowhere('press', 'home', '--validate-only')
  expect(status, stdout).toBe(0)
})
