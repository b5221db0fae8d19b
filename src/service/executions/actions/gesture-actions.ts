/** The drafts of the actions that the host performs, as the flat commands and the MCP tools build them alike. */
import type { Draft } from './flat-actions.ts'

/** A node or a point; still to be validated. */
export interface DraftPlace {
  matcher?: unknown
  coordinate?: { x: number; y: number } | undefined
}

const placed = ({ matcher, coordinate }: DraftPlace) => ({
  ...(matcher === undefined ? {} : { matcher }),
  ...(coordinate === undefined ? {} : { coordinate }),
})

export const doubleTapAction = (place: DraftPlace): Draft => ({ type: 'double_tap', params: placed(place) })

interface DragValues {
  from: DraftPlace
  to: DraftPlace
  holdMs?: number | undefined
  durationMs?: number | undefined
}

export const dragAction = ({ from, to, holdMs, durationMs }: DragValues): Draft => ({
  type: 'drag',
  params: {
    from: placed(from),
    to: placed(to),
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(durationMs === undefined ? {} : { durationMs }),
  },
})

export const pinchAction = (place: DraftPlace, scale: number, durationMs?: number): Draft => ({
  type: 'pinch',
  params: { ...placed(place), scale, ...(durationMs === undefined ? {} : { durationMs }) },
})

export const hideKeyboardAction = (): Draft => ({ type: 'hide_keyboard' })

/** `close` for the one that is open. */
export const shadeAction = (shade: string): Draft =>
  shade === 'close'
    ? { type: 'collapse_shade' }
    : { type: 'expand_shade', params: { shade: shade.replaceAll('-', '_') } }

export const dialogAction = (answer: string): Draft => ({ type: 'answer_dialog', params: { answer } })
