/** From arguments to a command and its flags, or to a usage error that says what was probably meant. cac does the parsing. */
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
import { didYouMean } from './flag-values.ts'

/** Help and version are answered whatever else is wrong. */
export type Parsed =
  | { kind: 'help'; command: Command | undefined; group: string | undefined }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; given: Given }
  /** The command is known, and called in a wrong way. */
  | { kind: 'refused'; error: CommandError; given: Given }

const GLOBALS = flagTable(GLOBAL_FLAGS)
const tableOf = (commands: readonly Command[]): FlagTable =>
  flagTable([...GLOBAL_FLAGS, ...commands.flatMap(({ flags = [] }) => flags)])

const optionShape = ({ name, value }: Flag) => (value === undefined ? `--${name}` : `--${name} <${value}>`)
const cacArgument = ({ name, required, rest }: Argument) => {
  const inner = `${rest ? '...' : ''}${name}`
  return required ? `<${inner}>` : `[${inner}]`
}

/** cac compares a command with the first word alone: a command of two words is one word to it. */
const cacName = ({ path }: Command) => path.join(' ')

const declared = (command?: Command): CAC => {
  const cli = cac('svc')
  cli.globalCommand.ignoreOptionDefaultValue()
  for (const flag of GLOBAL_FLAGS) cli.option(optionShape(flag), flag.summary)
  if (!command) return cli
  const { args = [], flags = [], summary } = command
  const own = cli.command([cacName(command), ...args.map(cacArgument)].join(' '), summary)
  for (const flag of flags) own.option(optionShape(flag), flag.summary)
  // If it had no action, cac would not check the arguments.
  own.action(() => {})
  return cli
}

/** Words before flags, so that no switch takes a word for its value. */
const readBy = (cli: CAC, words: readonly string[], flags: readonly string[]): Given => {
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
const findIn = (commands: readonly Command[], argv: readonly string[]): Command | undefined => {
  const command = findCommand(commands, splitArgv(argv, tableOf(commands)).words)
  return command && findCommand([command], splitFor(command, argv).words)
}

const unknownIn = ({ problems }: SplitArgv): string | undefined =>
  problems.flatMap(problem => ('unknown' in problem ? [problem.unknown] : []))[0]

const unknownFlag = (written: string, known: FlagTable, where: string) => {
  const long = [...known.keys()].filter(name => name.startsWith('--'))
  return usage(`${where} has no flag ${written}.${didYouMean(written, long)}`, { hint: `See: ${where} --help` })
}

const unknownCommand = (shown: readonly Command[], words: readonly string[]) => {
  const group = shown.filter(({ path }) => path[0] === words[0])
  const given = words.slice(0, group.length > 0 ? 2 : 1).join(' ')
  const known = (group.length > 0 ? group : shown).map(cacName)
  const firsts = group.length > 0 ? [] : known.map(path => path.split(' ')[0] ?? '')
  const hint = { hint: group.length > 0 ? `See: svc ${words[0]} --help` : 'See: svc --help' }
  if (group.length > 0 && words.length === 1)
    return usage(`svc ${given} needs a subcommand: ${known.join(', ')}.`, hint)
  return usage(`There is no command "${given}".${didYouMean(given, [...known, ...firsts])}`, hint)
}

const withoutCommand = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const known = tableOf(commands)
  const split = splitArgv(argv, known)
  const { words, flags } = split
  const { isOn } = readBy(declared(), words.map(marked), flags)
  const shown = commands.filter(({ internal }) => !internal)
  const isGroup = words.length === 1 && shown.some(({ path }) => path[0] === words[0])
  const [group] = words
  if (isOn('help') && (isGroup || group === undefined)) return { kind: 'help', command: undefined, group }
  if (isOn('version') && group === undefined) return { kind: 'version' }
  // An unknown flag may have left its value among the words, so it is named first.
  const stray = unknownIn(split)
  if (stray !== undefined) throw unknownFlag(stray, known, 'svc')
  if (group !== undefined) throw unknownCommand(shown, words)
  const homeless = unknownIn(splitArgv(argv, GLOBALS))
  if (homeless !== undefined) throw unknownFlag(homeless, GLOBALS, 'svc')
  return { kind: 'help', command: undefined, group: undefined }
}

/** Rewords the problem that cac found with the arguments. */
const argumentProblem = (command: Command, given: readonly string[]): string => {
  const args = command.args ?? []
  const missing = args.find(({ required }, index) => required && given[index] === undefined)
  const problem = missing ? `<${missing.name}> is missing` : `"${given[args.length]}" is one argument too many`
  return `${problem}: ${commandShape(command)}`
}

const withCommand = (command: Command, argv: readonly string[]): Parsed => {
  const { words, flags, problems } = splitFor(command, argv)
  const cli = declared(command)
  const given = readBy(cli, [cacName(command), ...words.slice(command.path.length).map(marked)], flags)
  if (given.isOn('help')) return { kind: 'help', command, group: undefined }
  if (given.isOn('version')) return { kind: 'version' }
  const [problem] = problems
  const refused = (error: CommandError): Parsed => ({ kind: 'refused', error, given })
  if (problem && 'unknown' in problem) {
    return refused(unknownFlag(problem.unknown, tableOf([command]), `svc ${cacName(command)}`))
  }
  if (problem) return refused(usage(problem.message))
  try {
    cli.runMatchedCommand()
  } catch {
    return refused(usage(argumentProblem(command, given.args)))
  }
  return { kind: 'run', command, given }
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

export const parse = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const command = findIn(commands, argv)
  return command ? withCommand(command, argv) : withoutCommand(commands, argv)
}
