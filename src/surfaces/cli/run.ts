/** One call of `svc`: from its arguments to its exit code. */
import { existsSync } from 'node:fs'
import type { Clock } from '../../runtime/clock.ts'
import { homeOf } from '../../runtime/home.ts'
import type { CommandParts } from '../command-parts.ts'
import type { Command, CommandContext, Environment, Given } from './command.ts'
import type { Catalogue } from './commands/catalogue.ts'
import { oneOf, outputFormat, refuseOutput } from './flags/flag-values.ts'
import { createLog, DEFAULT_LOG_LEVEL, type Io, LOG_LEVELS, type Log } from './io.ts'
import { firstWord, globalFlags, type Parsed, parseAmong } from './parse.ts'
import { policyIn, refuseRelativeHome } from './process.ts'

type ServicesUse = Parameters<CommandContext['services']>[0]

interface OpenServicesOptions {
  env: Environment
  cwd: string
  note: (text: string) => void
  use: ServicesUse
}

export interface RunOptions {
  /** The signal that came was waited for: the exit code is the command's own. */
  forgiveSignal: () => void
  catalogue: Catalogue
  argv: readonly string[]
  version: string
  env: Environment
  /** Throws when the directory is gone. */
  cwd: () => string
  clock: Clock
  io: Io
  /** Asked for by commands that have something to end. */
  signal: () => AbortSignal
  releaseSignals: () => void
  /** From now on an uncaught error is handed over and does not end the process. */
  survive: (note: (error: unknown) => void) => void
  openServices: (options: OpenServicesOptions) => Promise<CommandParts>
}

const logOf = (call: Given, io: Io): Log =>
  createLog(oneOf(call, 'log-level', LOG_LEVELS) ?? DEFAULT_LOG_LEVEL, io.note)

/** By the part that has the command, unless the first word turns out to be something else. */
const parsedBy = async ({ catalogue, argv }: Pick<RunOptions, 'catalogue' | 'argv'>): Promise<Parsed> => {
  const part = await catalogue.part(firstWord(argv) ?? '')
  const parsed = part && parseAmong(part, argv)
  if (parsed) return parsed
  const { parse } = await import('./flags/parse-all.ts')
  return parse(await catalogue.all(), argv)
}

/** Opened when first asked for; `close` waits for the opening. */
const openedOnce = (open: (use: ServicesUse) => Promise<CommandParts>) => {
  let opened: Promise<CommandParts> | undefined
  let closing: Promise<void> | undefined
  const get = (use?: ServicesUse) => {
    opened ??= open(use).then(services => ({
      ...services,
      close: () => {
        closing ??= services.close()
        return closing
      },
    }))
    return opened
  }
  const close = async () => {
    await (await opened?.catch(() => undefined))?.close()
  }
  return { get, close }
}

/** The tables of failures and their hints are read when there is one. */
const failing = () => import('./hinted-output.ts')

export const run = async (options: RunOptions): Promise<number> => {
  const { catalogue, argv, version, env, cwd, clock, io, signal, openServices } = options
  const begunAt = clock.elapsed()
  /** Undefined until the command is known. */
  let understood: Given | undefined
  let known: Command | undefined
  /** Also before the command is known: a refusal looks like any other output. `isLine`: no JSON is indented. */
  const printOutput = async (output: unknown, { ok, isLine = false }: { ok: boolean; isLine?: boolean }) => {
    const given = understood ?? globalFlags(argv)
    const format = outputFormat(given, env)
    if (format !== 'text') {
      return void (await io.print(JSON.stringify(output, null, format === 'pretty' && !isLine ? 2 : undefined)))
    }
    const { printText } = await import('./text/print-text.ts')
    await printText({ output, ok, command: known, given, env, clock, begunAt, io })
  }
  let log = createLog(DEFAULT_LOG_LEVEL, io.note)
  const services = openedOnce(use => openServices({ env: withPolicy, cwd: cwd(), note: log.warn, use }))
  let withPolicy = env
  let finish = async () => {}
  let hint = async () => {}
  try {
    const parsed = await parsedBy(options)
    if (parsed.kind === 'version') {
      await io.print(version)
      return 0
    }
    if (parsed.kind === 'help') {
      const { helpFor } = await import('./help/find-help.ts')
      const { command, group } = parsed
      const words = command?.path ?? (group === undefined ? [] : [group])
      await io.print(await helpFor(command ? [command] : await catalogue.all(), words))
      return 0
    }
    const { given } = parsed
    understood = given
    if (parsed.kind === 'refused') {
      known = parsed.command
      throw parsed.error
    }
    const command = parsed.kind === 'alone' ? (await import('./first-steps/first-steps.ts')).firstSteps : parsed.command
    known = command
    refuseOutput(given, env, command)
    refuseRelativeHome(env)
    withPolicy = policyIn(given, env, cwd)
    log = logOf(given, io)
    const home = homeOf(env)
    if (!existsSync(home)) {
      hint = async () => {
        const text = existsSync(home) ? (await import('./help.ts')).firstUseHint(command) : undefined
        if (text !== undefined) io.note(text)
      }
    }
    const call: CommandContext = {
      ...given,
      env: withPolicy,
      clock,
      io,
      log,
      format: outputFormat(given, env),
      announce: output => printOutput(output, { ok: true, isLine: true }),
      commands: catalogue.all,
      services: services.get,
      releaseSignals: options.releaseSignals,
      get cwd() {
        return cwd()
      },
      get signal() {
        return signal()
      },
    }
    if (command.serves) {
      options.survive(error => log.error(`uncaught error: ${(error as Error)?.stack ?? String(error)}`))
    }
    const { output, ok, exits, expectsSignal, afterwards } = await command.run(call)
    finish = afterwards ?? finish
    if (expectsSignal) options.forgiveSignal()
    if (output !== undefined)
      await printOutput(ok ? output : (await failing()).hintedOutput(output, known, given.args), { ok })
    return ok ? (exits ?? 0) : 1
  } catch (error) {
    const failed = (await failing()).hintedThrown(error, known, understood?.args)
    // After a failed write of the result, this write may fail, too.
    await printOutput(failed, { ok: false }).catch(() => log.error(failed.message))
    return 1
  } finally {
    // A failure to close does not change the answer.
    await Promise.all([finish(), services.close()]).catch(async (error: unknown) =>
      log.error(`closing: ${(await failing()).hintedThrown(error).message}`),
    )
    await hint()
  }
}
