/** A command of the phone's shell: a function of words and streams that ends with an exit code; its flags, its input files and its failures. */
import type { Clock } from '../../runtime/clock.ts'
import { whyUnreadable } from '../file-access.ts'
import { FILES_BYTES_MAX, normalPath } from '../files.ts'
import type { Phone } from '../phone.ts'
import { bytesInput, type Input, type Io, readAll } from './io.ts'
import type { Processes } from './processes.ts'
import type { Scope } from './scope.ts'

/** Properties set at run time lie over the phone's own. */
export interface Properties {
  get(name: string): string | undefined
  set(name: string, value: string): void
  all(): ReadonlyMap<string, string>
}

export interface Device {
  phone: Phone
  /** The time that `date` and the log tell. */
  clock: Clock
  /** The time that waits of commands take. */
  waits: Clock
  properties: Properties
  processes: Pick<Processes, 'kill'>
}

export interface Context extends Device {
  name: string
  args: readonly string[]
  stdin: Input
  /** Resolves to 0: a command that ends with what it prints has succeeded. */
  out(data: string | Uint8Array): Promise<number>
  err(data: string | Uint8Array): Promise<void>
  signal: AbortSignal
  scope: Scope
  /** Runs other words in the same place, over the same streams unless told otherwise. */
  call(words: readonly string[], changes?: Partial<Io>): Promise<number>
  /** Runs a command line. */
  run(line: string, scope: Scope): Promise<number>
  /** True when a command of this name exists. */
  knows(name: string): boolean
}

export type Command = (context: Context) => number | Promise<number>

export type Commands = Readonly<Record<string, Command>>

/** The exit code that most Android commands give for misuse. */
export const USAGE_CODE = 255
export const NOT_FOUND_CODE = 127

export const parseFlags = (args: readonly string[], { on = '', valued = '' }: { on?: string; valued?: string }) => {
  const options = new Map<string, string>()
  const rest: string[] = []
  /** An option that the command does not know, or that lacks its value. */
  let bad: string | undefined
  let plain = false
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (plain || word === '-' || !word.startsWith('-')) {
      rest.push(word)
      continue
    }
    if (word === '--') {
      plain = true
      continue
    }
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] ?? ''
      if (valued.includes(letter)) {
        const value = word.slice(at + 1) || args[++index]
        if (value === undefined) bad ??= letter
        else options.set(letter, value)
        break
      }
      if (on.includes(letter)) options.set(letter, '')
      else bad ??= letter
    }
  }
  return {
    has: (letter: string) => options.has(letter),
    value: (letter: string): string | undefined => options.get(letter),
    rest,
    bad,
  }
}

export type Flags = ReturnType<typeof parseFlags>

export const fail = async (context: Context, message: string, code = 1): Promise<number> => {
  await context.err(`${message}\n`)
  return code
}

/** A small Unix tool that failed on a file. */
export const failOn = (context: Context, path: string, reason: string): Promise<number> =>
  fail(context, `${context.name}: ${path}: ${reason}`)

export const badFlag = (context: Context, { bad }: Flags): Promise<number> =>
  fail(context, `${context.name}: Unknown option '${bad}' (see "${context.name} --help")`)

/** Misuse, as the Android commands report it. */
export const misuse = (context: Context, message: string): Promise<number> =>
  fail(context, `Error: ${message}`, USAGE_CODE)

export const withFlags =
  (letters: Parameters<typeof parseFlags>[1], run: (context: Context, flags: Flags) => Promise<number>): Command =>
  context => {
    const flags = parseFlags(context.args, letters)
    return flags.bad ? badFlag(context, flags) : run(context, flags)
  }

/** Calls for each source; a file that is not there costs exit code 1. */
export const eachSource = async (
  context: Context,
  words: readonly string[],
  use: (source: Input, name: string) => Promise<unknown>,
): Promise<number> => {
  let code = 0
  for (const word of words.length === 0 ? ['-'] : words) {
    const path = normalPath(word, context.scope.cwd)
    const denied = word === '-' ? undefined : whyUnreadable(path, context.scope.runAs)
    const content = word === '-' ? undefined : context.phone.files.read(path)?.content
    if (word === '-') await use(context.stdin, '-')
    else if (denied !== undefined) code = await failOn(context, word, denied)
    else if (content) await use(bytesInput(content), word)
    else code = await failOn(context, word, 'No such file or directory')
  }
  return code
}

/** The same with the whole content at once. */
export const eachContent = (
  context: Context,
  words: readonly string[],
  use: (content: Buffer, name: string) => Promise<unknown>,
): Promise<number> =>
  eachSource(context, words, async (source, name) => use(await readAll(source, FILES_BYTES_MAX), name))
