/** One `svc serve` of a trial: killed and started again on its port, with a reader of its events that goes on each time. */

import { readFileSync } from 'node:fs'
import { messageOf } from '../../../src/runtime/message-of.ts'
import { freePort } from '../../support/adb/free-ports.ts'
import type { RunningCli } from '../../support/cli/run-cli.ts'
import { type EventReader, readEvents, type SseEvent } from '../../support/http/http-client.ts'
import { until } from '../../support/until.ts'

/** A machine with much else to do starts a server within this. */
const START_MS = 30_000

const isRunning = ({ child }: RunningCli): boolean => child.exitCode === null && child.signalCode === null

/** As the system tells it: T is stopped, D waits for a disk. */
const stateOf = (pid = 0): string => {
  try {
    return /^State:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'gone'
  }
}

export interface Server {
  index: number
  url: string
  /** Which of its processes this is. */
  life(): number
  isUp(): boolean
  pid(): number | undefined
  /** Starts it anew and reads on from where its events broke off. */
  start(): Promise<void>
  /** Of all of its lives. */
  events(): readonly SseEvent[]
}

export const createServer = async (index: number, cli: (args: readonly string[]) => RunningCli): Promise<Server> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const readers: EventReader[] = []
  let life = 0
  let running: RunningCli | undefined
  const isUp = () => running !== undefined && isRunning(running)
  const events = () => readers.flatMap(reader => reader.events)
  return {
    index,
    url,
    life: () => life,
    isUp,
    pid: () => (isUp() ? running?.child.pid : undefined),
    events,
    async start() {
      life += 1
      const own = cli(['serve', '--webdriver', '--port', String(port)])
      running = own
      await until(() => own.stderr().includes(url) || !isRunning(own), `server ${index} to listen`, START_MS).catch(
        error => {
          throw new Error(`${messageOf(error)}; it is in state ${stateOf(own.child.pid)} and has said: ${own.stderr()}`)
        },
      )
      // It was killed meanwhile, and there may be another one already.
      if (!isRunning(own)) return
      // An event without an id leaves the last one.
      const last = events().findLast(({ id }) => id !== undefined)?.id
      const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last }
      try {
        readers.push(await readEvents(`${url}/events`, headers))
      } catch {
        // It was killed meanwhile.
      }
    },
  }
}
