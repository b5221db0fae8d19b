/**
 * Text that devices and callers chose, made fit for one line of a terminal; and an execution on one line: when it
 * was, what it did, where, and how it ended.
 */

import type { ExecutionSummary } from '../../../../contracts/doors/viewer.ts'

const STEPS_SHOWN = 3

const stepsOf = ({ steps, executionId }: ExecutionSummary): string => {
  if (steps.length === 0) return executionId
  const more = steps.length - STEPS_SHOWN
  return [...steps.slice(0, STEPS_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

export const summaryLine = (summary: ExecutionSummary, now: number): string => {
  const { acceptedAt, deviceId, code, state, inDoubt } = summary
  const end = inDoubt && state !== 'dispatched' ? 'it may have happened' : (code ?? state)
  return `${agoText(now - acceptedAt)}: ${stepsOf(summary)} on ${deviceId}, ${end}`
}

/** Controls, invisible marks that change the direction of a text, and what else ends a line. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

const ELLIPSIS = '…'

export const onOneLine = (text: string, most: number): string => {
  const characters = Array.from(text.replace(UNSHOWN, ' ').trim())
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}${ELLIPSIS}`
}

/** False for a word that cannot be typed at a prompt, or that a terminal would not show as it is. */
export const isTypable = (word: string): boolean => word !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(word)

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

export const agoText = (ms: number): string => {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ['s', 1_000]
  return `${Math.max(0, Math.floor(ms / size))} ${unit} ago`
}
