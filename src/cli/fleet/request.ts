/** One request of a command to its fleet, and its answer as a command has it. */

import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { type Unanswered, unansweredField, unansweredSentence } from '../../contracts/fleet.ts'
import { type RequestContext, writeContext } from '../../contracts/request-context.ts'
import type { ClientRequest, FleetClient } from '../../fleet/client.ts'
import { WITHIN_MS_MAX } from '../../fleet/exchange/limits.ts'
import type { Progress } from '../../fleet/exchange/request.ts'
import { withinOf } from '../../fleet/patience.ts'
import { parseObject } from '../../runtime/small-file.ts'
import type { Call } from '../command.ts'
import { interruptedLate, NOBODY_ANSWERS, unreachableError } from './session.ts'

export interface FleetAsk {
  method: ClientRequest['method']
  path: string
  /** Beside who asks and how long it waits. */
  context?: Partial<RequestContext>
  body?: Readonly<Record<string, unknown>> | undefined
  executionId?: string | undefined
  /** Asked before all others. */
  first?: string | undefined
  withinMs?: number | undefined
  onProgress?: ((host: string, progress: Progress) => void) | undefined
}

export type Asked =
  | { kind: 'answered'; host: string; status: number; headers: Readonly<Record<string, string>>; bytes: Uint8Array }
  /** Nobody took it: nothing was done. */
  | { kind: 'untaken' }
  | { kind: 'failed'; error: ErrorObject }

/** Leaves the asked host time to report that the host it asked in turn was silent. */
const WAY_BACK_MS = 10_000

export const askFleet = async (client: FleetClient, ask: FleetAsk, { signal }: Call): Promise<Asked> => {
  const { method, path, context, body, executionId, first, onProgress } = ask
  const withinMs = ask.withinMs ?? withinOf(path, body)
  const request: ClientRequest = {
    method,
    path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...writeContext({ ...context, caller: 'cli', answerWithinMs: withinMs, executionId }),
    },
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    withinMs: Math.min(withinMs + WAY_BACK_MS, WITHIN_MS_MAX),
    signal,
    ...(executionId === undefined ? {} : { executionId }),
    ...(onProgress === undefined ? {} : { onProgress }),
  }
  const outcome = await client.ask(request, first)
  switch (outcome.kind) {
    case 'answered':
      return { ...outcome, bytes: outcome.body }
    case 'untaken':
      return outcome
    case 'lost':
      return { kind: 'failed', error: outcome.error }
    case 'interrupted': {
      const dispatched = method === 'GET' ? false : outcome.dispatched
      return { kind: 'failed', error: interruptedLate(outcome.host, dispatched, executionId) }
    }
  }
}

/** Bounds a list over all hosts: the host that is asked gives the others ten seconds. */
export const LIST_WITHIN_MS = 15_000

/** Said to a person as well; for the output, as the host has answered it. */
export const warnOfUnanswered = (said: unknown, { log }: Pick<Call, 'log'>): { unanswered?: Unanswered[] } => {
  const unanswered = Array.isArray(said) ? (said as Unanswered[]) : []
  const line = unansweredSentence(unanswered)
  if (line !== undefined) log.warn(line)
  return unansweredField(unanswered)
}

export const textOf = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString('utf8')

export type Json = Readonly<Record<string, unknown>>
export type JsonAsked = { ok: true; host: string; json: Json } | { ok: false; error: ErrorObject }

/** The object that was answered, or why there is none. */
export const jsonOf = (asked: Asked): JsonAsked => {
  if (asked.kind === 'untaken') return { ok: false, error: unreachableError(NOBODY_ANSWERS) }
  if (asked.kind === 'failed') return { ok: false, error: asked.error }
  const json = parseObject(textOf(asked))
  if (json === undefined) {
    const message = `Host ${asked.host} sent a response with status ${asked.status} that is not JSON.`
    return { ok: false, error: failure('INTERNAL_ERROR', message) }
  }
  const { error } = json
  const isRefused = json.ok === false && typeof error === 'object' && error !== null
  return isRefused ? { ok: false, error: error as ErrorObject } : { ok: true, host: asked.host, json }
}

/** The host that an id ends with, if the fleet knows it: `<serial>@<host>`. */
export const hostIn = (
  client: FleetClient,
  device: string | undefined,
): { host: string; serial: string } | undefined => {
  const text = device?.trim() ?? ''
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  return at > 0 && client.knows(host) ? { host, serial: text.slice(0, at) } : undefined
}
