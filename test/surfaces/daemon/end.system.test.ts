/** How daemons end by themselves, and in order. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { command, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { until, wait } from '../../support/until.ts'

const lab = daemonLab()

const hasEnded = () => {
  const [daemon] = lab().daemons()
  return daemon !== undefined && !isAlive(daemon)
}

/** Nothing of a daemon that ended in order is left but its log. */
const leftNothing = () => expect(readdirSync(lab().paths().directory)).toEqual(['daemon-default.log'])

/** Watches the stream; resolves when the daemon ends it. */
const watchEvents = (socketPath: string) => {
  let isOpen = false
  const ended = new Promise<void>(resolve => {
    const asked = request({ socketPath, path: '/events' }, incoming => {
      isOpen = true
      expect(incoming.headers['svc-instance']).toMatch(/^[\da-f-]{36}$/)
      incoming.resume()
      incoming.once('close', resolve)
    })
    asked.on('error', () => resolve())
    asked.end()
  })
  return { ended, isOpen: () => isOpen }
}

describe.concurrent('an idle daemon', () => {
  test('ends itself, though somebody watches its events', async () => {
    const { call, executed, paths } = lab()
    // An execution keeps it from being idle until the stream is open.
    const running = call(command('exec', 'c1', { runsMs: 3_000 }), { SVC_DAEMON_IDLE_MS: '700' })
    await until(() => executed('c1') === 1, 'the execution')
    const watched = watchEvents(paths().socket)
    await until(watched.isOpen, 'the stream')
    expect(await running).toMatchObject({ kind: 'answered' })
    await until(hasEnded, 'its end')
    await watched.ended
    leftNothing()
  })

  test('is none while an execution runs', async () => {
    const { call, executed, paths, facts } = lab()
    const running = call(command('exec', 'c1', { runsMs: 2_000 }), { SVC_DAEMON_IDLE_MS: '400' })
    await until(() => executed('c1') === 1, 'the execution')
    for (;;) {
      // One that ends takes its socket away first.
      const isListening = existsSync(paths().socket)
      if (facts().some(({ settled }) => settled)) break
      expect(isListening).toBe(true)
      await wait(50)
    }
    expect(await running).toMatchObject({ kind: 'answered' })
    await until(hasEnded, 'its end')
    leftNothing()
  })

  test('stays when it was told never to end', async () => {
    const { manage } = lab()
    await manage('start', { SVC_DAEMON_IDLE_MS: '0' })
    await wait(1_200)
    expect(hasEnded()).toBe(false)
  })
})

describe.concurrent('a daemon whose socket file has gone', () => {
  test('ends itself, once nothing runs any more', async () => {
    const { call, executed, paths } = lab()
    await call(command('exec', 'warm'))
    const running = call(command('exec', 'c1', { runsMs: 1_000 }))
    await until(() => executed('c1') === 1, 'the execution')
    rmSync(paths().socket)
    expect(await running).toMatchObject({ kind: 'answered' })
    await until(hasEnded, 'its end')
    leftNothing()
  })

  test('leaves the socket and the metadata of its successor alone', async () => {
    const { call, executed, paths, daemons, manage } = lab()
    await call(command('exec', 'warm'))
    const running = call(command('exec', 'c1', { runsMs: 1_000 }))
    await until(() => executed('c1') === 1, 'the execution')
    renameSync(paths().socket, `${paths().socket}.old`)
    expect(await call(command('exec', 'c2'))).toMatchObject({ kind: 'answered' })
    expect(await running).toMatchObject({ kind: 'answered' })
    await until(hasEnded, 'its end')
    expect(await call(command('exec', 'c3'))).toMatchObject({ kind: 'answered' })
    expect(await manage('status')).toMatchObject({ daemon: { status: 'running', pid: daemons()[1]?.pid } })
    expect(daemons()).toHaveLength(2)
  })
})

describe.concurrent('a daemon that is told to end', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s: ends streams at once, lets an execution finish, and leaves nothing behind',
    async signal => {
      const { call, executed, paths, manage } = lab()
      await manage('start')
      const watched = watchEvents(paths().socket)
      await until(watched.isOpen, 'the stream')
      const running = call(command('exec', 'c1', { runsMs: 1_500 }))
      await until(() => executed('c1') === 1, 'the execution')
      lab().signal(signal)
      expect(await running).toMatchObject({ kind: 'answered', body: expect.stringContaining('"ok":true') })
      await until(hasEnded, 'its end')
      await watched.ended
      leftNothing()
    },
  )

  test('by `daemon stop` gives up what takes longer than 2000 ms, and the caller gets an answer', async () => {
    const { call, executed, manage, facts } = lab()
    await manage('start')
    const running = call(command('exec', 'c1', { runsMs: 15_000 }))
    await until(() => executed('c1') === 1, 'the execution')
    expect(await manage('stop')).toMatchObject({ daemon: { status: 'stopped' } })
    expect(await running).toMatchObject({ kind: 'answered', body: expect.stringContaining('"ok":false') })
    expect(facts().filter(({ interrupted }) => interrupted === 'c1')).toHaveLength(1)
    leftNothing()
  })

  test('and does not is killed, and what it left is removed', async () => {
    const { manage, paths } = lab()
    await manage('start')
    lab().signal('SIGSTOP')
    expect(await manage('stop')).toMatchObject({ daemon: { status: 'stopped' } })
    expect(hasEnded()).toBe(true)
    expect(existsSync(paths().socket)).toBe(false)
    leftNothing()
  })
})
