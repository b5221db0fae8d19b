/** Steps as a recording reads them from the journal, written down. */
import { readScreen } from '../../../src/service/executions/seen-screen.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import type { FlowStep } from '../../../src/service/skills/record/flow.ts'
import { payloadOf } from '../executions/lab.ts'

export interface WrittenNode {
  text?: string
  id?: string
  desc?: string
  className?: string
  flags?: string
  /** Top and bottom; the whole width. */
  at?: [number, number]
  nodes?: WrittenNode[]
}

const PACKAGE = 'com.example.notes'
export const idOf = (name: string) => `${PACKAGE}:id/${name}`

const xmlOf = ({ text = '', id, desc = '', className, flags = '', at = [0, 0], nodes = [] }: WrittenNode): string => {
  const has = (flag: string) => `${flag}="${flags.split(' ').includes(flag)}"`
  const [top, bottom] = at
  const inner = nodes.map(xmlOf).join('')
  return (
    `<node index="0" text="${text}" resource-id="${id === undefined ? '' : idOf(id)}" class="android.widget.${className ?? 'TextView'}" ` +
    `package="${PACKAGE}" content-desc="${desc}" ${['checkable', 'checked', 'clickable'].map(has).join(' ')} enabled="true" ` +
    `${['focusable', 'focused', 'scrollable', 'long-clickable', 'password', 'selected'].map(has).join(' ')} ` +
    `bounds="[0,${top}][1080,${bottom}]">${inner}</node>`
  )
}

/** A snapshot of these nodes, one below the other. */
export const screenOf = (...nodes: WrittenNode[]): { type: 'snapshot'; xml: string } => {
  const placed = nodes.map((node, index) => ({ at: [200 * index, 200 * index + 190] as [number, number], ...node }))
  const root = { className: 'FrameLayout', at: [0, 2_400] as [number, number], nodes: placed }
  return { type: 'snapshot', xml: `<hierarchy rotation="0">${xmlOf(root)}</hierarchy>` }
}

export interface WrittenStep {
  id?: string
  type: string
  params?: object
  xml?: string
  data?: Record<string, string>
  /** Begins another execution. */
  begins?: boolean
}

export const flowOf = (...written: WrittenStep[]): FlowStep[] => {
  const actions = written.map(({ id, type, params }, index) => ({
    id: id ?? `s${index}`,
    type,
    ...(params && { params }),
  }))
  const validation = validateExecution(payloadOf(actions))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution.actions.map((action, index) => {
    const { xml, data = {}, begins } = written[index] ?? {}
    const seen: Record<string, string> = xml === undefined ? data : { text: xml, foreground_package: PACKAGE }
    const screen = xml === undefined ? undefined : readScreen(seen)
    return {
      action,
      data: seen,
      ...(screen ? { screen } : {}),
      ...(begins || index === 0 ? { begins: { executionId: `e${index}`, timeoutMs: 10_000, durationMs: 500 } } : {}),
    }
  })
}

export const tap = (text: string): WrittenStep => ({ type: 'click', params: { matcher: { textEquals: text } } })
export const type = (id: string, text: string, more: object = {}): WrittenStep => ({
  type: 'enter_text',
  params: { matcher: { resourceId: idOf(id) }, text, ...more },
})
/** Into the field that has the focus. */
export const typeHere = (text: string, more: object = {}): WrittenStep => ({
  type: 'enter_text',
  params: { text, ...more },
})
export const nap = (durationMs: number): WrittenStep => ({ type: 'sleep', params: { durationMs } })
