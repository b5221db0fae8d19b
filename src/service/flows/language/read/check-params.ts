/** Checks which parameters of a command go together. */

import { type CommandKey, LEGACY_ACTIONS, legacyActionOf } from '../command-table.ts'
import type { Params } from '../params.ts'
import { didYouMean } from '../problem.ts'

export interface Mismatch {
  readonly message: string
  readonly hint?: string | undefined
}

const fileOrCommands = (key: string, { file, commands }: Params): Mismatch | undefined => {
  if (file !== undefined && commands !== undefined) return { message: `${key} takes file or commands, not both.` }
  return file === undefined && commands === undefined ? { message: `${key} needs file or commands.` } : undefined
}

const SWIPE_HINT = 'Give direction; or start and end; or from and direction.'

const swipe = ({ direction, start, end, from, point }: Params): Mismatch | undefined => {
  const hasEnds = start !== undefined && end !== undefined
  if ((start === undefined) !== (end === undefined))
    return { message: 'swipe needs both start and end.', hint: SWIPE_HINT }
  if (hasEnds && (direction !== undefined || from !== undefined)) {
    return { message: 'swipe takes start and end without direction and from.', hint: SWIPE_HINT }
  }
  if (!hasEnds && direction === undefined) return { message: 'swipe needs a direction.', hint: SWIPE_HINT }
  return point !== undefined && from === undefined
    ? { message: 'swipe takes point only with from: it is a point of that element.', hint: SWIPE_HINT }
    : undefined
}

const tap = (key: string, { selector, point }: Params): Mismatch | undefined =>
  selector === undefined && point === undefined
    ? { message: `${key} names no element.`, hint: 'Give it a text, an id, another key of a selector, or a point.' }
    : undefined

const elementMismatch = (key: string, { selector }: Params): Mismatch | undefined =>
  selector === undefined
    ? { message: `${key} names no element.`, hint: 'Give it a text, an id or another key of a selector.' }
    : undefined

const legacy = ({ action }: Params): Mismatch | undefined => {
  const word = action?.kind === 'text' ? action.text : ''
  if (legacyActionOf(word) !== undefined) return undefined
  return {
    message: `action must be one of ${LEGACY_ACTIONS.join(', ')}; here it is ${JSON.stringify(word)}.`,
    hint: didYouMean(word, LEGACY_ACTIONS),
  }
}

export const mismatchOf = (key: CommandKey, params: Params): Mismatch | undefined => {
  switch (key) {
    case 'tapOn':
    case 'doubleTapOn':
    case 'longPressOn':
      return tap(key, params)
    case 'assertVisible':
    case 'assertNotVisible':
    case 'copyTextFrom':
      return elementMismatch(key, params)
    case 'swipe':
      return swipe(params)
    case 'runFlow':
    case 'retry':
      return fileOrCommands(key, params)
    case 'action':
      return legacy(params)
    case 'extendedWaitUntil':
      return params.visible === undefined && params.notVisible === undefined
        ? { message: 'extendedWaitUntil needs visible or notVisible.' }
        : undefined
    case 'repeat':
      return params.times === undefined && params.while === undefined
        ? { message: 'repeat needs times or while: without them it would never end.' }
        : undefined
    default:
      return undefined
  }
}
