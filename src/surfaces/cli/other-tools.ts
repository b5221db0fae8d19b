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

/** A label that is a number was probably a time. */
export const meantInstead = (called: Called, args: readonly string[], { code }: Pick<ErrorObject, 'code'>): string => {
  const [word = ''] = args
  const isTime = called?.path.join(' ') === 'wait' && code === 'NODE_NOT_FOUND' && /^\d+$/.test(word)
  return isTime ? ` To wait ${word} ms: svc sleep ${word}.` : ''
}
