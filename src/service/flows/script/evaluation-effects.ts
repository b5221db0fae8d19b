/** The effects of one evaluation: made for real and recorded, or repeated from the record. */
import { dirname } from 'node:path'
import { messageOf } from '../../../runtime/message-of.ts'
import type { OpenFile } from './form-body.ts'
import { performRequest, shownUrl } from './http-request.ts'
import type { ClockReading, ScriptRequest } from './messages.ts'
import type { Dispatcher } from './reachable.ts'
import { placeOf } from './read-result.ts'
import type { ReadFile, ScriptEffect, ScriptPlace, ScriptResponse } from './script-answer.ts'
import type { EvaluationCalls } from './script-process.ts'

export interface EvaluationEffects {
  /** Calls of the scripts' process meanwhile. */
  readonly calls: EvaluationCalls
  readonly logs: readonly string[]
  readonly effects: readonly ScriptEffect[]
  readonly readings: readonly ClockReading[]
  readonly repeatedRequests: number
  /** Throws what `onRequest` or `onEffect` has thrown. */
  throwRefusal(): void
}

export interface EffectBounds {
  readonly openFile: OpenFile
  readonly digestOf: (request: string) => string
  readonly dispatcher: () => Dispatcher
  /** Counts what the requests of the attempt have taken so far. */
  readonly kept: KeptResponses
  /** The time that is left for requests. */
  readonly leftMs: () => number
  readonly signal: AbortSignal
}

/** Counts what the requests of one attempt take on the host, which keeps their responses, repeated ones included. */
export interface KeptResponses {
  requests: number
  chars: number
}

export const RESPONSES_CHARS_MAX = 64 * 1_024 * 1_024
const REQUESTS_MAX = 10_000
const TOO_MUCH = `The scripts of this flow have made ${REQUESTS_MAX} requests or received ${RESPONSES_CHARS_MAX} characters in all, and a flow may have no more.`

const responseLength = (response: ScriptResponse): number =>
  'problem' in response
    ? response.problem.length
    : Object.entries(response.headers).reduce(
        (sum, [name, { length }]) => sum + name.length + length,
        response.body.length,
      )

const OTHER_REQUEST =
  'The script is repeated to resume its flow, and its request is another one than before. Run the flow from its beginning.'

const BROKEN_OFF = 'The request was not made, or its script has ended.'

export const createEffects = (
  at: ScriptPlace,
  { openFile, digestOf, dispatcher, kept, leftMs, signal }: EffectBounds,
): EvaluationEffects => {
  const recorded = at.recorded ?? []
  const repeated = recorded.filter(effect => effect.kind === 'http')
  const logs: string[] = []
  const effects: ScriptEffect[] = []
  let used = 0
  let answered = 0
  let refusal: { error: unknown } | undefined

  /** The text is for the script; the error is thrown when it has ended. */
  const unlessRefused = async (work: () => unknown): Promise<string | undefined> => {
    try {
      if (!refusal) await work()
    } catch (error) {
      refusal = { error }
    }
    return refusal && messageOf(refusal.error)
  }
  const responseTo = async (text: string, digest: string): Promise<ScriptResponse> => {
    const expected = repeated[used]
    const request: ScriptRequest = JSON.parse(text)
    const intent = { method: request.method, url: shownUrl(request.url), digest, request: answered }
    const mayBeSent = (files: readonly ReadFile[], isOther = false) =>
      unlessRefused(() => at.onRequest?.({ ...intent, files, isOther }))
    if (!expected) {
      if (kept.chars >= RESPONSES_CHARS_MAX || kept.requests >= REQUESTS_MAX) return { problem: TOO_MUCH }
      kept.requests++
      const made = await performRequest(request, {
        folder: dirname(at.file),
        openFile,
        dispatcher: dispatcher(),
        leftMs: leftMs(),
        signal,
        mayBeSent,
      })
      kept.chars += responseLength(made)
      return made
    }
    // Another request stays unmade, and so do those after it.
    if (expected.digest !== digest) return { problem: (await mayBeSent([], true)) ?? OTHER_REQUEST }
    used++
    kept.requests++
    kept.chars += responseLength(expected.response)
    return expected.response
  }
  return {
    logs,
    effects,
    readings: recorded.filter(effect => effect.kind === 'clock'),
    repeatedRequests: repeated.length,
    throwRefusal() {
      if (refusal) throw refusal.error
    },
    calls: {
      async respond(request) {
        const digest = digestOf(request)
        const response = await responseTo(request, digest)
        // One that was broken off with its script has no answer: nobody knows what became of it.
        if (signal.aborted || refusal) return { response: { problem: BROKEN_OFF }, body: '' }
        const effect: ScriptEffect = { kind: 'http', digest, response }
        effects.push(effect)
        answered++
        const problem = await unlessRefused(() => at.onEffect?.(effect))
        if (problem !== undefined) return { response: { problem }, body: '' }
        if ('problem' in response) return { response, body: '' }
        const { body, ...head } = response
        return { response: head, body }
      },
      log(logged) {
        const { text } = logged
        logs.push(text)
        const { file = at.file, line = at.line } = placeOf(logged, at.file)
        at.onLog?.(text, { file, line })
      },
      clockMoved(reading) {
        const effect: ScriptEffect = { kind: 'clock', ...reading }
        effects.push(effect)
        void unlessRefused(() => at.onEffect?.(effect))
      },
    },
  }
}
