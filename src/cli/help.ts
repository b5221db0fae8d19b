/** Prints help from the same data as parsing, and greets a new user once. */

import { isatty } from 'node:tty'
import { GLOBAL_FLAGS } from './argv.ts'
import { argumentShape, type Command, commandShape, type Flag } from './command.ts'

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

const section = (title: string, body: string) => (body === '' ? [] : [`${title}:\n${body}`])

const flagRow = ({ name, short, aliases = [], value, summary, many, optional }: Flag): [string, string] => {
  const names = [...(short === undefined ? [] : [`-${short}`]), ...[name, ...aliases].map(each => `--${each}`)]
  return [
    `${names.join(', ')}${value === undefined ? '' : optional ? ` [${value}]` : ` <${value}>`}`,
    many ? `${summary} (may be repeated)` : summary,
  ]
}

const flagSections = (own: readonly Flag[] = []) => [
  ...section('Flags', table(own.map(flagRow))),
  ...section('Flags of every command', table(GLOBAL_FLAGS.map(flagRow))),
]

export const commandHelp = (command: Command): string =>
  [
    `${commandShape(command)} [flags]`,
    command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`,
    ...section('Arguments', table((command.args ?? []).map(each => [argumentShape(each), each.summary]))),
    ...flagSections(command.flags),
    ...section('Examples', command.examples.map(example => `  ${example}`).join('\n')),
  ].join('\n\n')

const TAGLINE = 'svc drives Android devices, and can always say whether your tap happened.'

const NEWCOMERS =
  'New here? svc install sets svc up for agents (--dry-run shows what it would write), svc doctor checks this host and the\ndevices, and svc simulate runs a device where there is no phone.'

export const overview = (commands: readonly Command[], group?: string): string => {
  const shown = commands.filter(({ path, internal }) => !internal && (group === undefined || path[0] === group))
  return [
    group === undefined ? TAGLINE : `svc ${group}`,
    ...section('Commands', table(shown.map(({ path, summary }) => [`svc ${path.join(' ')}`, summary]))),
    ...flagSections(),
    ...(group === undefined ? [NEWCOMERS] : []),
    'Run svc help <command> for details and examples.',
  ].join('\n\n')
}

const STDERR = 2

/** These say themselves what comes next. */
const SILENT = ['install', 'uninstall', 'host', 'authoring-skills', 'completion']

const HINT = `svc: this is your first use; everything is kept in ~/.svc. Next: "svc install" sets svc up for agents ("--dry-run" shows
what it would write), "svc doctor" checks this host and the devices, "svc --help" lists the commands.`

export const firstUseHint = ({ path: [word = ''], internal }: Command): string | undefined =>
  internal || SILENT.includes(word) || !isatty(STDERR) ? undefined : HINT
