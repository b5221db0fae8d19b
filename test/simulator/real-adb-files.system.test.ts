/** The real adb program beside the actions on files: both see the same files, and put them in the same places. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Action } from '../../src/contracts/executions/action.ts'
import { listFiles } from '../../src/device/files/list-files.ts'
import { runHostStep } from '../../src/device/steps/run-host-step.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { linksFor } from '../device/link/links-for-tests.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { needs } from '../support/needs.ts'

const BIG_BYTES = 3_000_000

describe.skipIf(!needs('adb'))('a real adb beside it', () => {
  const { adb, attached } = realAdbDevices()
  const host = realpathSync(mkdtempSync(join(tmpdir(), 'svc-adb-files-')))
  const at = (...parts: string[]) => join(host, ...parts)
  afterAll(() => rmSync(host, { recursive: true }))

  test('pushes, pulls and lists alike, over the adb server', async () => {
    const { serial, run } = await attached()
    const clock = systemClock()
    const links = linksFor({ server: { path: adb.socketPath } })
    const call = { deadline: clock.now() + 30_000, signal: new AbortController().signal }
    const link = await links.get(serial, call)
    const step = async (type: string, params: object) => {
      const action = { id: 'a', type, params: { overwrite: true, ...params } } as unknown as Action
      const { error } = await runHostStep(action, { link, clock, ...call, screenshotPath: () => '' })
      expect(error).toBeNull()
    }
    mkdirSync(at('site', 'css'), { recursive: true })
    writeFileSync(at('site', "it's a $(name).html"), '<p>')
    writeFileSync(at('site', 'css', 'big.css'), Buffer.alloc(BIG_BYTES, 'svc '))
    await run('shell', 'mkdir /sdcard/adb /sdcard/svc')
    for (const name of ['site', 'site/css/big.css']) {
      await run('push', at(name), '/sdcard/adb/')
      await step('push_file', { from: at(name), to: '/sdcard/svc/' })
    }
    const listing = async (folder: string) => (await run('shell', `cd ${folder} && find . | sort`)).stdout
    expect(await listing('/sdcard/svc')).toBe(await listing('/sdcard/adb'))
    const digests = 'find . -type f -exec sha256sum {} + | sort'
    const digestsOf = async (folder: string) => (await run('shell', `cd ${folder} && ${digests}`)).stdout
    expect(await digestsOf('/sdcard/svc')).toBe(await digestsOf('/sdcard/adb'))

    await run('pull', '/sdcard/svc/site', at('by-adb'))
    await step('pull_file', { from: '/sdcard/adb/site', to: at('by-svc') })
    const here = (name: string) => readdirSync(at(name), { recursive: true }).map(String).sort()
    expect(here('by-svc')).toEqual(here('by-adb'))
    expect(readFileSync(at('by-svc', 'css', 'big.css')).equals(readFileSync(at('by-adb', 'css', 'big.css')))).toBe(true)

    const { stdout } = await run('shell', 'ls -la /sdcard/svc/site')
    const listed = await listFiles({ path: '/sdcard/svc/site' }, { link, clock, ...call })
    expect(listed.map(({ name }) => name)).toEqual(['css', "it's a $(name).html"])
    for (const { name, mode, bytes = '' } of listed)
      expect(stdout).toMatch(new RegExp(`${mode}.*${bytes}.*${name.replace(/[$()]/g, '\\$&')}`))
    await links.close()
  })
})
