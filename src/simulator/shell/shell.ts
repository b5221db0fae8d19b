/** The shell of one simulated phone: takes a command line and its streams and gives an exit code, or reads its command lines from stdin. */
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Phone } from '../phone.ts'
import type { Device, Properties } from './command.ts'
import { COMMANDS } from './commands/table.ts'
import { type Io, LINE_BYTES_MAX, type LineInput, lineInput, StreamEnded } from './io.ts'
import { parse } from './parse.ts'
import { createProcesses } from './processes.ts'
import { createInterpreter, type Interpreter } from './run.ts'
import { newScope, SHELL_NAME } from './scope.ts'
import { ShellSyntaxError } from './syntax.ts'

const INTERRUPTED_CODE = 130

const isWhole = (text: string): boolean => {
  try {
    parse(text)
    return true
  } catch (error) {
    return !(error instanceof ShellSyntaxError) || !error.incomplete
  }
}

interface InteractOptions {
  interpreter: Interpreter
  io: Io
  pid: number
  /** The text before the folder in the prompt; undefined when there is no prompt. */
  prompt: string | undefined
  /** Calls when somebody wants the running command to end. */
  onInterrupt: ((listener: () => void) => void) | undefined
}

/** The same input until the signal aborts; a read that waits then ends. */
const until = (input: LineInput, signal: AbortSignal): LineInput => {
  const aborted = new Promise<undefined>(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return { read: () => Promise.race([input.read(), aborted]), line: () => Promise.race([input.line(), aborted]) }
}

const interact = async ({ interpreter, io, pid, prompt, onInterrupt }: InteractOptions): Promise<number> => {
  const scope = newScope(pid)
  const stdin = lineInput(io.stdin)
  const say = async (text: string) => {
    if (prompt !== undefined) await io.stdout(Buffer.from(text))
  }

  const run = async (text: string): Promise<number> => {
    const ending = new AbortController()
    onInterrupt?.(() => ending.abort())
    const signal = AbortSignal.any([io.signal, ending.signal])
    try {
      return await interpreter.run(text, scope, { ...io, stdin: until(stdin, signal), signal })
    } catch (error) {
      if (!(error instanceof StreamEnded) || io.signal.aborted) throw error
      return INTERRUPTED_CODE
    }
  }

  for (let pending = ''; scope.ended === undefined; ) {
    onInterrupt?.(() => {
      pending = ''
    })
    await say(pending === '' ? `${prompt}${scope.cwd} $ ` : '> ')
    const line = await stdin.line()
    if (io.signal.aborted) throw new StreamEnded()
    pending += line ?? ''
    if (line !== undefined && pending.length < LINE_BYTES_MAX && !isWhole(pending)) continue
    if (pending.trim() !== '') scope.status = await run(pending)
    pending = ''
    if (line === undefined) break
  }
  return scope.ended ?? scope.status
}

const ENDED_CODE = 141
const KILLED_CODE = 137
const BROKEN_CODE = 126

const propertiesOver = (phone: Phone): Properties => {
  const set = new Map<string, string>()
  return {
    get: name => set.get(name) ?? phone.properties.get(name),
    set: (name, value) => void set.set(name, value),
    all: () => new Map([...phone.properties, ...set]),
  }
}

interface ShellOptions {
  phone: Phone
  clock: Clock
  /** The time that waits of commands take, where a device runs at its own speed. */
  waits?: Clock
}

export const createShell = ({ phone, clock, waits = clock }: ShellOptions) => {
  const processes = createProcesses()
  const device: Device = { phone, clock, waits, properties: propertiesOver(phone), processes }
  const interpreter = createInterpreter(device, COMMANDS, parse)

  const guarded = async (outer: Io, work: (io: Io, pid: number) => Promise<number>): Promise<number> => {
    const { pid, killed, end } = processes.start()
    const io = { ...outer, signal: AbortSignal.any([outer.signal, killed]), killed }
    try {
      const code = (await work(io, pid)) & 0xff
      return killed.aborted ? KILLED_CODE : code
    } catch (error) {
      if (killed.aborted) return KILLED_CODE
      if (error instanceof StreamEnded) return ENDED_CODE
      const reason = messageOf(error)
      await io.stderr(Buffer.from(`${SHELL_NAME}: ${reason}\n`)).catch(() => {})
      return BROKEN_CODE
    } finally {
      end()
    }
  }

  return {
    /** Never fails: what goes wrong is said on stderr and in the exit code. */
    run: (line: string, io: Io) => guarded(io, (guardedIo, pid) => interpreter.run(line, newScope(pid), guardedIo)),
    /** Reads command lines from stdin; with a prompt when a person sits there. */
    interact: (io: Io, { prompt, onInterrupt }: { prompt: boolean; onInterrupt?: (listener: () => void) => void }) => {
      const place = `${device.properties.get('ro.product.device') ?? 'phone'}:`
      return guarded(io, (guardedIo, pid) =>
        interact({ interpreter, io: guardedIo, pid, prompt: prompt ? place : undefined, onInterrupt }),
      )
    },
  }
}

export type Shell = ReturnType<typeof createShell>
