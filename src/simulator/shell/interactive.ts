/** A shell that reads its command lines from stdin, as `adb shell` without a command starts it. */
import { type Input, type Io, StreamEnded } from './io.ts'
import { parse } from './parse.ts'
import type { Interpreter } from './run.ts'
import { newScope } from './scope.ts'
import { ShellSyntaxError } from './syntax.ts'

/** A line longer than this is taken as it is. */
const LINE_BYTES_MAX = 1_024 * 1_024
const NEWLINE = 0x0a
const INTERRUPTED_CODE = 130

/** The same input line by line; what follows the line is left for the commands. */
export const lineInput = (source: Input): Input & { line(): Promise<string | undefined> } => {
  let held = Buffer.alloc(0)
  const read = async () => {
    if (held.length === 0) return source.read()
    const chunk = held
    held = Buffer.alloc(0)
    return chunk
  }
  return {
    read,
    async line() {
      let from = 0
      for (;;) {
        const end = held.indexOf(NEWLINE, from)
        const stop = end >= 0 ? end + 1 : held.length > LINE_BYTES_MAX ? held.length : 0
        if (stop > 0) {
          const line = held.toString('utf8', 0, stop)
          held = held.subarray(stop)
          return line
        }
        from = held.length
        const more = await source.read()
        if (more) held = Buffer.concat([held, more])
        else if (held.length === 0) return undefined
        else return (await read())?.toString()
      }
    },
  }
}

const isWhole = (text: string): boolean => {
  try {
    parse(text)
    return true
  } catch (error) {
    return !(error instanceof ShellSyntaxError) || !error.incomplete
  }
}

export interface InteractOptions {
  interpreter: Interpreter
  io: Io
  /** What stands before the folder in the prompt; undefined when nobody needs one. */
  prompt: string | undefined
  /** Calls when somebody wants the running command to end. */
  onInterrupt: ((listener: () => void) => void) | undefined
}

/** The same input until the signal aborts; a read that waits then ends. */
const until = (input: Input, signal: AbortSignal): Input => {
  const aborted = new Promise<undefined>(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return { read: () => Promise.race([input.read(), aborted]) }
}

export const interact = async ({ interpreter, io, prompt, onInterrupt }: InteractOptions): Promise<number> => {
  const scope = newScope()
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
