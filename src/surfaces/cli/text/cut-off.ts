/** An execution that its host did not live to end: where it stopped, and how to go on. */
import type { Receipt } from '../../../contracts/executions/receipt.ts'

/** A sentence names so many steps. */
const NAMED_MAX = 3

/** `steps "a", "b"` */
export const stepsNamed = (ids: readonly string[]): string => {
  const rest = ids.length - NAMED_MAX
  const named = ids.slice(0, NAMED_MAX).map(id => JSON.stringify(id))
  return `${ids.length === 1 ? 'step' : 'steps'} ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Where nothing failed: the step that the end of the host cut off, and those behind it. */
export const cutOff = ({ steps = [], doubtfulSteps = [] }: Receipt): string => {
  const cut = steps.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id)
  const unrun = steps.filter(({ outcome }) => outcome === 'not_run').map(({ id }) => id)
  const isHarmless = cut.length > 0 && !cut.some(id => doubtfulSteps.includes(id))
  const stopped = isHarmless ? [`it stopped at ${stepsNamed(cut)}, which changes nothing`] : []
  const rest = unrun.length === 0 ? [] : [`${stepsNamed(unrun)} did not run`]
  const text = [...stopped, ...rest].join('; ')
  return text === '' ? '' : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

export const goOn = ({ executionId, resumedBy, doubtfulSteps = [] }: Receipt): string =>
  resumedBy === undefined && doubtfulSteps.length === 0 ? ` Go on: svc executions resume ${executionId}` : ''
