/** A host that records a simulated phone in this process, on a clock that the test moves, over a link that can be cut. */
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import type { Links } from '../../../src/device/link/links.ts'
import { createHost, type Host } from '../../../src/runtime/host.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { deadlinePort } from '../../../src/runtime/port.ts'
import type { RecordingDeps } from '../../../src/service/recordings/deps.ts'
import { finishPort } from '../../../src/service/recordings/finish-port.ts'
import { recordPort } from '../../../src/service/recordings/record-port.ts'
import { createRecordings } from '../../../src/service/recordings/recordings.ts'
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import type { EncoderKind } from '../../../src/simulator/scenario/device.ts'
import { createPipe, emptyInput, StreamEnded } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { phoneOf } from '../simulator/simulated-phone.ts'

export const ACTOR = 'recording:SERIAL1'
const STEP_MS = 100
/** Over half an hour of the clock. */
const STEPS_MAX = 20_000

const lost = () => new LinkError('DEVICE_LINK_LOST', 'the link was cut')

export interface PhoneOnLink {
  link: Link
  links: Links
  /** From now on every call fails, and what runs over the link is hung up. */
  cut(): void
  mend(): void
  commands: string[]
}

const onLink = (phone: SimulatedPhone, clock: ManualClock): PhoneOnLink => {
  const shell = createShell({ phone, clock })
  const commands: string[] = []
  const newHangUp = () => {
    const made = new AbortController()
    // Every command listens for as long as the link lives.
    setMaxListeners(0, made.signal)
    return made
  }
  let hangUp = newHangUp()
  let isCut = false

  const whenCut = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(lost()), { once: true }))

  const run = async (command: string) => {
    if (isCut) throw lost()
    commands.push(command)
    const { signal } = hangUp
    const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []]
    const io = {
      stdin: emptyInput,
      stdout: async (bytes: Uint8Array) => void out.push(bytes),
      stderr: async (bytes: Uint8Array) => void err.push(bytes),
      signal,
    }
    const exitCode = await Promise.race([shell.run(command, io), whenCut(signal)])
    return { exitCode, stdout: Buffer.concat(out), stderr: Buffer.concat(err) }
  }

  const stream: Link['stream'] = async command => {
    if (isCut) throw lost()
    commands.push(command)
    const pipe = createPipe()
    const { signal } = hangUp
    const io = { stdin: emptyInput, stdout: pipe.write, stderr: async () => {}, signal }
    void shell.run(command, io).finally(pipe.end)
    return {
      chunks: {
        [Symbol.asyncIterator]: () => ({
          async next() {
            if (isCut) throw lost()
            const value = await pipe.read().catch((error: unknown) => {
              throw error instanceof StreamEnded ? lost() : error
            })
            return value ? { done: false, value } : { done: true, value: undefined }
          },
        }),
      },
      close: () => pipe.cancel(),
    }
  }
  const missing = () => Promise.reject(new LinkError('DEVICE_SHELL_UNAVAILABLE', 'this link has a shell only'))
  // biome-ignore lint/correctness/useYield: it fails before it has anything
  const notRead = async function* (): AsyncGenerator<Uint8Array> {
    await missing()
  }
  const link: Link = {
    serial: 'sim-1',
    lost: new AbortController().signal,
    async shell(command) {
      const { exitCode, stdout, stderr } = await run(command)
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
    },
    exec: async command => (await run(command)).stdout,
    stream,
    push: missing,
    pull: missing,
    read: () => notRead(),
    output: () => notRead(),
    socket: missing,
    hardwareSerial: async () => 'SERIAL1',
  }
  const links: Links = {
    list: async () => ({ devices: [], problem: undefined }) as never,
    known: async () => undefined,
    track: () => {},
    async get() {
      if (isCut) throw lost()
      return link
    },
    current: () => (isCut ? undefined : link),
    probe: async () => undefined,
    close: async () => {},
  }
  return {
    link,
    links,
    commands,
    cut() {
      isCut = true
      hangUp.abort()
    },
    mend() {
      isCut = false
      hangUp = newHangUp()
    },
  }
}

export interface RecordingHost {
  host: Host
  journal: Journal
  recordings: ReturnType<typeof createRecordings>
}

export const recordingLab = (home: string, encoder: EncoderKind = 'any-size') => {
  const clock = manualClock(1_790_000_000_000)
  const scenario = defaultScenario()
  const phone = phoneOf({ clock, scenario: { ...scenario, timeScale: 1, device: { ...scenario.device, encoder } } })
  const wire = onLink(phone, clock)
  const path = join(home, 'journal.db')
  const shell = createShell({ phone, clock })
  const dead = new Set<number>()

  const never = () => new Promise<never>(() => {})
  const deadLinks: Links = { ...wire.links, get: never }
  /** A process that is dead asks nothing any more, and hears no answer. */
  const linksOf = (pid: number): Links => {
    const whileAlive = async <T>(work: Promise<T>): Promise<T> => {
      const done = await work.catch(async error => (dead.has(pid) ? never() : Promise.reject(error)))
      return dead.has(pid) ? never() : done
    }
    const { link } = wire
    const own: Link = {
      ...link,
      shell: (command, call) => (dead.has(pid) ? never() : whileAlive(link.shell(command, call))),
      stream: (command, call) => (dead.has(pid) ? never() : whileAlive(link.stream(command, call))),
    }
    return { ...wire.links, get: (...asked) => whileAlive(wire.links.get(...asked).then(() => own)) }
  }

  const startHost = (pid: number): RecordingHost => {
    const journal = openJournal({ path, alive: holder => !dead.has(holder.pid), clock })
    const deps: RecordingDeps = {
      clock,
      ids: systemIds(),
      home,
      leaseBy: 'hardware-serial',
      links: () => (dead.has(pid) ? deadLinks : linksOf(pid)),
      mayRecord: async () => undefined,
      get host() {
        return host
      },
      journal,
    }
    const recording = { record: recordPort(deps), finish: finishPort(deps), deadline: deadlinePort(clock) }
    const host = createHost({
      journal,
      clock,
      definitions: CATALOGUE,
      ports: { recording },
      holder: { pid, started: `start-${pid}`, instance: `i${pid}` },
    })
    return { host, journal, recordings: createRecordings(deps) }
  }

  /** Time passes in steps, and everything that is woken by one has its turns before the next. */
  const step = async (ms = STEP_MS) => {
    for (let turns = 0; turns < 6; turns += 1) await turn()
    clock.advance(ms)
    for (let turns = 0; turns < 6; turns += 1) await turn()
    // Threads and files work in real time, also on a machine that has much else to do.
    await new Promise(resolve => setTimeout(resolve, 1))
  }

  return {
    clock,
    phone,
    wire,
    startHost,
    /** Its process is gone: its journal is closed in the middle of things, and its lease counts for nothing. */
    kill({ journal }: RecordingHost, pid: number) {
      dead.add(pid)
      journal.close()
    },
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= STEP_MS) await step(Math.min(STEP_MS, left))
    },
    /** Lets time pass until it is so. */
    async until(isSo: () => boolean | Promise<boolean>) {
      for (let steps = 0; steps < STEPS_MAX; steps += 1) {
        if (await isSo()) return
        await step()
      }
      throw new Error(`not so after ${STEPS_MAX * STEP_MS} ms`)
    },
    /** Lets time pass until the work is done. */
    async during<T>(work: Promise<T>): Promise<T> {
      let isDone = false
      const finish = () => {
        isDone = true
      }
      work.then(finish, finish)
      for (let steps = 0; !isDone && steps < STEPS_MAX; steps += 1) await step()
      return work
    },
    async onPhone(command: string): Promise<string> {
      const out: Uint8Array[] = []
      const io = {
        stdin: emptyInput,
        stdout: async (bytes: Uint8Array) => void out.push(bytes),
        stderr: async () => {},
      }
      await shell.run(command, { ...io, signal: new AbortController().signal })
      return Buffer.concat(out).toString()
    },
  }
}
