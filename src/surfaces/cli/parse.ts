/** From arguments to a command and its flags. cac does the parsing; `parse-all.ts` explains what is no call of a command. */
import { type CAC, cac } from 'cac'
import { type FlagTable, flagTable, GLOBAL_FLAGS, marked, type SplitArgv, splitArgv, unmarked } from './argv.ts'
import {
  type Argument,
  type Command,
  type CommandError,
  commandShape,
  type Flag,
  type Given,
  usage,
} from './command.ts'

/** Help and version are answered whatever else is wrong. */
export type Parsed =
  | { kind: 'help'; command: Command | undefined; group: string | undefined }
  | { kind: 'version' }
  /** No word was given, and nothing was asked for. */
  | { kind: 'alone'; given: Given }
  | { kind: 'run'; command: Command; given: Given }
  /** The command is known, and called in a wrong way. */
  | { kind: 'refused'; command: Command; error: CommandError; given: Given }

export const GLOBALS = flagTable(GLOBAL_FLAGS)
export const tableOf = (commands: readonly Command[]): FlagTable =>
  flagTable([...GLOBAL_FLAGS, ...commands.flatMap(({ flags = [] }) => flags)])

const optionShape = ({ name, value }: Flag) => (value === undefined ? `--${name}` : `--${name} <${value}>`)
const cacArgument = ({ name, required, rest }: Argument) => {
  const inner = `${rest ? '...' : ''}${name}`
  return required ? `<${inner}>` : `[${inner}]`
}

/** cac compares a command with the first word alone: a command of two words is one word to it. */
export const cacName = ({ path }: Command) => path.join(' ')

export const declared = (command?: Command): CAC => {
  const cli = cac('svc')
  cli.globalCommand.ignoreOptionDefaultValue()
  for (const flag of GLOBAL_FLAGS) cli.option(optionShape(flag), flag.summary)
  if (!command) return cli
  const { args = [], flags = [], summary } = command
  const cacCommand = cli.command([cacName(command), ...args.map(cacArgument)].join(' '), summary)
  for (const flag of flags) cacCommand.option(optionShape(flag), flag.summary)
  // If it had no action, cac would not check the arguments.
  cacCommand.action(() => {})
  return cli
}

/** Words before flags, so that no switch takes a word for its value. */
export const readBy = (cli: CAC, words: readonly string[], flags: readonly string[]): Given => {
  const { args, options } = cli.parse(['', '', ...words, ...flags], { run: false })
  const declaredOptions = [...cli.globalCommand.options, ...(cli.matchedCommand?.options ?? [])]
  const all = (flag: string): string[] => {
    const option = declaredOptions.find(({ rawName }) => rawName.split(' ', 1)[0] === `--${flag}`)
    const value: unknown = option && options[option.name]
    return value === undefined ? [] : [value].flat().map(each => (typeof each === 'string' ? unmarked(each) : ''))
  }
  return { args: args.map(unmarked), all, text: flag => all(flag).at(-1), isOn: flag => all(flag).length > 0 }
}

/** The command with the longest path that the words begin with. */
const findCommand = (commands: readonly Command[], words: readonly string[]): Command | undefined =>
  commands
    .filter(({ path }) => path.every((part, index) => words[index] === part))
    .sort((a, b) => b.path.length - a.path.length)[0]

/** The flags that count after the first argument of a command whose other arguments belong to a script. */
export const scriptArgumentsOf = ({ path, flagsAmongScriptArguments }: Command, known: FlagTable) =>
  flagsAmongScriptArguments && {
    after: path.length + 1,
    own: new Map([...known].filter(([written]) => flagsAmongScriptArguments.includes(written))),
  }

const splitFor = (command: Command, argv: readonly string[]): SplitArgv => {
  const known = tableOf([command])
  return splitArgv(argv, known, scriptArgumentsOf(command, known))
}

/** Another command may have a flag of the same name and another kind, so the choice is checked with its own flags. */
export const findIn = (commands: readonly Command[], argv: readonly string[]): Command | undefined => {
  const command = findCommand(commands, splitArgv(argv, tableOf(commands)).words)
  return command && findCommand([command], splitFor(command, argv).words)
}

export const unknownIn = ({ problems }: SplitArgv): string | undefined =>
  problems.flatMap(problem => ('unknown' in problem ? [problem.unknown] : []))[0]

/** Rewords the problem that cac found with the arguments. */
const argumentProblem = (command: Command, words: readonly string[]): string => {
  const args = command.args ?? []
  const missing = args.find(({ required }, index) => required && words[index] === undefined)
  const problem = missing ? `<${missing.name}> is missing` : `"${words[args.length]}" is one argument too many`
  return `${problem}: ${commandShape(command)}`
}

/** A shape that does not show the flag gains it. */
const shapeWithFlag = (shape: string, { name, aliases = [], value }: Flag, written: string): string =>
  [name, ...aliases].some(each => new RegExp(`--${each}(?![\\w-])`).test(shape))
    ? shape
    : `${shape} [${written} <${value}>]`

export const valueMissing = (shape: string, flag: Flag, written: string): string =>
  `${written} needs a value (${written} <${flag.value}>, or ${written}=<${flag.value}>): ${shapeWithFlag(shape, flag, written)}`

/** The command called; `refuseFlag` says what is wrong with a flag that is unknown, where there may be one. */
export const withCommand = (
  command: Command,
  argv: readonly string[],
  refuseFlag: (written: string) => CommandError = written => usage(`There is no flag ${written}.`),
): Parsed => {
  const { words, flags, problems, passedOn } = splitFor(command, argv)
  const cli = declared(command)
  const read = readBy(cli, [cacName(command), ...words.slice(command.path.length).map(marked)], flags)
  const call = passedOn.length === 0 ? read : { ...read, passedOn }
  if (call.isOn('help')) return { kind: 'help', command, group: undefined }
  if (call.isOn('version')) return { kind: 'version' }
  const [problem] = problems
  const refused = (error: CommandError): Parsed => ({ kind: 'refused', command, error, given: call })
  if (problem && 'unknown' in problem) return refused(refuseFlag(problem.unknown))
  if (problem && 'lacksValue' in problem) {
    return refused(usage(valueMissing(commandShape(command), problem.lacksValue, problem.written)))
  }
  if (problem) return refused(usage(problem.message))
  try {
    cli.runMatchedCommand()
  } catch {
    return refused(usage(argumentProblem(command, call.args)))
  }
  return { kind: 'run', command, given: call }
}

/** The first word that is neither a global flag nor its value: most often the command. */
export const firstWord = (argv: readonly string[]): string | undefined => splitArgv(argv, GLOBALS).words[0]

/** The flags of every command, where the command is not known. */
export const globalFlags = (argv: readonly string[]): Given => {
  const { words, flags } = splitArgv(argv, GLOBALS)
  return readBy(declared(), words.map(marked), flags)
}

/** Undefined when these commands do not explain every flag: then all commands are needed for a good message. */
export const parseAmong = (commands: readonly Command[], argv: readonly string[]): Parsed | undefined => {
  const command = findIn(commands, argv)
  return command && unknownIn(splitFor(command, argv)) === undefined ? withCommand(command, argv) : undefined
}
