/**
 * Prints the help of a command or a group from the same data as parsing, greets a new user once, and names the topics
 * of `svc help <topic>`, which concern many commands.
 */

import { isatty } from 'node:tty'
import { GLOBAL_FLAGS } from './argv.ts'
import { argumentShape, type Command, commandShape, type Flag } from './command.ts'

const SUMMARIES = {
  selectors: 'how a command names a node of the screen',
  devices: 'which device a command uses, and which operator acts on it',
  output: 'what is printed, and where',
  receipts: 'what is known of an execution, and how to go on after a failure',
  'exit-codes': 'what the exit code of svc says',
  flows: "tests in Maestro's format: svc test",
  policy: 'the file that decides what may run',
  scenarios: 'what simulated devices show, and how to write it',
  environment: 'the environment variables that svc reads',
}

export type TopicName = keyof typeof SUMMARIES

/** The texts, sections of the documentation, are loaded when one is shown. */
export const TOPICS = (Object.keys(SUMMARIES) as TopicName[]).map(name => ({ name, summary: SUMMARIES[name] }))

export const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

export const section = (title: string, body: string) => (body === '' ? [] : [`${title}:\n${body}`])

const namesOf = ({ name, short, aliases = [] }: Flag) =>
  [...(short === undefined ? [] : [`-${short}`]), ...[name, ...aliases].map(each => `--${each}`)].join(', ')

const flagRow = (flag: Flag): [string, string] => {
  const { value, summary, many, optional } = flag
  const shape = value === undefined ? '' : optional ? ` [${value}]` : ` <${value}>`
  return [namesOf(flag) + shape, many ? `${summary} (may be repeated)` : summary]
}

const USED_BY_ALL = ['output', 'json', 'log-level', 'help']
const RESULT_FLAGS = ['output', 'json']

/** The global flags that change what this command does. */
const globalFlagsOf = ({ uses = [], hasNoResult = false }: Command): Flag[] =>
  GLOBAL_FLAGS.filter(({ name }) => {
    if (hasNoResult && RESULT_FLAGS.includes(name)) return false
    return USED_BY_ALL.includes(name) || uses.some(each => each === name)
  })

export const commandHelp = (command: Command): string =>
  [
    `${commandShape(command)} [flags]`,
    command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`,
    ...section('Arguments', table((command.args ?? []).map(each => [argumentShape(each), each.summary]))),
    ...section('Flags', table((command.flags ?? []).map(flagRow))),
    ...section('Global flags', table(globalFlagsOf(command).map(flagRow))),
    ...section('Examples', command.examples.map(example => `  ${example}`).join('\n')),
  ].join('\n\n')

export const groupHelp = (commands: readonly Command[], group: string): string => {
  const offered = commands.filter(({ path, internal }) => !internal && path[0] === group)
  return [
    `svc ${group}`,
    ...section('Commands', table(offered.map(({ path, summary }) => [`svc ${path.join(' ')}`, summary]))),
    `Flags and examples of one of them: svc help ${group} <command>`,
  ].join('\n\n')
}

const STDERR = 2

/** These say themselves what comes next. */
const SILENT = ['install', 'uninstall', 'host', 'authoring-skills', 'completion']

const HINT = `svc: this is your first use; everything is kept in ~/.svc. Next: "svc install" sets svc up for agents ("--dry-run" shows
what it would write), "svc doctor" checks this host and the devices, "svc --help" lists the commands.`

export const firstUseHint = ({ path: [word = ''], internal }: Command): string | undefined =>
  internal || SILENT.includes(word) || !isatty(STDERR) ? undefined : HINT
