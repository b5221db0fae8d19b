import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { DaemonLock } from '../../../src/contracts/daemon.ts'
import { LEASE_EXPIRES_MS } from '../../../src/contracts/limits/limits.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { acquireLock, holderOf, tryLock } from '../../../src/runtime/files/lock-file.ts'
import { thisProcess } from '../../../src/runtime/processes/processes.ts'
import { daemonLab } from '../../support/daemon/daemon-lab.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const folder = temporary('svc-lock-')
const clock = systemClock()
const self = thisProcess()
let count = 0
let directory: string
let path: string

beforeEach(() => {
  directory = join(folder(), `${count++}`)
  mkdirSync(directory)
  path = join(directory, 'daemon-default.lock')
})

const put = (content: unknown, ageMs = 0) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  const seconds = (clock.now() - ageMs) / 1_000
  utimesSync(path, seconds, seconds)
}

/** A process that has ended, so that its pid is nobody's. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '0'], { env: {} })
  await once(child, 'exit')
  return child.pid ?? 0
}

describe('a lock that is free', () => {
  test('is held by one, as the contract writes it, and given back', () => {
    const locked = tryLock(path, clock)
    expect(locked.kind).toBe('held')
    expect(v.parse(DaemonLock, JSON.parse(readFileSync(path, 'utf8')))).toMatchObject({
      pid: self.pid,
      startTime: self.started,
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(tryLock(path, clock)).toMatchObject({ kind: 'taken', holder: { pid: self.pid } })
    if (locked.kind === 'held') locked.release()
    expect(readdirSync(directory)).toEqual([])
    expect(tryLock(path, clock).kind).toBe('held')
  })

  test('is given back only by its holder', () => {
    const locked = tryLock(path, clock)
    put({ pid: self.pid, startTime: self.started, createdAt: 1 })
    if (locked.kind === 'held') locked.release()
    expect(existsSync(path)).toBe(true)
  })
})

describe('a lock that is there', () => {
  test('stays with a live process, however old, and whatever the clock says', () => {
    for (const createdAt of [0, clock.now() + 86_400_000]) {
      put({ pid: self.pid, startTime: self.started, createdAt }, 86_400_000)
      expect(tryLock(path, clock)).toMatchObject({ kind: 'taken', holder: { pid: self.pid } })
    }
  })

  test('of another writer stays as long as there is a process with that pid', async () => {
    put({ pid: self.pid })
    expect(tryLock(path, clock).kind).toBe('taken')
    put({ pid: await deadPid() })
    expect(tryLock(path, clock).kind).toBe('held')
  })

  test('of a process in another container stays while it is recent', () => {
    const elsewhere = { pid: self.pid, startTime: self.started.replace(/@\d+/, '@1'), createdAt: clock.now() }
    put(elsewhere)
    expect(tryLock(path, clock)).toMatchObject({ kind: 'taken', holder: { pid: self.pid } })
    put(elsewhere, LEASE_EXPIRES_MS + 1_000)
    expect(tryLock(path, clock).kind).toBe('held')
  })

  test('is taken at once when its holder has ended, or its pid belongs to another process by now', async () => {
    put({ pid: await deadPid(), startTime: self.started, createdAt: clock.now() })
    expect(tryLock(path, clock).kind).toBe('held')
    put({ pid: self.pid, startTime: `${self.started}1`, createdAt: clock.now() })
    expect(tryLock(path, clock).kind).toBe('held')
    expect(readdirSync(directory)).toEqual(['daemon-default.lock'])
  })

  test.each(['', '{', '{"pid":"1"}', '{"pid":-1}', '[]', 'x'.repeat(100_000)])(
    'and cannot be read is taken once it is older than 3 s: %.20s',
    garbage => {
      put(garbage)
      expect(tryLock(path, clock)).toEqual({ kind: 'taken', holder: undefined })
      put(garbage, 3_500)
      expect(tryLock(path, clock).kind).toBe('held')
      expect(holderOf(path)?.pid).toBe(self.pid)
    },
  )

  test('and comes from the future was not written just now', () => {
    put('garbage', -3_600_000)
    expect(tryLock(path, clock).kind).toBe('held')
  })

  test('and is a link is removed without touching what it leads to', () => {
    writeFileSync(join(directory, 'mine'), 'mine')
    symlinkSync(join(directory, 'mine'), path)
    // A link cannot be made older; one to an hour later will do.
    const later = { ...clock, now: () => clock.now() + 3_600_000 }
    expect(tryLock(path, later).kind).toBe('held')
    expect(readFileSync(join(directory, 'mine'), 'utf8')).toBe('mine')
  })

  test('and is a directory cannot be taken, which is said and not thrown', () => {
    mkdirSync(path)
    const later = { ...clock, now: () => clock.now() + 3_600_000 }
    expect(tryLock(path, later)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('cannot be acquired'),
    })
  })

  test('where nothing can be written, that is said and not thrown', () => {
    expect(tryLock('/proc/svc/daemon-default.lock', clock)).toMatchObject({ kind: 'unavailable' })
  })

  test('is waited for, and not for ever', async () => {
    put({ pid: self.pid, startTime: self.started })
    const began = clock.elapsed()
    expect((await acquireLock(path, { clock, waitMs: 120 })).kind).toBe('taken')
    expect(clock.elapsed() - began).toBeGreaterThanOrEqual(100)
  })

  test('what killed processes have left beside it is swept by the next holder', async () => {
    const dead = JSON.stringify({ pid: await deadPid(), startTime: self.started })
    writeFileSync(`${path}.new-1-1`, dead)
    writeFileSync(`${path}.stale-1-1`, dead)
    writeFileSync(`${path}.new-2-2`, JSON.stringify({ pid: self.pid, startTime: self.started }))
    writeFileSync(join(directory, 'daemon-default.pid'), dead)
    expect(tryLock(path, clock).kind).toBe('held')
    expect(readdirSync(directory).sort()).toEqual([
      'daemon-default.lock',
      'daemon-default.lock.new-2-2',
      'daemon-default.pid',
    ])
  })

  test('one who was killed while removing a stale lock keeps nobody from it', async () => {
    const dead = { pid: await deadPid(), startTime: self.started, createdAt: 1 }
    put(dead)
    const claim = `${path}.stale-${dead.pid}-${self.started.replace(/\W/g, '').slice(-12)}`
    writeFileSync(claim, JSON.stringify({ ...dead, createdAt: 2 }))
    expect(tryLock(path, clock).kind).toBe('taken')
    expect(tryLock(path, clock).kind).toBe('held')
    expect(readdirSync(directory)).toEqual(['daemon-default.lock'])
  })
})

describe('many processes at once', () => {
  const lab = daemonLab()
  const MANY = propertyRuns(12, 5)

  const contend = (gate: string) => Array.from({ length: MANY }, () => lab().start(['lock', '0'], { TEST_GATE: gate }))

  test.each([
    ['a free lock', () => {}],
    ['the lock of a dead process', () => put({ pid: 2 ** 22 + 1, startTime: self.started, createdAt: 1 })],
    ['an old lock of garbage', () => put('garbage', 10_000)],
  ])('%s gets one holder', async (_, prepare) => {
    const { files, paths, openGate, makeHome } = lab()
    makeHome()
    path = paths().lock
    prepare()
    const contenders = contend(files.gate)
    await openGate(MANY)
    await until(() => contenders.filter(({ stdout }) => stdout() !== '').length === MANY, 'all of them')
    const said = contenders.map(({ stdout }) => stdout().split('\n')[0])
    expect(said.filter(word => word === 'held')).toHaveLength(1)
    expect(said.filter(word => word === 'taken')).toHaveLength(MANY - 1)
    const [holder] = contenders.filter(({ stdout }) => stdout().startsWith('held'))
    expect(holderOf(path)?.pid).toBe(holder?.child.pid)
    // The lock of the one who is killed goes to the next who asks.
    holder?.child.kill('SIGKILL')
    await holder?.ended
    expect(tryLock(path, clock).kind).toBe('held')
  })
})
