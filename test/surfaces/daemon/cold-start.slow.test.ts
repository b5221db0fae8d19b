/** Many commands at once where no daemon runs: one daemon, whichever process is killed meanwhile. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import type { ProxyResult } from '../../../src/surfaces/daemon/client/proxy.ts'
import type { DaemonRequestResult } from '../../../src/surfaces/daemon/manage/manage.ts'
import { command, type DaemonLab, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { until } from '../../support/until.ts'

const lab = daemonLab()
const MANY = propertyRuns(20, 8)

/** All of them begin when the gate opens. */
const together = async (start: (index: number, env: Record<string, string>) => ReturnType<DaemonLab['start']>) => {
  const { files, openGate } = lab()
  const all = Array.from({ length: MANY }, (_, index) => start(index, { TEST_GATE: files.gate }))
  await openGate(MANY)
  return (await Promise.all(all.map(({ ended }) => ended))).map(({ said }) => said)
}

const callOf = (index: number) => JSON.stringify(command('exec', `c${index}`))

/** Daemons that came too late have left again, or are about to. */
const oneDaemon = async () => {
  const { alive, manage, metadata } = lab()
  await until(() => alive().length <= 1, 'one daemon')
  expect(await manage('status')).toMatchObject({ daemon: { status: 'running', pid: alive()[0]?.pid } })
  expect(metadata()?.pid).toBe(alive()[0]?.pid)
}

describe('many at once', () => {
  test('commands: one daemon is started, and none is executed twice', async () => {
    const said = (await together((index, env) => lab().start(['call', callOf(index)], env))) as ProxyResult[]
    const { daemons, executed } = lab()
    expect(daemons()).toHaveLength(1)
    await oneDaemon()
    // On a machine that is slow enough, some run direct: then they were not executed by the daemon.
    for (const [index, { kind }] of said.entries()) {
      expect(['answered', 'direct']).toContain(kind)
      expect(executed(`c${index}`)).toBe(kind === 'answered' ? 1 : 0)
    }
    expect(said.filter(({ kind }) => kind === 'answered').length).toBeGreaterThan(0)
    expect(readdirSync(lab().paths().directory).sort()).toEqual([
      'daemon-default.log',
      'daemon-default.pid',
      'daemon-default.sock',
    ])
  })

  test('starts: one is the one that started it', async () => {
    const said = (await together((_, env) => lab().start(['daemon', 'start'], env))) as DaemonRequestResult[]
    expect(lab().daemons()).toHaveLength(1)
    await oneDaemon()
    const statuses = said.map(report => (report.ok ? report.daemon.status : report.error.code))
    expect(statuses.filter(status => status === 'started')).toHaveLength(1)
    // A command that waited 3000 ms for the lock in vain says so.
    for (const status of statuses) expect(['started', 'already_running', 'DAEMON_START_FAILED']).toContain(status)
  })

  test('run processes, by hand: one stays', async () => {
    const { files, openGate, alive, start, daemons } = lab()
    const all = Array.from({ length: propertyRuns(8, 4) }, () => start(['daemon', 'run'], { TEST_GATE: files.gate }))
    await openGate(all.length)
    await until(() => daemons().length === all.length && alive().length === 1, 'one that stays')
    await oneDaemon()
  })
})

describe('the one that starts it is killed', () => {
  const holder = () => {
    const { lock } = lab().paths()
    return existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid : undefined
  }

  test('while it holds the lock, before and after the daemon process is there', async () => {
    for (const [index, isSoon] of [true, false].entries()) {
      const { start, call, daemons, manage } = lab()
      const before = daemons().length
      const starter = start(['call', callOf(90 + index)], { TEST_STARTS_AFTER_MS: '300' })
      await until(() => holder() === starter.child.pid && (isSoon || daemons().length > before), 'the lock')
      starter.child.kill('SIGKILL')
      await starter.ended
      // Not executed by the one that was killed, and the next one waits for nobody who is dead.
      expect(await call(command('exec', `next${index}`))).toMatchObject({ kind: 'answered' })
      expect(lab().executed(`c${90 + index}`)).toBe(0)
      await oneDaemon()
      expect(holder()).toBeUndefined()
      await manage('stop')
    }
  })
})

test('a daemon that is killed is replaced by the next command', async () => {
  const { callApart, daemons, executed } = lab()
  for (const index of [0, 1, 2]) {
    expect(await callApart(command('flat', `c${index}`))).toMatchObject({ kind: 'answered' })
    const daemon = daemons()[index]
    expect(daemon).toBeDefined()
    lab().signal('SIGKILL', index)
    await until(() => daemon !== undefined && !isAlive(daemon), 'its death')
    expect(executed(`c${index}`)).toBe(1)
  }
  expect(daemons()).toHaveLength(3)
})
