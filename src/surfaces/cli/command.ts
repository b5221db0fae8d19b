/** A command as data: what it is called, what it takes, and what it does. Help, parsing and completion read the same. */
import type { FailureCode, FailureExtra } from '../../contracts/failures/failures.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CommandParts } from '../command-parts.ts'
import type { Io, Log } from './io.ts'
import type { Page } from './text/page.ts'

export interface Flag {
  /** The name with no dashes. */
  name: string
  /** One letter, for `-h`; only for a switch. */
  short?: string
  /** Names the value in the help, or lists the values (`json|pretty|text`); a flag with no value is a switch. */
  value?: string
  summary: string
  aliases?: readonly string[]
  /** May be given several times. */
  many?: boolean
  /** May stand without its value: a following word is the value only if it looks like this. */
  optional?: RegExp
}

/** Values that completion looks up. */
export type ValueKind =
  | 'device'
  | 'execution'
  | 'skill'
  | 'skill-flag'
  | 'avd'
  | 'app'
  | 'label'
  | 'id'
  | 'role'
  | 'ref'
  | 'actor'
  | 'test-run'
  | 'lease'
  | 'machine'
  | 'key'
  | 'direction'

export interface Argument {
  name: string
  summary: string
  required?: boolean
  /** Takes all that are left. */
  rest?: boolean
  /** How it is written, where name, `required` and `rest` do not say it. */
  shape?: string
  /** Every possible value, where they can be listed. */
  values?: readonly string[]
  kind?: ValueKind
}

/** The words and flags that were given to the command. */
export interface Given {
  args: readonly string[]
  /** Flags of svc that a script gets, for they stand among its arguments and not behind `--`. */
  passedOn?: readonly string[]
  /** The last value of a flag, if it was given. */
  text(flag: string): string | undefined
  all(flag: string): readonly string[]
  isOn(flag: string): boolean
}

/** `text` is for people, and no contract. */
export type OutputFormat = 'json' | 'pretty' | 'text'

export type Environment = Readonly<Record<string, string | undefined>>

export interface CommandContext extends Given {
  env: Environment
  /** Relative paths of the caller start here. */
  cwd: string
  clock: Clock
  io: Io
  log: Log
  format: OutputFormat
  /** Prints a result while the command goes on: as text, or as one line of JSON. */
  announce(output: unknown): Promise<void>
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  signal: AbortSignal
  /** Nothing is left to clean up: from the next write on, a signal just ends the process. */
  releaseSignals(): void
  /** The other commands, for help and completion. */
  commands(): Promise<readonly Command[]>
  /**
   * Made when first asked for, closed when the command has ended. A command that only executes names that: services that
   * can serve as well take longer to load.
   */
  services(use?: 'execution'): Promise<CommandParts>
}

export interface CommandResult {
  /** This command ends by a signal, which is not a failure. */
  expectsSignal?: boolean
  /** Printed alone on stdout, as --output says. Nothing is printed for undefined. */
  output?: unknown
  ok: boolean
  /** The exit code of a command whose output is what was asked for, and tells of a failure. */
  exits?: 1
  /** Finishes the command once the output is out; must end by itself. */
  afterwards?(): Promise<void>
}

/** Every command takes these, and some use them. */
export type GlobalFlag = 'device' | 'lease' | 'operator-package' | 'timeout' | 'policy' | 'no-daemon' | 'verbose'

/** Each knows the shape of its own command. */
export type Printer = (page: Page, output: never) => string

export interface Command {
  /** `['devices']`, `['daemon', 'start']`. */
  path: readonly string[]
  /** How it is called, where the arguments and flags alone do not say it. */
  shape?: string
  summary: string
  details?: string
  args?: readonly Argument[]
  flags?: readonly Flag[]
  examples: readonly string[]
  /** After the first argument, only these flags (as they are written) are flags: everything else belongs to a script. */
  flagsAmongScriptArguments?: readonly string[]
  /** Whatever --output names, other than a way to print, is the file to write. */
  writesOutput?: boolean
  /** Loads the printer for --output text; a command that is unchanged prints the same whatever --output says. */
  text?: (() => Promise<Printer>) | 'execution' | 'unchanged'
  /** A report is what was asked for, also where what it says is bad. */
  isReport?: boolean
  /** Its printer prints failures as well. */
  printsFailures?: boolean
  /** The global flags that the help of the command lists. */
  uses?: readonly GlobalFlag[]
  /** Prints no JSON result, so --output and --json change nothing. */
  hasNoResult?: boolean
  /** Left out of help and completion. */
  internal?: boolean
  /** Serves until a signal comes: an uncaught error is logged and does not end it. */
  serves?: boolean
  run(call: CommandContext): Promise<CommandResult>
}

/** A failure that ends a command: printed as `{code, message, details?, hint?}`. */
export class CommandError extends Error {
  readonly code: FailureCode
  readonly details: FailureExtra['details']
  readonly hint: FailureExtra['hint']

  constructor(code: FailureCode, message: string, { details, hint }: FailureExtra = {}) {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.details = details
    this.hint = hint
  }
}

export const usage = (message: string, extra?: FailureExtra): CommandError => new CommandError('USAGE', message, extra)

/** A usage error that repeats nothing of what was written, so nothing in it is masked. */
export const usageInOwnWords = (message: string) => Object.assign(usage(message), { isInOwnWords: true })

/** The argument, or the flag that stands for it; `twice` says that both are given. */
export const argumentOr = ({ args: [word], text }: Given, flag: string, twice: string): string | undefined => {
  const flagText = text(flag)
  if (word !== undefined && flagText !== undefined) throw usage(twice)
  return word ?? flagText
}

export const argumentShape = ({ name, shape, required, rest }: Argument): string =>
  shape ?? `${required ? '<' : '['}${name}${rest ? '...' : ''}${required ? '>' : ']'}`

export const commandShape = ({ path, shape, args = [] }: Command): string =>
  shape ?? ['svc', ...path, ...args.map(argumentShape)].join(' ')
