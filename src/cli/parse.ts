/** From arguments to a command and its flags, or to a usage error that says what was probably meant. */
import { type Command, commandShape, type Flag, type Given, usage } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { GLOBAL_FLAGS } from './global-flags.ts'
import { passedOn } from './passed-on.ts'
import { flagsByName, type OptionToken, optionsOf, type Token, tokensOf, wordsOf } from './tokens.ts'

/** Help and version are answered whatever else is wrong. */
export type Parsed =
  | { kind: 'help'; command: Command | undefined; group: string | undefined }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; given: Given }

const commandFlags = (command: Command | undefined) => [...GLOBAL_FLAGS, ...(command?.flags ?? [])]

/** The command whose path is the longest that the words begin with. */
const findCommand = (commands: readonly Command[], words: readonly string[]): Command | undefined =>
  commands
    .filter(({ path }) => path.every((part, index) => words[index] === part))
    .sort((a, b) => b.path.length - a.path.length)[0]

/** The first word that is neither a global flag nor its value: most often the command. */
export const firstWord = (argv: readonly string[]): string | undefined => wordsOf(tokensOf(argv, GLOBAL_FLAGS))[0]

/** Another command may have a flag of the same name and another kind: what counts is that the chosen one finds itself. */
const findIn = (commands: readonly Command[], argv: readonly string[]): Command | undefined => {
  const everyFlag = commands.flatMap(command => command.flags ?? [])
  const command = findCommand(commands, wordsOf(tokensOf(argv, [...GLOBAL_FLAGS, ...everyFlag])))
  if (!command) return undefined
  return findCommand([command], wordsOf(tokensOf(argv, commandFlags(command))))
}

const unknownFlag = (rawName: string, known: Iterable<string>, where: string) => {
  const dashed = [...known].map(name => `--${name}`)
  return usage(`${where} has no flag ${rawName}.${didYouMean(rawName, dashed)}`, { hint: `See: ${where} --help` })
}

const unknownCommand = (shown: readonly Command[], words: readonly string[]) => {
  const group = shown.filter(({ path }) => path[0] === words[0])
  const given = words.slice(0, group.length > 0 ? 2 : 1).join(' ')
  const known = (group.length > 0 ? group : shown).map(({ path }) => path.join(' '))
  const firsts = group.length > 0 ? [] : known.map(path => path.split(' ')[0] ?? '')
  const hint = { hint: group.length > 0 ? `See: svc ${words[0]} --help` : 'See: svc --help' }
  if (group.length > 0 && words.length === 1) return usage(`svc ${given} is one of: ${known.join(', ')}.`, hint)
  return usage(`There is no command "${given}".${didYouMean(given, [...known, ...firsts])}`, hint)
}

const refuseValue = ({ rawName, value, inlineValue }: OptionToken, flag: Flag) => {
  if (flag.value === undefined && inlineValue) throw usage(`${rawName} takes no value.`)
  // What looks like a flag is a forgotten value more often than a value.
  if (flag.value !== undefined && (value === undefined || (!inlineValue && value.startsWith('--')))) {
    throw usage(`${rawName} needs a value: ${rawName} <${flag.value}> (or ${rawName}=<${flag.value}>).`)
  }
}

const valuesOf = (tokens: readonly Token[], command: Command): Map<string, string[]> => {
  const known = flagsByName(commandFlags(command))
  const found = new Map<string, string[]>()
  for (const option of optionsOf(tokens)) {
    const flag = known.get(option.name)
    if (!flag) throw unknownFlag(option.rawName, known.keys(), `svc ${command.path.join(' ')}`)
    refuseValue(option, flag)
    found.set(flag.name, [...(found.get(flag.name) ?? []), option.value ?? ''])
  }
  return found
}

const refuseArguments = (command: Command, given: readonly string[]) => {
  const args = command.args ?? []
  const missing = args.find(({ required }, index) => required && given[index] === undefined)
  if (missing) throw usage(`<${missing.name}> is missing: ${commandShape(command)}`)
  if (!args.some(({ rest }) => rest) && given.length > args.length) {
    throw usage(`"${given[args.length]}" is one argument too many: ${commandShape(command)}`)
  }
}

const isAsked = (tokens: readonly Token[], flag: string) => optionsOf(tokens).some(({ name }) => name === flag)

const withoutCommand = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const everyFlag = [...GLOBAL_FLAGS, ...commands.flatMap(command => command.flags ?? [])]
  const tokens = tokensOf(argv, everyFlag)
  const words = wordsOf(tokens)
  const shown = commands.filter(({ internal }) => !internal)
  const isGroup = words.length === 1 && shown.some(({ path }) => path[0] === words[0])
  const [group] = words
  if (isAsked(tokens, 'help') && (isGroup || group === undefined)) return { kind: 'help', command: undefined, group }
  if (isAsked(tokens, 'version') && group === undefined) return { kind: 'version' }
  // A flag that nobody has may have swallowed nothing or left its value among the words: it is the first to be named.
  const known = flagsByName(everyFlag)
  const stray = optionsOf(tokens).find(({ name }) => !known.has(name))
  if (stray) throw unknownFlag(stray.rawName, known.keys(), 'svc')
  if (group !== undefined) throw unknownCommand(shown, words)
  const [option] = optionsOf(tokens).filter(({ name }) => !flagsByName(GLOBAL_FLAGS).has(name))
  if (option) throw unknownFlag(option.rawName, flagsByName(GLOBAL_FLAGS).keys(), 'svc')
  return { kind: 'help', command: undefined, group: undefined }
}

/** What is the command's, and its arguments. */
const split = (command: Command, argv: readonly string[]): { tokens: readonly Token[]; args: readonly string[] } => {
  const tokens = tokensOf(argv, commandFlags(command))
  if (!command.passesOn) return { tokens, args: wordsOf(tokens).slice(command.path.length) }
  return passedOn({ argv, tokens, known: flagsByName(commandFlags(command)), after: command.path.length })
}

const withCommand = (command: Command, argv: readonly string[]): Parsed => {
  const { tokens, args } = split(command, argv)
  if (isAsked(tokens, 'help')) return { kind: 'help', command, group: undefined }
  if (isAsked(tokens, 'version')) return { kind: 'version' }
  const values = valuesOf(tokens, command)
  refuseArguments(command, args)
  const all = (flag: string) => values.get(flag) ?? []
  return { kind: 'run', command, given: { args, all, text: flag => all(flag).at(-1), isOn: flag => values.has(flag) } }
}

/** Undefined when these commands do not make sense of all of it: then it is for all commands to say what was meant. */
export const parseAmong = (commands: readonly Command[], argv: readonly string[]): Parsed | undefined => {
  const command = findIn(commands, argv)
  if (!command) return undefined
  const known = flagsByName(commandFlags(command))
  const isUnderstood = optionsOf(split(command, argv).tokens).every(({ name }) => known.has(name))
  return isUnderstood ? withCommand(command, argv) : undefined
}

export const parse = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const command = findIn(commands, argv)
  return command ? withCommand(command, argv) : withoutCommand(commands, argv)
}
