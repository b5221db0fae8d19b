/** Section CLI commands: the flat commands, and the execution payload that a call of one stands for. */
import type { ErrorObject } from '../contracts/error.ts'
import { close, open } from './flat/apps.ts'
import { type FlatCall, type FlatCommand, usage } from './flat/command.ts'
import { back, press, typeText } from './flat/keyboard.ts'
import { executionTimeout } from './flat/numbers.ts'
import { clearOnScreenLog, setOnScreenLog, toast } from './flat/overlays.ts'
import { click, swipe } from './flat/pointer.ts'
import { read, readValue } from './flat/reading.ts'
import { scroll, scrollUntil } from './flat/scrolling.ts'
import { sleep, wait, waitForNav } from './flat/waiting.ts'
import { frameOf } from './synthetic.ts'
import { quoted } from './validation/show.ts'

/** In the order of the help. */
export const FLAT_COMMANDS: readonly FlatCommand[] = [
  open,
  close,
  click,
  typeText,
  press,
  back,
  swipe,
  scroll,
  scrollUntil,
  read,
  readValue,
  wait,
  waitForNav,
  sleep,
  toast,
  setOnScreenLog,
  clearOnScreenLog,
]

/** Still to be validated: its values are the caller's. */
export interface FlatPayload {
  commandId: string
  taskId: string
  source: string
  expectedFormat: string
  timeoutMs: number
  actions: { id: string; type: string; params?: Record<string, unknown> }[]
}

export type FlatResult = { ok: true; payload: FlatPayload } | { ok: false; error: ErrorObject }

const wrongArguments = (command: FlatCommand, given: readonly string[]) => {
  const args = command.args ?? []
  const missing = args.find(({ required }, index) => required && given[index] === undefined)
  if (missing) return usage(command, `<${missing.name}> is missing`)
  const extra = given[args.length]
  return extra === undefined ? undefined : usage(command, `${quoted(extra)} is one argument too many`)
}

/** `now` in epoch milliseconds. */
export const flatPayload = (command: FlatCommand, call: FlatCall, { now }: { now: number }): FlatResult => {
  const refused = wrongArguments(command, call.args)
  if (refused) return refused
  const draft = command.draft(call)
  if (!draft.ok) return draft
  const { type, params, timeoutMs } = draft.value
  const asked = timeoutMs === undefined ? executionTimeout(call) : { ok: true as const, value: timeoutMs }
  if (!asked.ok) return asked
  const name = command.path.join('-')
  const frame = frameOf(name, { origin: 'cli', now, ...(asked.value === undefined ? {} : { timeoutMs: asked.value }) })
  const action = { id: name, type, ...(params === undefined ? {} : { params }) }
  return { ok: true, payload: { ...frame, actions: [action] } }
}
