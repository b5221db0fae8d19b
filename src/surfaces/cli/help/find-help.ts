/** The text of `svc help <words>` and of `--help`: of a command, a group, a topic, or all of svc. */

import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { GLOBAL_FLAGS } from '../argv.ts'
import { type Command, type Flag, usage } from '../command.ts'
import { knownElsewhere } from '../flags/suggestions.ts'
import { commandHelp, groupHelp, section, TOPICS, table } from '../help.ts'

// `svc --help`: every command in its group, on one screen.

/** Commands that share a line, by their paths or the first words of them, and what they do together. */
interface Row {
  names: readonly string[]
  summary: string
}

const row = (names: string, summary: string): Row => ({ names: names.split(', '), summary })

/** Every command is in one row; a test holds that. */
const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  Look: [
    row('snapshot, screenshot', 'read the screen, or write a picture of it'),
    row('read, read-value', 'read a node, or the value beside a label'),
    row('wait, wait-for-nav, sleep', 'wait for a node, an application, a fixed time'),
  ],
  Act: [
    row('open, close', 'open an application or a URI, stop one'),
    row('click, type', 'click a node or a point, enter text'),
    row('press, back', 'press a key of the device'),
    row('swipe, scroll, scroll-until', 'swipe, scroll once, scroll to a node'),
    row('double-tap, drag, pinch', 'gestures on nodes or points'),
    row('hide-keyboard, shade, dialog', 'close the keyboard, open the shade, answer'),
    row('toast, on-screen-log', 'show a message or a text on the device'),
    row('exec', 'run an execution payload: a list of actions'),
  ],
  Phones: [
    row('devices, device', 'list, connect and pair devices, describe one'),
    row('apps', 'the applications of a device'),
    row('files', 'list, send, fetch and remove files of a device'),
    row('settings, device restore', 'read and change settings, put them back'),
    row('logs, notifications', 'what a device says of itself'),
    row('perf', 'how an application starts, draws, uses memory'),
    row('forward, reverse', 'ports that lead to a device, or back'),
    row('record, lease', 'record the screen, reserve a device'),
    row('shell, clipboard', 'run a command line on a device'),
    row('emulators', 'AVDs and emulators of the Android SDK'),
    row('operator', 'fast helpers, and checks of operator apps'),
    row('simulate', 'devices made of software, without a phone'),
  ],
  Executions: [
    row('executions', 'what became of each execution'),
    row('watch, journal', 'print transitions, repair the journal'),
  ],
  Tests: [row('test', "run flows in Maestro's format")],
  Skills: [row('skills', 'find, run, write and check skills')],
  Servers: [
    row('serve, webdriver, mcp', 'serve HTTP, Appium suites, or MCP tools'),
    row('inspect', 'open the viewer in a browser'),
    row('daemon', 'the process that makes commands fast'),
    row('fleet', 'many hosts on NATS servers'),
  ],
  Setup: [
    row('install, uninstall, upgrade', 'set svc up, remove it, look for a new version'),
    row('host, authoring-skills', 'the parts of svc install'),
    row('doctor', 'check this host and the devices'),
    row('completion, help', 'complete commands in a shell, show help'),
  ],
}

/** `executions list|show`; a command of one word has nothing behind it. */
const written = (name: string, commands: readonly Command[]): string => {
  const behind = commands
    .filter(({ path }) => path[0] === name && path.length > 1)
    .map(({ path }) => path.slice(1).join(' '))
  const isWhole = commands.some(({ path }) => path.join(' ') === name)
  if (behind.length === 0) return name
  return isWhole ? `${name} [${behind.join('|')}]` : `${name} ${behind.join('|')}`
}

const isIn = (names: readonly string[], { path }: Command) =>
  names.includes(path[0] ?? '') || names.includes(path.join(' '))

const COLUMNS_MAX = 100
const INDENT = 12
const LEFT = 40

/** Breaks behind a | or a comma, and indents what follows by one. */
const wrapped = (text: string, columns: number): string[] => {
  if (text.length <= columns) return [text]
  const end = Math.max(text.lastIndexOf('|', columns - 1) + 1, text.lastIndexOf(', ', columns - 2) + 1)
  if (end === 0) return [text]
  return [text.slice(0, end), ...wrapped(` ${text.slice(end).trimStart()}`, columns)]
}

/** The commands, then what they do, on a line of its own where the commands take too much of theirs. */
const rowLines = ({ names, summary }: Row, commands: readonly Command[]): string[] => {
  const left = names.map(name => written(name, commands)).join(', ')
  if (left.length + summary.length + 2 <= COLUMNS_MAX - INDENT) return [`${left.padEnd(LEFT)}  ${summary}`]
  return [...wrapped(left, COLUMNS_MAX - INDENT), `${' '.repeat(LEFT)}  ${summary}`]
}

const groupLines = (title: string, rows: readonly Row[], commands: readonly Command[]): string[] =>
  rows
    .flatMap(each => rowLines(each, commands))
    .map((line, index) => `${(index === 0 ? title : '').padEnd(INDENT)}${line}`.trimEnd())

/** The commands that no row names yet, each with its own summary. */
const others = (commands: readonly Command[]): Row[] => {
  const names = Object.values(GROUPS).flatMap(rows => rows.flatMap(each => each.names))
  return commands
    .filter(command => !isIn(names, command))
    .map(({ path, summary }) => ({ names: [path.join(' ')], summary }))
}

const flagRow = ({ name, short, value, summary }: Flag): [string, string] => [
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
  summary,
]

const TAGLINE = 'svc drives Android devices, and can always say whether your tap happened.'

const overview = (commands: readonly Command[]): string => {
  const offered = commands.filter(({ internal }) => !internal)
  const groups = [...Object.entries(GROUPS), ['Other', others(offered)] as const]
  return [
    TAGLINE,
    groups.flatMap(([title, rows]) => groupLines(title, rows, offered)).join('\n'),
    ...section('Global flags', table(GLOBAL_FLAGS.map(flagRow))),
    [
      'svc help <command> shows flags and examples, svc help <topic> what concerns many commands:',
      `${TOPICS.map(({ name }) => name).join(', ')}.`,
      'New here? svc install sets svc up, svc doctor checks this host, svc simulate runs a device.',
    ].join('\n'),
  ].join('\n\n')
}

const topicList = () => ['Topics:', ...TOPICS.map(({ name, summary }) => `  ${name.padEnd(12)}  ${summary}`)].join('\n')

/** Undefined where there is neither a command nor a group of this name. */
const commandText = (commands: readonly Command[], name: string): string | undefined => {
  const found = commands.find(({ path }) => path.join(' ') === name)
  if (found) return commandHelp(found)
  return commands.some(({ path, internal }) => path[0] === name && !internal) ? groupHelp(commands, name) : undefined
}

/** Undefined where there is no topic of this name. */
export const topicText = async (name: string): Promise<string | undefined> => {
  const topic = TOPICS.find(each => each.name === name)
  return topic && (await import('./topic-texts.ts')).TOPIC_TEXTS[topic.name]
}

/** A topic of the same name adds to a command. */
export const helpFor = async (commands: readonly Command[], words: readonly string[]): Promise<string> => {
  if (words.length === 0) return overview(commands)
  const name = words.join(' ')
  const texts = [commandText(commands, name), await topicText(name)].filter(text => text !== undefined)
  if (texts.length > 0) return texts.join('\n\n')
  const offered = commands.filter(({ internal }) => !internal)
  const names = [...offered.map(({ path }) => path.join(' ')), ...TOPICS.map(topic => topic.name)]
  const suggestion = knownElsewhere(words)
  const question = suggestion === undefined ? didYouMean(name, names) : ` Did you mean ${suggestion}?`
  throw usage(`There is no command or topic "${name}".${question}`, { hint: 'See: svc help' })
}

export const helpWithTopics = (commands: readonly Command[]): string => `${overview(commands)}\n\n${topicList()}`
