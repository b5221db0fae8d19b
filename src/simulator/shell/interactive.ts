/** A shell that reads its command lines from stdin, as `adb shell` without a command starts it. */
import { type Io, StreamEnded } from './io.ts'
import { LINE_BYTES_MAX, type LineInput, lineInput } from './line-input.ts'
import { parse } from './parse.ts'
import type { Interpreter } from './run.ts'
import { newScope } from './scope.ts'
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

export interface InteractOptions {
  interpreter: Interpreter
  io: Io
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
