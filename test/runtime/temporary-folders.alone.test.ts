import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeOf, thisProcess } from '../../src/runtime/processes/processes.ts'
import { inTemporaryFolder, makeTemporaryFolder, type Purpose } from '../../src/runtime/temporary-folders.ts'
import { startServeHere } from '../support/cli/serve.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const home = temporary('svc-swept-')

const folderOf = (prefix: string, owner: object | undefined): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (owner) writeFileSync(join(folder, 'owner.json'), JSON.stringify(owner))
  writeFileSync(join(folder, 'pushed'), 'payload')
  return folder
}

test('the start of a server removes what killed processes left, and nothing else', async () => {
  const killed = { pid: process.pid, started: `${placeOf(thisProcess().started)}:1` }
  const prefixes = ['svc-webdriver-', 'svc-file-', 'svc-parcel-', 'svc-fleet-']
  const left = prefixes.map(prefix => folderOf(prefix, killed))
  const foreign = { pid: process.pid, started: 'another boot@1:1' }
  const old = ['svc-webdriver-', 'svc-fleet-'].map(prefix => folderOf(prefix, foreign))
  for (const folder of old) utimesSync(folder, 1, 1)
  left.push(old[0] ?? '')
  const outside = join(home(), 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'file'), '')
  symlinkSync(outside, join(left[0] ?? '', 'link'))
  const stay = [
    ...prefixes.map(prefix => folderOf(prefix, thisProcess())),
    folderOf('svc-webdriver-', undefined),
    folderOf('svc-webdriver-', foreign),
    old[1] ?? '',
    join(outside, 'file'),
  ]
  const server = await startServeHere({ env: { HOME: home() } })
  await until(() => left.every(folder => !existsSync(folder)), 'the folders of killed processes to be gone')
  expect(stay.filter(path => !existsSync(path))).toEqual([])
  await server.end()
})

test.each<Purpose>(['webdriver', 'mcp', 'parcel', 'fleet', 'phones'])(
  'a folder for %s is private and names its process',
  purpose => {
    const folder = makeTemporaryFolder(purpose)
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    expect(dirname(folder)).toBe(tmpdir())
    expect(basename(folder)).toMatch(/^svc-/)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'owner.json')).mode & 0o777).toBe(0o600)
  },
)

test('nothing stays of the folder of work that fails', async () => {
  let used = ''
  const work = inTemporaryFolder('mcp', async folder => {
    used = folder
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(existsSync(used)).toBe(false)
})
