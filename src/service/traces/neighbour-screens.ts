/** The screens just before and just after an execution, as the executions beside it on the same device recorded them. */

import { onlyLooks } from '../../contracts/actions/cards.ts'
import { wholeCompactScreen } from '../../contracts/compact-screen.ts'
import { pictureUrl } from '../../contracts/device/picture-url.ts'
import type { NeighbourScreen } from '../../contracts/doors/viewer.ts'
import { defined } from '../../contracts/json/json.ts'
import { EXECUTIONS_SEARCHED_MAX } from '../../contracts/limits/limits.ts'
import { NEIGHBOUR_EXECUTIONS_MAX, NEIGHBOUR_SCREEN_MS } from '../../contracts/limits/viewer-limits.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { hierarchyOf } from './trace-steps.ts'

type Result = NonNullable<StoredReceipt['result']>
type StepResult = Extract<Result, { ok: true }>['envelope']['stepResults'][number]
type Placed = readonly [position: number, step: StepResult]

/** `acted`: from here on another screen may have been shown. */
interface Seen {
  screen: Pick<NeighbourScreen, 'xml' | 'lines' | 'picture' | 'step'> | undefined
  acted: boolean
}

/** The first screens along the steps, up to one that acted. */
const screenAlong = (executionId: string, steps: readonly Placed[]): Seen => {
  let screen: Seen['screen']
  for (const [position, step] of steps) {
    if (!onlyLooks(step.actionType)) return { screen, acted: true }
    const { id, actionType, success, data } = step
    const isTextKnown = screen?.xml !== undefined || screen?.lines !== undefined
    const shown = isTextKnown ? {} : defined({ xml: hierarchyOf(step), lines: wholeCompactScreen(step.data) })
    if (Object.keys(shown).length > 0) screen = { ...screen, ...shown }
    if (actionType !== 'take_screenshot' || !success || data.path === undefined || screen?.picture !== undefined)
      continue
    screen = { ...screen, picture: pictureUrl(executionId, { id, position }), step: { id, position } }
  }
  return { screen, acted: false }
}

const nearest = (
  journal: Journal,
  { acceptedAt, settledAt = acceptedAt, result }: StoredReceipt,
  ids: readonly string[],
  direction: 'before' | 'after',
): NeighbourScreen | undefined => {
  for (const executionId of ids.slice(0, NEIGHBOUR_EXECUTIONS_MAX)) {
    const found = readableOr(undefined, () => journal.receipt(executionId))
    if (found?.dispatchedAt === undefined) continue
    // Nothing tells what an execution without an envelope has done.
    if (!found.result?.ok) return undefined
    const at = direction === 'before' ? (found.settledAt ?? found.dispatchedAt) : found.dispatchedAt
    const away = direction === 'before' ? acceptedAt - at : at - settledAt
    // Whoever asks what became of an execution without an envelope has nothing but the next look, however late.
    if (away > NEIGHBOUR_SCREEN_MS && (direction === 'before' || result?.ok)) return undefined
    const steps = [...found.result.envelope.stepResults.entries()]
    const { screen, acted } = screenAlong(executionId, direction === 'before' ? steps.reverse() : steps)
    if (screen) return { executionId, at, ...screen }
    if (acted) return undefined
  }
  return undefined
}

const idsAround = (journal: Journal, { deviceId, executionId }: StoredReceipt) => {
  const ids = journal.receiptIds({ deviceId, limit: EXECUTIONS_SEARCHED_MAX })
  const place = ids.indexOf(executionId)
  return place < 0 ? { older: [], newer: [] } : { older: ids.slice(place + 1), newer: ids.slice(0, place).reverse() }
}

export const screenBefore = (journal: Journal, receipt: StoredReceipt): NeighbourScreen | undefined =>
  nearest(journal, receipt, idsAround(journal, receipt).older, 'before')

/** Nothing comes after an execution that goes on. */
export const screenAfter = (journal: Journal, receipt: StoredReceipt): NeighbourScreen | undefined =>
  receipt.settledAt === undefined ? undefined : nearest(journal, receipt, idsAround(journal, receipt).newer, 'after')
