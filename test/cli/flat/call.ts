/** A flat command line, parsed like any other, as the payload that it stands for or the error that refuses it. */
import { FLAT, FLAT_COMMANDS } from '../../../src/cli/commands/flat.ts'
import { failureOf } from '../../../src/cli/failure-of.ts'
import { flatPayload } from '../../../src/cli/flat/command.ts'
import { parse } from '../../../src/cli/parse.ts'
import type { ErrorObject } from '../../../src/contracts/error.ts'

export const NOW = 1_700_000_000_000

type Payload = ReturnType<typeof flatPayload>

const payloadFrom = (words: readonly string[]): Payload => {
  const parsed = parse(FLAT, words)
  if (parsed.kind === 'refused') throw parsed.error
  const flat = parsed.kind === 'run' && FLAT_COMMANDS[FLAT.indexOf(parsed.command)]
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
