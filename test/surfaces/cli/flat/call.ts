/** A flat command line, parsed like any other, as the payload that it stands for or the error that refuses it. */

import type { ErrorObject } from '../../../../src/contracts/failures/error.ts'
import { FLAT, FLAT_COMMANDS } from '../../../../src/surfaces/cli/commands/flat.ts'
import { GESTURE_COMMANDS, GESTURES } from '../../../../src/surfaces/cli/commands/gestures.ts'
import { OVERLAY, OVERLAY_COMMANDS } from '../../../../src/surfaces/cli/commands/overlay.ts'
import { PHONE, PHONE_COMMANDS } from '../../../../src/surfaces/cli/commands/phone.ts'
import { failureOf } from '../../../../src/surfaces/cli/failure-of.ts'
import { parse } from '../../../../src/surfaces/cli/flags/parse-all.ts'
import { flatPayload } from '../../../../src/surfaces/cli/flat/command.ts'

/** In the same order: the data of each, and the command made of it. */
export const EVERY_FLAT = [...FLAT_COMMANDS, ...GESTURE_COMMANDS, ...PHONE_COMMANDS, ...OVERLAY_COMMANDS]
const COMMANDS = [...FLAT, ...GESTURES, ...PHONE, ...OVERLAY]

export const NOW = 1_700_000_000_000

type Payload = ReturnType<typeof flatPayload>

const payloadFrom = (words: readonly string[]): Payload => {
  const parsed = parse(COMMANDS, words)
  if (parsed.kind === 'refused') throw parsed.error
  const flat = parsed.kind === 'run' && EVERY_FLAT[COMMANDS.indexOf(parsed.command)]
  if (!flat) throw new Error(`no call of a flat command: ${words}`)
  return flatPayload(flat, parsed.given, { now: NOW })
}

export const payloadOf = (...words: string[]): { ok: true; payload: Payload } | { ok: false; error: ErrorObject } => {
  try {
    return { ok: true, payload: payloadFrom(words) }
  } catch (error) {
    return { ok: false, error: failureOf(error) }
  }
}
