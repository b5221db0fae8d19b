/** A real nats-server for a test, with a proxy before it that can be cut; all of it ends with the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectFleet, type FleetConnection } from '../../../src/fleet/servers/connection.ts'
import { namesOf } from '../../../src/fleet/servers/names.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { programOnPath } from '../../support/needs.ts'
import { testEnd } from '../../support/per-test.ts'
import { wait } from '../../support/until.ts'

export const clock = systemClock()
export const names = namesOf('lab')

export interface NatsProxy {
  url: string
  /** Ends every connection and takes no new one until `heal`. */
  cut(): void
  /** Lets nothing through any more, and says nothing about it, until `heal`. */
  silence(): void
  heal(): void
}

export interface NatsServer {
  url: string
  kill(): Promise<void>
  /** On the same port. */
  restart(): Promise<void>
  freeze(): void
  thaw(): void
  proxy(): Promise<NatsProxy>
  connect(self: string, url?: string): Promise<FleetConnection>
}

const listening = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const freePort = async () => {
  const server = createServer()
  const port = await listening(server)
  await new Promise(closed => server.close(closed))
  return port
}

const opens = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const startProxy = async (port: number, atEnd: (step: () => unknown) => void): Promise<NatsProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isCut = false
  let isSilent = false
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
      from.pipe(to)
    }
    if (isSilent) for (const socket of pair) socket.pause()
  })
  const own = await listening(server)
  const cut = () => {
    isCut = true
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  atEnd(async () => {
    cut()
    await new Promise(closed => server.close(closed))
  })
  return {
    url: `nats://127.0.0.1:${own}`,
    cut,
    silence() {
      isSilent = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    heal() {
      isCut = false
      isSilent = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
  }
}

/** For `const server = natsServers()` in a test file; then `await server()` in a test. */
export const natsServers = (): ((more?: readonly string[]) => Promise<NatsServer>) => {
  const atEnd = testEnd()

  return async (more = []) => {
    const program = programOnPath('nats-server')
    if (program === undefined) throw new Error('nats-server is not on the PATH')
    const folder = mkdtempSync(join(tmpdir(), 'svc-nats-'))
    const port = await freePort()
    let child: ChildProcess
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    const start = async () => {
      const args = ['-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...more]
      child = spawn(program, args, { stdio: 'ignore' })
      const latest = clock.elapsed() + 15_000
      while (!(await opens(port))) {
        if (child.exitCode !== null || clock.elapsed() > latest) throw new Error('nats-server does not start')
        await wait(20)
      }
    }
    atEnd(async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    })
    await start()
    const url = `nats://127.0.0.1:${port}`
    return {
      url,
      kill,
      restart: async () => {
        await kill()
        await start()
      },
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
      proxy: () => startProxy(port, atEnd),
      async connect(self, to = url) {
        const connection = await connectFleet({ urls: [to], names, self }, clock)
        atEnd(() => connection.close())
        return connection
      },
    }
  }
}
