/** Calls that people who know other tools write, of commands that svc has as well: what they meant. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { Command } from './command.ts'

type Meant = (args: readonly string[]) => string | undefined

/** A finger that goes up moves the content up, so that what is below comes: that is to scroll down. */
const SCROLLS: Readonly<Record<string, string>> = { up: 'down', down: 'up', left: 'right', right: 'left' }

const PACKAGE = /^[A-Za-z]\w*(?:\.\w+)+$/

/** By the command, for arguments that it cannot take. */
const MISCALLED: Readonly<Record<string, Meant>> = {
  install: ([file = '']) => (/\.apks?$/i.test(file) ? `svc apps install ${file}` : undefined),
  uninstall: ([word = '']) => (PACKAGE.test(word) ? `svc apps uninstall ${word}` : undefined),
  swipe: ([word = '', ...rest]) =>
    rest.length === 0 && Object.hasOwn(SCROLLS, word) ? `svc scroll ${SCROLLS[word]}` : undefined,
  'wait-for-nav': ([word = '']) => (PACKAGE.test(word) ? `svc wait-for-nav --app ${word}` : undefined),
}

type Called = Pick<Command, 'path'> | undefined

/** The call that was meant, where the arguments say it. */
export const meantCall = (called: Called, args: readonly string[]): string | undefined => {
  const name = called?.path.join(' ') ?? ''
  return Object.hasOwn(MISCALLED, name) ? MISCALLED[name]?.(args) : undefined
}

/** With `--click` where the command clicks what it finds. */
const SCROLLING: Readonly<Record<string, string>> = { click: ' --click', wait: '', read: '' }

/** A word of a shell, quoted where it must be. */
const shellWord = (word: string): string => (/^[\w@.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** The line of a compact screen whose node scrolls. */
const SCROLLS_LINE = /^@\S+ [^"\n]*(?:"(?:\\.|[^"\\\n])*")?[^"\n]* scroll\b/m

/** A label that is a number was probably a time; one that is not on a screen that scrolls may be further down. */
export const meantInstead = (
  called: Called,
  args: readonly string[],
  { code, details = {} }: Pick<ErrorObject, 'code' | 'details'>,
): string => {
  const [word = '', ...others] = args
  const command = called?.path.join(' ') ?? ''
  if (code !== 'NODE_NOT_FOUND' || word === '') return ''
  if (command === 'wait' && /^\d+$/.test(word)) return ` To wait ${word} ms: svc sleep ${word}.`
  const flag = Object.hasOwn(SCROLLING, command) ? SCROLLING[command] : undefined
  const isLabel = others.length === 0 && !word.startsWith('@')
  if (flag === undefined || !isLabel || typeof details.text !== 'string' || !SCROLLS_LINE.test(details.text)) return ''
  return ` If it is further down: svc scroll-until ${shellWord(word)}${flag}.`
}
