/** The keys of POST actions as steps: what is text is typed, what is a key is pressed. */
import { ENTER_TEXT_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { unsupported } from '../protocol/arguments.ts'
import {
  codePointOf,
  isKeyCharacter,
  KEY_CHARACTERS,
  MODIFIER_CHARACTERS,
  RELEASE_CHARACTER,
} from '../protocol/key-characters.ts'
import type { SessionStep } from '../session/live-session.ts'
import type { KeyEvent } from './timeline.ts'

/** Android's usual time for a long press. */
const LONG_PRESS_MS = 500

interface Press {
  readonly atMs: number
  /** Until the key is let go. */
  readonly heldMs: number
  readonly value: string
  readonly modifiers: readonly string[]
}

const pressesOf = (events: readonly KeyEvent[]): Press[] => {
  const held = new Set<string>()
  const presses: Press[] = []
  for (const [index, { atMs, kind, value }] of events.entries()) {
    const modifier = MODIFIER_CHARACTERS[value]
    if (value === RELEASE_CHARACTER) held.clear()
    else if (modifier !== undefined && kind === 'down') held.add(modifier)
    else if (modifier !== undefined) held.delete(modifier)
    else if (kind === 'down') {
      const up = events.slice(index + 1).find(other => other.value === value && other.kind === 'up')
      presses.push({ atMs, heldMs: up ? up.atMs - atMs : 0, value, modifiers: [...held] })
    }
  }
  return presses
}

const WORKS = 'What works: text, single keys, and shift with a character.'

const shifted = ({ value, modifiers }: Press): string => {
  const other = modifiers.find(modifier => modifier !== 'shift')
  if (other !== undefined)
    throw unsupported(`${other} with another key is not supported: the device presses one key at a time. ${WORKS}`)
  if (modifiers.length === 0) return value
  if (value.toUpperCase() !== value.toLowerCase()) return value.toUpperCase()
  throw unsupported(
    `shift with ${JSON.stringify(value)} is not supported: its meaning depends on the keyboard. ${WORKS}`,
  )
}

const keyStep = ({ value, heldMs, modifiers }: Press): SessionStep => {
  const key = KEY_CHARACTERS[value]
  if (key === undefined) throw unsupported(`The key ${codePointOf(value)} is no key of Android. ${WORKS}`)
  const [modifier] = modifiers
  if (modifier !== undefined) throw unsupported(`${modifier} with the key ${key} is not supported. ${WORKS}`)
  return { type: 'press_key', params: { key, ...(heldMs >= LONG_PRESS_MS ? { longPress: true } : {}) } }
}

export interface TimedSteps {
  readonly startMs: number
  readonly endMs: number
  readonly steps: readonly SessionStep[]
}

/** Characters in a row are typed at once, as long as no pause is between them. */
export const keySteps = (events: readonly KeyEvent[]): TimedSteps[] => {
  const timed: TimedSteps[] = []
  let run: { text: string; startMs: number; endMs: number } | undefined
  const flush = () => {
    if (run) {
      const { text, startMs, endMs } = run
      timed.push({ startMs, endMs, steps: [{ type: 'enter_text', params: { text, append: true } }] })
    }
    run = undefined
  }
  for (const press of pressesOf(events)) {
    const { atMs, heldMs, value } = press
    const endMs = atMs + heldMs
    if (isKeyCharacter(value)) {
      flush()
      timed.push({ startMs: atMs, endMs, steps: [keyStep(press)] })
      continue
    }
    if (heldMs >= LONG_PRESS_MS)
      throw unsupported(
        `${JSON.stringify(value)} held for ${heldMs} ms is not supported: text is typed at once. ${WORKS}`,
      )
    const typed = shifted(press)
    if (run && (atMs > run.endMs || run.text.length + typed.length > ENTER_TEXT_CHARS_MAX)) flush()
    run = run ? { ...run, text: run.text + typed, endMs } : { text: typed, startMs: atMs, endMs }
  }
  flush()
  return timed
}
