/** Without an address, a server of the same home that runs is used, and one that is not meant is left alone. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { announcedServers, announceServer } from '../../../src/runtime/processes/announced-servers.ts'
import { thisProcess } from '../../../src/runtime/processes/processes.ts'
import { environmentOf } from '../../../src/surfaces/daemon/identity.ts'
import { temporary } from '../../support/temporary.ts'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

const root = temporary('svc-found-')
const PHONES = 'localhost:5001,localhost:5002'

const newHome = () => mkdtempSync(join(root(), 'home-'))
const envIn = (home: string) => ({ SVC_HOME: home, SVC_TCP_DEVICES: PHONES, SVC_SERVE_TOKEN: 'never-to-be-told' })
const startHere = () =>
  startStubServer(({ path }, outgoing) => json(outgoing, path === '/ping' ? { ok: true } : executed()))

test('the server that runs is asked, without a token, and paths are those of this process', async () => {
  const home = newHome()
  const { url, asked } = await startHere()
  const withdraw = announceServer(home, { url, environment: environmentOf(envIn(home)) })
  const svc = await connectHere({ env: envIn(home) })
  await svc.device('phone-1').pushFile({ from: 'notes.txt', to: '/sdcard/notes.txt' })
  expect(asked.map(({ path }) => path)).toEqual(['/ping', '/execute'])
  expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  // Over TCP nobody believes an id that a caller chose: the key makes the call safe to repeat.
  expect(asked[1]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  expect(asked[1]?.headers['svc-execution-id']).toBeUndefined()
  expect(JSON.parse(asked[1]?.body ?? '').execution.actions[0].params.from).toBe(join(process.cwd(), 'notes.txt'))
  withdraw()
  expect(announcedServers(home)).toEqual([])
})

/** Here the program that would start a daemon is none, so a server that is not used is told apart by that failure. */
const UNUSED = { code: 'DAEMON_START_FAILED', dispatched: false }

test('a server that sees other phones, or has another policy, is not used', async () => {
  const home = newHome()
  const { url, asked } = await startHere()
  for (const more of [{ SVC_TCP_DEVICES: 'localhost:5003' }, { SVC_POLICY: '/etc/svc.json' }])
    announceServer(home, { url, environment: environmentOf({ ...envIn(home), ...more }) })
  await expect(connectHere({ env: envIn(home) })).rejects.toMatchObject(UNUSED)
  expect(asked).toEqual([])
})

test('a server that answers nothing any more is passed over', async () => {
  const home = newHome()
  const { url, server } = await startHere()
  announceServer(home, { url, environment: environmentOf(envIn(home)) })
  server.close()
  await expect(connectHere({ env: envIn(home) })).rejects.toMatchObject(UNUSED)
})

test('what a dead process has left, and what is no announcement, is passed over and swept away by the next server', async () => {
  const home = newHome()
  const folder = join(home, 'servers')
  mkdirSync(folder)
  const { url, asked } = await startHere()
  const environment = environmentOf(envIn(home))
  const dead = { url, environment, pid: process.pid, startTime: `${thisProcess().started}0` }
  writeFileSync(join(folder, 'dead.json'), JSON.stringify(dead))
  writeFileSync(join(folder, 'half.json'), '{"url":')
  await expect(connectHere({ env: envIn(home) })).rejects.toMatchObject(UNUSED)
  expect(asked).toEqual([])
  announceServer(home, { url, environment })
  expect(readdirSync(folder)).toHaveLength(1)
})

/** A home with a server that runs, and the folder and the file that announce it. */
const announced = async () => {
  const home = newHome()
  const { url, asked } = await startHere()
  announceServer(home, { url, environment: environmentOf(envIn(home)) })
  const folder = join(home, 'servers')
  return { home, url, asked, folder, file: join(folder, readdirSync(folder)[0] ?? '') }
}

test.each(['folder', 'file'] as const)('a %s that other users can write leads to no server', async place => {
  const { home, asked, ...paths } = await announced()
  chmodSync(paths[place], 0o777)
  await expect(connectHere({ env: envIn(home) })).rejects.toMatchObject(UNUSED)
  expect(asked).toEqual([])
})

test('a home without servers has none, and no link leads to those of another one', async () => {
  const { home, folder } = await announced()
  const other = newHome()
  expect(announcedServers(other)).toEqual([])
  symlinkSync(folder, join(other, 'servers'))
  expect(announcedServers(other)).toEqual([])
  expect(announcedServers(home)).toHaveLength(1)
})

test('files of other kinds in the folder are left alone', async () => {
  const { home, folder, url } = await announced()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  announceServer(home, { url, environment: '' })
  expect(readdirSync(folder)).toContain('notes.txt')
})

test('the servers of another user are none', async () => {
  const { home, url } = await announced()
  expect(announcedServers(home)).toMatchObject([{ url }])
  const other = vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1)
  onTestFinished(() => other.mockRestore())
  expect(announcedServers(home)).toEqual([])
  expect(() => announceServer(home, { url, environment: '' })).toThrow('this user alone can write')
})

test.each(['ftp://127.0.0.1:1/', 'file:///etc/passwd', 'data:,x', 'https://127.0.0.1:1/', 'http://192.0.2.7:1/'])(
  'an announcement of %s is none',
  async url => {
    const { home, file, asked } = await announced()
    const { pid, started } = thisProcess()
    writeFileSync(file, JSON.stringify({ url, environment: environmentOf(envIn(home)), pid, startTime: started }))
    await expect(connectHere({ env: envIn(home) })).rejects.toMatchObject(UNUSED)
    expect(asked).toEqual([])
  },
)
