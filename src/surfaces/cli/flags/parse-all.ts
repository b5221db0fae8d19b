/** Parses among all commands, and says what was probably meant where the words name none of them, or a flag is unknown. */
import { didYouMean, distance } from '../../../runtime/text/nearest-word.ts'
import { type FlagTable, marked, splitArgv } from '../argv.ts'
import { type Command, type CommandError, usage } from '../command.ts'
import {
  cacName,
  declared,
  findIn,
  GLOBALS,
  type Parsed,
  readBy,
  tableOf,
  unknownIn,
  valueMissing,
  withCommand,
} from '../parse.ts'
import { knownElsewhere, knownFlagElsewhere, pairElsewhere, subcommandElsewhere } from './suggestions.ts'

/** The words behind this command have flags of their own, which are not ours to read. */
const SHELL = 'svc shell'
const SHELL_HINT =
  'Flags of the command itself go in quotes, or behind --: svc shell "ls -l /sdcard", svc shell -- ls -l /sdcard'

/** A flag that begins alike is found also where other flags are no nearer than half of its letters. */
const flagLike = (written: string, known: readonly string[]): string => {
  const suggestion = didYouMean(written, known)
  if (suggestion !== '') return suggestion
  const far = (name: string) => distance(written, name)
  const [found] = known.filter(name => name.slice(0, ALIKE) === written.slice(0, ALIKE)).sort((a, b) => far(a) - far(b))
  return found !== undefined && far(found) <= (written.length - DASHES) / 2 ? ` Did you mean ${found}?` : ''
}

const DASHES = '--'.length
const ALIKE = '--te'.length

const unknownFlag = (written: string, known: FlagTable, where: string): CommandError => {
  const names = [...known.keys()]
  const suggestion = knownFlagElsewhere(written, names, where === 'svc')
  const instead =
    suggestion === undefined ? '' : suggestion === '--version' ? 'Use: svc --version' : `Use ${suggestion}. `
  const long = names.filter(name => name.startsWith('--'))
  const question = suggestion === undefined ? flagLike(written, long) : ` Did you mean ${suggestion}?`
  const help = suggestion === '--version' ? '' : `See: ${where} --help`
  return usage(`${where} has no flag ${written}.${question}`, {
    hint: where === SHELL ? `${instead}${SHELL_HINT}` : `${instead}${help}`,
  })
}

/** `click --long`, `press home`: the words that name the command. */
const pathIn = (offered: readonly Command[], call: string): string =>
  offered.map(cacName).find(name => `${call} `.startsWith(`${name} `)) ?? ''

const instead = (offered: readonly Command[], written: string, suggestion: string): CommandError => {
  const hint = suggestion.startsWith('-')
    ? `Use: svc ${suggestion}`
    : `Use svc ${suggestion}. See: svc help ${pathIn(offered, suggestion)}`
  return usage(`There is no command "${written}". Did you mean ${suggestion}?`, { hint })
}

const unknownSubcommand = (
  offered: readonly Command[],
  group: readonly Command[],
  words: readonly string[],
): CommandError => {
  const [first = '', second] = words
  const known = group.map(cacName)
  const hint = { hint: `See: svc ${first} --help` }
  if (second === undefined) return usage(`svc ${first} needs a subcommand: ${known.join(', ')}.`, hint)
  const written = `${first} ${second}`
  const elsewhere = pairElsewhere(first, second)
  if (elsewhere !== undefined) return instead(offered, written, elsewhere)
  const suggestion = subcommandElsewhere(
    second,
    group.map(({ path }) => path[1] ?? ''),
  )
  const question = suggestion === undefined ? didYouMean(written, known) : ` Did you mean ${first} ${suggestion}?`
  return usage(`There is no command "${written}".${question}`, hint)
}

const unknownCommand = (offered: readonly Command[], words: readonly string[]): CommandError => {
  const [written = ''] = words
  const group = offered.filter(({ path }) => path[0] === written)
  if (group.length > 0) return unknownSubcommand(offered, group, words)
  const suggestion = knownElsewhere(words)
  if (suggestion !== undefined) return instead(offered, written, suggestion)
  const known = offered.map(cacName)
  const firsts = known.map(path => path.split(' ')[0] ?? '')
  return usage(`There is no command "${written}".${didYouMean(written, [...known, ...firsts])}`, {
    hint: 'See: svc --help',
  })
}

const withoutCommand = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const known = tableOf(commands)
  const split = splitArgv(argv, known)
  const { words, flags } = split
  const call = readBy(declared(), words.map(marked), flags)
  const { isOn } = call
  const offered = commands.filter(({ internal }) => !internal)
  const isGroup = words.length === 1 && offered.some(({ path }) => path[0] === words[0])
  const [group] = words
  if (isOn('help') && (isGroup || group === undefined)) return { kind: 'help', command: undefined, group }
  if (isOn('version') && group === undefined) return { kind: 'version' }
  const isInGroup = offered.some(({ path }) => path[0] === group) && words[1] !== undefined && argv[1] === words[1]
  const isElsewhere = argv[0] === group && (isInGroup || knownElsewhere(words) !== undefined)
  // An unknown flag may have left its value among the words, so it is named first, but for a word that is known.
  const stray = isElsewhere ? undefined : unknownIn(split)
  if (stray !== undefined) throw unknownFlag(stray, known, 'svc')
  if (group !== undefined) throw unknownCommand(offered, words)
  const homeless = unknownIn(splitArgv(argv, GLOBALS))
  if (homeless !== undefined) throw unknownFlag(homeless, GLOBALS, 'svc')
  const valueless = split.problems.find(problem => 'lacksValue' in problem)
  if (valueless) throw usage(valueMissing('svc <command>', valueless.lacksValue, valueless.written))
  return { kind: 'alone', given: call }
}

export const parse = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const command = findIn(commands, argv)
  if (!command) return withoutCommand(commands, argv)
  return withCommand(command, argv, written => unknownFlag(written, tableOf([command]), `svc ${cacName(command)}`))
}
