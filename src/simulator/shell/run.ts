/** Runs what the parser read: lists, pipelines and commands, over streams that may end at any moment. */

import { messageOf } from '../../runtime/message-of.ts'
import { withoutEnd } from '../../runtime/text/without-end.ts'
import { ArithmeticError } from './arithmetic.ts'
import { type Command, type Commands, type Context, type Device, NOT_FOUND_CODE } from './command.ts'
import { type Expansion, expandText, expandWords, RedirectError, type Redirected, redirectIo } from './expand.ts'
import { createPipe, emptyInput, type Io, lined, readAll, StreamEnded } from './io.ts'
import { ROUNDS_MAX, runCompound } from './run-compound.ts'
import { copyScope, type Scope, SHELL_NAME } from './scope.ts'
import { type List, type ShellCommand, ShellSyntaxError, type SimpleCommand, type Step } from './syntax.ts'

/** The limit of the output of `$(...)`. */
const OUTPUT_BYTES_MAX = 1_024 * 1_024
const BROKEN_PIPE_CODE = 141
/** On a phone that has no processes of its own. */
const FIRST_JOB_PID = 20_001
const FAILED_CODE = 1
/** Ends nothing. */
const NEVER = new AbortController().signal
/** A command line that runs command lines stops somewhere. */
const CALLS_DEEP_MAX = 32

const restoreVariables = (scope: Scope, before: readonly (readonly [string, string | undefined])[]): void => {
  for (const [name, value] of before) {
    if (value === undefined) scope.variables.delete(name)
    else scope.variables.set(name, value)
  }
}

export const createInterpreter = (device: Device, commands: Commands, parse: (line: string) => List) => {
  const find = (name: string): Command | undefined => {
    const plain = name.replace(/^\/(?:system|vendor)\/x?bin\//, '')
    return Object.hasOwn(commands, plain) ? commands[plain] : undefined
  }

  const complain = (io: Io, message: string) => io.stderr(Buffer.from(`${SHELL_NAME}: ${message}\n`))

  const call = async (words: readonly string[], scope: Scope, io: Io, depth: number): Promise<number> => {
    const [name = '', ...args] = words
    const command = find(name)
    if (!command || depth > CALLS_DEEP_MAX) {
      await complain(io, `${name}: ${command ? 'nested too deeply' : 'inaccessible or not found'}`)
      return NOT_FOUND_CODE
    }
    const toBytes = (data: string | Uint8Array) => (typeof data === 'string' ? Buffer.from(data) : data)
    const context: Context = {
      ...device,
      name,
      args,
      stdin: io.stdin,
      out: data => io.stdout(toBytes(data)).then(() => 0),
      err: data => io.stderr(toBytes(data)),
      signal: scope.ignoresHangup ? (io.killed ?? NEVER) : io.signal,
      scope,
      call: (other, changes) => call(other, scope, { ...io, ...changes }, depth + 1),
      run: (line, inner) => runLine(line, inner, io, depth + 1),
      knows: other => find(other) !== undefined,
    }
    try {
      return (await command(context)) & 0xff
    } catch (error) {
      if (error instanceof StreamEnded) {
        if (scope.ignoresHangup && !io.killed?.aborted) return BROKEN_PIPE_CODE
        throw error
      }
      await complain(io, `${name}: ${messageOf(error)}`)
      return FAILED_CODE
    }
  }

  const expansionOf = (scope: Scope, io: Io, depth: number): Expansion => ({
    scope,
    files: device.phone.files,
    async output(inner) {
      const pipe = createPipe()
      const printed = readAll(pipe, OUTPUT_BYTES_MAX).finally(pipe.cancel)
      const copy = copyScope(scope)
      const running = runList(inner, copy, { ...io, stdout: pipe.write }, depth + 1).finally(pipe.end)
      const [text] = await Promise.all([printed, running])
      scope.status = copy.status
      return withoutEnd(text.toString('utf8'), /\n/)
    },
  })

  const inside = async (
    command: ShellCommand,
    scope: Scope,
    io: Io,
    depth: number,
    body: (io: Io) => Promise<number>,
  ): Promise<number> => {
    let redirected: Redirected
    try {
      redirected = await redirectIo(command.redirects, io, expansionOf(scope, io, depth))
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error
      await complain(io, error.message)
      return FAILED_CODE
    }
    let failed: string | undefined
    let status: number
    try {
      status = await body(redirected.io)
    } finally {
      failed = redirected.close()
    }
    if (failed === undefined) return status
    await complain(io, `write: ${failed}`)
    return FAILED_CODE
  }

  const runSimple = async (command: SimpleCommand, scope: Scope, io: Io, depth: number): Promise<number> => {
    const expansion = expansionOf(scope, io, depth)
    const words = await expandWords(command.words, expansion)
    const before = command.assignments.map(({ name }) => [name, scope.variables.get(name)] as const)
    for (const { name, value } of command.assignments) scope.variables.set(name, await expandText(value, expansion))
    const hasOutput = command.assignments.some(({ value }) => value.some(part => part.kind === 'output'))
    return inside(command, scope, io, depth, async inner => {
      if (words.length === 0) return hasOutput ? scope.status : 0
      // Before a command they hold for that command only.
      return call(words, scope, inner, depth).finally(() => restoreVariables(scope, before))
    })
  }

  const runCommand = (command: ShellCommand, scope: Scope, io: Io, depth: number): Promise<number> => {
    if (command.kind === 'simple') return runSimple(command, scope, io, depth)
    return inside(command, scope, io, depth, inner =>
      runCompound(
        command,
        scope,
        { ...inner, stdin: lined(inner.stdin) },
        {
          runList: (list, ownScope, streams) => runList(list, ownScope, streams, depth + 1),
          words: (words, ownScope, streams) => expandWords(words, expansionOf(ownScope, streams, depth)),
          complain,
        },
      ),
    )
  }

  /** A stage whose reader has left ends like one that a broken pipe killed. */
  const runStage = async (command: ShellCommand, scope: Scope, io: Io, depth: number): Promise<number> => {
    try {
      return await runCommand(command, copyScope(scope), io, depth)
    } catch (error) {
      if (!(error instanceof StreamEnded)) throw error
      return BROKEN_PIPE_CODE
    }
  }

  const runPipeline = async ({ commands: stages }: Step, scope: Scope, io: Io, depth: number): Promise<number> => {
    const [only, ...more] = stages
    if (only && more.length === 0) return runCommand(only, scope, io, depth)
    const pipes = more.map(() => createPipe())
    const codes = await Promise.all(
      stages.map((stage, index) => {
        const from = pipes[index - 1]
        const to = pipes[index]
        const streams = { ...io, stdin: from ?? io.stdin, stdout: to?.write ?? io.stdout }
        return runStage(stage, scope, streams, depth).finally(() => {
          from?.cancel()
          to?.end()
        })
      }),
    )
    return codes.at(-1) ?? 0
  }

  /** A job ends with the caller of its line, unless it has left it (`setsid`, `nohup`) or the line was over before. */
  const startJob = (step: Step, scope: Scope, io: Io, depth: number) => {
    const pid = device.phone.processes?.nextPid() ?? FIRST_JOB_PID
    const hangUp = new AbortController()
    io.signal.addEventListener('abort', () => io.line?.isOver || hangUp.abort(), { once: true })
    const jobScope = { ...copyScope(scope), pid }
    const end = runPipeline(step, jobScope, { ...io, stdin: emptyInput, signal: hangUp.signal }, depth)
    scope.jobs = [...(scope.jobs ?? []), { pid, end: end.catch(() => BROKEN_PIPE_CODE) }]
  }

  const runList = async (list: List, scope: Scope, io: Io, depth: number): Promise<number> => {
    for (const step of list) {
      if (step.when !== 'always' && (step.when === 'success') !== (scope.status === 0)) continue
      if (io.killed?.aborted || (io.signal.aborted && !scope.ignoresHangup)) throw new StreamEnded()
      if (step.isBackground) {
        startJob(step, scope, io, depth)
        scope.status = 0
        continue
      }
      const status = await runPipeline(step, scope, io, depth)
      scope.status = step.negated ? Number(status === 0) : status
      if (scope.ended !== undefined) return scope.ended
      if (scope.leaving) break
    }
    return scope.status
  }

  const runLine = async (line: string, scope: Scope, io: Io, depth: number): Promise<number> => {
    let list: List
    try {
      list = parse(line)
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      await complain(io, error.message)
      return FAILED_CODE
    }
    try {
      return await runList(list, scope, io, depth)
    } catch (error) {
      if (!(error instanceof ArithmeticError)) throw error
      await complain(io, error.message)
      scope.ended = FAILED_CODE
      return FAILED_CODE
    }
  }

  return {
    run(text: string, scope: Scope, io: Io) {
      const line = { isOver: false }
      return runLine(text, scope, { ...io, stdin: lined(io.stdin), rounds: { left: ROUNDS_MAX }, line }, 0).finally(
        () => {
          line.isOver = true
        },
      )
    },
  }
}

export type Interpreter = ReturnType<typeof createInterpreter>
