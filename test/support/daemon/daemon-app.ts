/** A daemon's HTTP app that is told by each execution how to behave, and counts in a file what it was given. */
import { appendFileSync, chmodSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pause, systemClock } from '../../../src/runtime/clock.ts'
import type { DaemonRunOptions, ServeResult } from '../../../src/surfaces/daemon/run/run.ts'
import { writeContinue } from '../../../src/surfaces/http/listen.ts'

/** Where a daemon may be killed, seen from one request. */
export const MOMENTS = [
  'command-asked',
  'request-arrived',
  'execution-runs',
  'head-sent',
  'half-sent',
  'all-sent',
] as const
export type Moment = (typeof MOMENTS)[number]

export interface Behaviour {
  runsMs?: number
  /** Nothing is accepted: the device of the command is not there. */
  isRefused?: boolean
  answerBytes?: number
  /** Kills the daemon itself, by SIGKILL. */
  killedAt?: Moment
  /** Ends the connection in the middle of the answer, and lives on. */
  cutsAnswer?: boolean
}

export interface AppOptions {
  /** One JSON line for each execution that arrived. */
  ledger: string
  version: unknown
  killedAt: Moment | undefined
  /** As on a file system without sockets. */
  serveProblem: string | undefined
}

const clock = systemClock()

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const die = () => process.kill(process.pid, 'SIGKILL')

const written = (outgoing: ServerResponse, text: string) =>
  new Promise(resolve => outgoing.write(text, () => setImmediate(resolve)))

export const daemonApp = ({ ledger, version, killedAt, serveProblem }: AppOptions) => {
  let running = 0
  let interrupt = () => {}
  const interrupted = new Promise<'interrupted'>(resolve => {
    interrupt = () => resolve('interrupted')
  })
  const say = (fact: object) => appendFileSync(ledger, `${JSON.stringify({ pid: process.pid, ...fact })}\n`)

  const execute = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { execution, operatorPackage, deviceId } = JSON.parse(await bodyOf(incoming))
    const { commandId, behaviour = {} } = execution as { commandId: string; behaviour?: Behaviour }
    const { runsMs = 0, answerBytes = 10, cutsAnswer } = behaviour
    const dies = (moment: Moment) => (behaviour.killedAt === moment || killedAt === moment) && die()
    if (behaviour.isRefused) return void outgoing.writeHead(404).end('{"ok":false}')
    dies('request-arrived')
    say({ executed: commandId, operatorPackage, deviceId })
    running += 1
    dies('execution-runs')
    const ended = await Promise.race([pause(clock, runsMs).then(() => 'settled' as const), interrupted])
    running -= 1
    say({ [ended]: commandId })
    const body = JSON.stringify({ ok: ended === 'settled', by: process.pid, padding: 'x'.repeat(answerBytes) })
    outgoing.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      'svc-execution-id': `id-of-${commandId}`,
    })
    outgoing.flushHeaders()
    await written(outgoing, body.slice(0, 1))
    dies('head-sent')
    await written(outgoing, body.slice(1, body.length / 2))
    dies('half-sent')
    if (cutsAnswer) return void incoming.socket.destroy()
    outgoing.once('finish', () => setImmediate(() => dies('all-sent')))
    outgoing.end(body.slice(body.length / 2))
  }

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    switch (`${incoming.method} ${incoming.url}`) {
      case 'GET /ping':
        return outgoing.end('{"ok":true}')
      case 'GET /version':
        return outgoing.end(JSON.stringify(version))
      case 'GET /events':
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
        return outgoing.write(': open\n\n')
      case 'POST /execute':
        return execute(incoming, outgoing)
      default:
        return outgoing.writeHead(404).end()
    }
  }

  const serve: DaemonRunOptions['serve'] = ({ path, onRequest }) =>
    new Promise<ServeResult>(resolve => {
      if (serveProblem) return resolve({ ok: false, error: { code: 'SERVE_START_FAILED', message: serveProblem } })
      const take = (incoming: IncomingMessage, outgoing: ServerResponse, expects = false) => {
        if (!onRequest(incoming, outgoing)) return
        if (killedAt === 'command-asked' && incoming.method === 'POST') die()
        if (expects) writeContinue(outgoing)
        void answer(incoming, outgoing)
      }
      const server: Server = createServer((incoming, outgoing) => take(incoming, outgoing))
      server.on('checkContinue', (incoming, outgoing) => take(incoming, outgoing, true))
      server.once('error', error =>
        resolve({ ok: false, error: { code: 'SERVE_START_FAILED', message: error.message } }),
      )
      server.listen(path, () => {
        chmodSync(path, 0o600)
        resolve({
          ok: true,
          server: {
            close: async ({ graceMs }) => {
              const closed = new Promise(done => server.close(done))
              server.closeIdleConnections()
              const began = clock.elapsed()
              while (running > 0 && clock.elapsed() - began < graceMs) await pause(clock, 10)
              await pause(clock, 20)
              server.closeAllConnections()
              await closed
            },
          },
        })
      })
    })

  return {
    serve,
    inFlight: () => running,
    async stopExecutions({ graceMs }: { graceMs: number }) {
      const began = clock.elapsed()
      while (running > 0 && clock.elapsed() - began < graceMs) await pause(clock, 10)
      interrupt()
    },
  }
}
