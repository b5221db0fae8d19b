/** The arguments of `svc`: parsing of them all, and the run of commands that end by themselves and change nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../../src/surfaces/cli/command.ts'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../src/surfaces/cli/flags/parse-all.ts'
import { firstWord, globalFlags, type Parsed, parseAmong } from '../../../src/surfaces/cli/parse.ts'
import { startCliHere } from '../../support/cli/cli-here.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutatePieces, separatedBy } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type Mutate, type OpenTarget, refusedBy, type Target } from '../target.ts'

const NUL = 0
const joined = (...words: readonly string[]): string => words.join('\0')

const EXECUTION =
  '{"commandId":"c","taskId":"t","source":"f","expectedFormat":"android-ui-automator","timeoutMs":1000,"actions":[{"id":"s","type":"snapshot"}]}'

const SEEDS = [
  ['exec', '--device', 'd1', '--payload', EXECUTION, '--output', 'json'],
  ['click', '--text', 'Save', '--timeout-ms', '5000'],
  ['click', '--selector', '{"textEquals":"Save"}', '--long'],
  ['type', 'hello', '--into', 'Name'],
  ['press', 'home'],
  ['swipe', 'up', '--from', '1,2'],
  ['shell', 'ls', '-l', '--', '/sdcard'],
  ['skills', 'list', '--registry', 'none.json'],
  ['skills', 'search', '--keyword', 'a', '--app', 'b'],
  ['executions', 'list', '--limit', '5'],
  ['devices', 'list', '--json'],
  ['files', 'list', '/sdcard'],
  ['logs', '--since', '5m', '--level', 'warn'],
  ['lease', 'list'],
  ['help', 'click'],
  ['snapshot', '--help'],
  ['--version'],
  ['journal', 'check'],
  ['settings', 'set', 'orientation', 'landscape'],
  ['wait', '--text', 'Done', '--gone'],
]

/** They neither wait for a signal, nor start anything, nor write outside of SVC_HOME. */
const RUN: readonly string[] = [
  ...[
    'exec',
    'snapshot',
    'click',
    'type',
    'press',
    'back',
    'swipe',
    'scroll',
    'read',
    'wait',
    'open',
    'close',
    'sleep',
  ],
  ...[
    'double-tap',
    'drag',
    'pinch',
    'toast',
    'devices',
    'executions',
    'help',
    'apps',
    'settings',
    'notifications',
    'lease',
  ],
]

const FLAG_WORDS = [
  ...[
    '--device',
    '--output',
    'json',
    'text',
    'pretty',
    '--help',
    '--version',
    '--text',
    '--selector',
    '--payload',
    '--',
    '-',
    '=',
  ],
  ...[
    '--timeout-ms',
    '--no-daemon',
    '--policy',
    '--log-level',
    '--operator',
    '--json',
    '--limit',
    '--id',
    '--index',
    '--x',
    '--y',
  ],
  ...[
    '-h',
    '-v',
    '--no-',
    '--__proto__',
    '--constructor=1',
    '--text=',
    '@file',
    '-1',
    '1e999',
    '999999999999999999999',
  ],
] as unknown as readonly [string, ...string[]]

const inWord: Mutate = (piece, tools) =>
  piece[0] === '{'.charCodeAt(0) ? mutateJson(piece, tools) : mutateText(FLAG_WORDS)(piece, tools)

/** A word of the language in the place of one, or between two. */
const withWord: Mutate = (input, { random }) => {
  const words = input.toString('utf8').split('\0')
  const at = random.int(0, words.length)
  words.splice(at, random.int(0, 1), random.pick(FLAG_WORDS))
  return Buffer.from(words.join('\0'))
}

const mutateWords = mutatePieces(separatedBy(NUL, inWord))

const LONGEST_MS = 3_000
const CODES = [0, 1, 2, 3, 4, 5, 124, 130]

const parsedOf = async (argv: readonly string[]): Promise<Parsed | undefined> => {
  const part = await catalogue.part(firstWord(argv) ?? '')
  globalFlags(argv)
  return (part && parseAmong(part, argv)) ?? parseAll(argv)
}

const parseAll = async (argv: readonly string[]): Promise<Parsed | undefined> => {
  const commands = await catalogue.all()
  return refusedBy(CommandError, () => parse(commands, argv))
}

const open = (): OpenTarget => {
  const home = mkdtempSync(join(tmpdir(), 'svc-fuzz-argv-'))
  const env = { HOME: home, SVC_HOME: join(home, '.svc'), ANDROID_ADB_SERVER_PORT: '1' }
  return {
    async read(input) {
      const argv = input.toString('utf8').split('\0')
      const parsed = await parsedOf(argv)
      if (parsed?.kind === 'refused') expectThat(parsed.error.message.length > 0, 'a refusal without a message')
      const isRun = parsed?.kind === 'run' && RUN.includes(parsed.command.path[0] ?? '')
      if (parsed?.kind === 'run' && !isRun) return 'accepted'
      const here = startCliHere(argv, { env, cwd: home })
      const timer = setTimeout(here.interrupt, LONGEST_MS)
      const { code, stdout, stderr } = await here.ended
      clearTimeout(timer)
      expectThat(CODES.includes(code ?? -1), `the exit code ${code}`)
      const said = stdout + stderr
      expectThat(!said.includes('INTERNAL_ERROR'), `an internal error: ${said.slice(0, 500)}`)
      expectThat(said !== '', 'nothing was printed')
      return code === 0 ? 'accepted' : 'refused'
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

export const argv: Target = {
  name: 'argv',
  seeds: SEEDS.map(words => joined(...words)),
  mutate: (input, tools) => (tools.random.chance(0.4) ? withWord : mutateWords)(input, tools),
  bytesMax: 16 * 1_024,
  open,
}
