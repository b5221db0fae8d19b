/** Parses among all commands, and says what was probably meant where the words name none of them, or a flag is unknown. */
import { type FlagTable, marked, splitArgv } from './argv.ts'
import { type Command, type CommandError, usage } from './command.ts'
import { didYouMean } from './flag-values.ts'
import { cacName, declared, findIn, GLOBALS, type Parsed, readBy, tableOf, unknownIn, withCommand } from './parse.ts'
import { knownElsewhere, knownFlagElsewhere, subcommandElsewhere } from './suggestions.ts'

const unknownFlag = (written: string, known: FlagTable, where: string): CommandError => {
  const meant = knownFlagElsewhere(written, where === 'svc')
  if (meant !== undefined) {
    const hint = meant === '--version' ? 'Use: svc --version' : `Use ${meant}. See: ${where} --help`
    return usage(`${where} has no flag ${written}. Did you mean ${meant}?`, { hint })
  }
  const long = [...known.keys()].filter(name => name.startsWith('--'))
  return usage(`${where} has no flag ${written}.${didYouMean(written, long)}`, { hint: `See: ${where} --help` })
}

const unknownSubcommand = (group: readonly Command[], words: readonly string[]): CommandError => {
  const [first = '', second] = words
  const known = group.map(cacName)
  const hint = { hint: `See: svc ${first} --help` }
  if (second === undefined) return usage(`svc ${first} needs a subcommand: ${known.join(', ')}.`, hint)
  const given = `${first} ${second}`
  const meant = subcommandElsewhere(
    second,
    group.map(({ path }) => path[1] ?? ''),
  )
  const question = meant === undefined ? didYouMean(given, known) : ` Did you mean ${first} ${meant}?`
  return usage(`There is no command "${given}".${question}`, hint)
}

/** `click --long`, `press home`: the words that name the command. */
const pathIn = (shown: readonly Command[], call: string): string =>
  shown.map(cacName).find(name => `${call} `.startsWith(`${name} `)) ?? ''

const unknownCommand = (shown: readonly Command[], words: readonly string[]): CommandError => {
  const [given = ''] = words
  const group = shown.filter(({ path }) => path[0] === given)
  if (group.length > 0) return unknownSubcommand(group, words)
  const meant = knownElsewhere(words)
  if (meant !== undefined) {
    const hint = meant.startsWith('-') ? `Use: svc ${meant}` : `Use svc ${meant}. See: svc help ${pathIn(shown, meant)}`
    return usage(`There is no command "${given}". Did you mean ${meant}?`, { hint })
  }
  const known = shown.map(cacName)
  const firsts = known.map(path => path.split(' ')[0] ?? '')
  return usage(`There is no command "${given}".${didYouMean(given, [...known, ...firsts])}`, {
    hint: 'See: svc --help',
  })
}

const withoutCommand = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const known = tableOf(commands)
  const split = splitArgv(argv, known)
  const { words, flags } = split
  const given = readBy(declared(), words.map(marked), flags)
  const { isOn } = given
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
  return { kind: 'alone', given }
}

export const parse = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const command = findIn(commands, argv)
  if (!command) return withoutCommand(commands, argv)
  return withCommand(command, argv, written => unknownFlag(written, tableOf([command]), `svc ${cacName(command)}`))
}
