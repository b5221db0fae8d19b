/** The reference of commands and flags, and of the environment variables, from the declarations of the command line. */

import { GLOBAL_FLAGS } from '../../../surfaces/cli/argv.ts'
import { argumentShape, type Command, commandShape, type Flag } from '../../../surfaces/cli/command.ts'
import { ENVIRONMENT } from '../../../surfaces/cli/environment.ts'
import { code, markdownTable, prose, sentence } from './table.ts'

export const environmentTables = (): string =>
  Object.entries(ENVIRONMENT)
    .map(([heading, variables]) => {
      const rows = variables.map(({ names, meaning }) => [names.map(code).join(', '), sentence(meaning)])
      return `## ${heading}\n\n${markdownTable(['variable', 'meaning'], rows)}`
    })
    .join('\n\n')

const nameOf = ({ path }: Command) => `svc ${path.join(' ')}`

const flagNames = ({ name, short, aliases = [], value, optional }: Flag): string => {
  const names = [...(short === undefined ? [] : [`-${short}`]), ...[name, ...aliases].map(each => `--${each}`)]
  const valueText = value === undefined ? '' : optional ? ` [${value}]` : ` <${value}>`
  return names.map(each => code(`${each}${valueText}`)).join(', ')
}

const flagRows = (flags: readonly Flag[]) =>
  flags.map(flag => [flagNames(flag), sentence(`${flag.summary}${flag.many ? ' (may be repeated)' : ''}`)])

const flagTable = (flags: readonly Flag[]) => markdownTable(['flag', 'meaning'], flagRows(flags))

/** Many commands share a set of flags: it is listed once. */
const sharedSetOf = (name: string): string | undefined => {
  if (/^container-/.test(name)) return 'container'
  if (['text', 'text-contains', 'id', 'desc', 'desc-contains', 'role', 'selector', 'ref'].includes(name))
    return 'selector'
  if (/^fleet(-name|-host|-creds|-ca)?$/.test(name)) return 'fleet'
  return ['validate-only', 'dry-run', 'wait', 'observe'].includes(name) ? 'execution' : undefined
}

/** A set is shared where at least so many commands declare the same flag in the same words. */
const SHARED_BY = 3

const isShared = (commands: readonly Command[]) => {
  const counts = new Map<string, number>()
  const key = ({ name, summary }: Flag) => `${name}\0${summary}`
  for (const flag of commands.flatMap(({ flags = [] }) => flags))
    counts.set(key(flag), (counts.get(key(flag)) ?? 0) + 1)
  return (flag: Flag) => sharedSetOf(flag.name) !== undefined && (counts.get(key(flag)) ?? 0) >= SHARED_BY
}

const SETS = {
  execution: 'Flags of executions',
  selector: 'Selectors',
  container: 'Containers',
  fleet: 'Flags of a fleet',
} as const

const anchorOf = (heading: string) => `#${heading.toLowerCase().replaceAll(' ', '-')}`

export const sharedFlags = (commands: readonly Command[]): string => {
  const shared = isShared(commands)
  const flags = new Map(
    commands.flatMap(({ flags = [] }) => flags.filter(shared)).map((flag): [string, Flag] => [flag.name, flag]),
  )
  const sections = Object.entries(SETS).map(([set, heading]) => {
    const setFlags = [...flags.values()].filter(({ name }) => sharedSetOf(name) === set)
    return setFlags.length === 0 ? '' : `### ${heading}\n\n${flagTable(setFlags)}`
  })
  return [`### Flags of every command\n\n${flagTable(GLOBAL_FLAGS)}`, ...sections].filter(Boolean).join('\n\n')
}

/** Details are broken by hand for a terminal; an empty line begins a paragraph. */
const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map(part => sentence(part.replace(/\n/g, ' ')))
    .join('\n\n')

const referenceOf = (command: Command, shared: (flag: Flag) => boolean): string => {
  const { args = [], flags = [], summary, details, examples } = command
  const sets = new Set(flags.filter(shared).map(({ name }) => sharedSetOf(name)))
  const links = Object.entries(SETS).filter(([set]) => sets.has(set))
  const ownFlags = flags.filter(flag => !shared(flag))
  return [
    `### ${nameOf(command)}`,
    `${code(commandShape(command))}: ${prose(summary)}.`,
    details === undefined ? '' : paragraphs(details),
    args.length === 0
      ? ''
      : markdownTable(
          ['argument', 'meaning'],
          args.map(argument => [code(argumentShape(argument)), sentence(argument.summary)]),
        ),
    ownFlags.length === 0 ? '' : flagTable(ownFlags),
    links.length === 0
      ? ''
      : `Also: ${links.map(([, heading]) => `[${heading.toLowerCase()}](${anchorOf(heading)})`).join(', ')}.`,
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}

export const commandReference = (commands: readonly Command[]): string => {
  const shared = isShared(commands)
  return commands.map(command => referenceOf(command, shared)).join('\n\n')
}

export const commandOverview = (commands: readonly Command[]): string =>
  markdownTable(
    ['command', 'what it does'],
    commands.map(command => {
      const name = nameOf(command)
      return [`[${code(name)}](${anchorOf(name)})`, sentence(command.summary)]
    }),
  )
