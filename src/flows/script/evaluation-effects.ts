/** The effects of one evaluation: made for real and recorded, or repeated from the record. */
import { dirname } from 'node:path'
import type { OpenFile } from './form-body.ts'
import { performRequest } from './http-request.ts'
import type { ClockReading } from './messages.ts'
import type { ScriptEffect, ScriptPlace, ScriptResponse } from './script-answer.ts'
import type { EvaluationCalls } from './script-process.ts'

export interface EvaluationEffects {
  /** Calls of the scripts' process meanwhile. */
  readonly calls: EvaluationCalls
  readonly logs: readonly string[]
  readonly effects: readonly ScriptEffect[]
  readonly readings: readonly ClockReading[]
  readonly repeatedRequests: number
}

export interface EffectBounds {
  readonly openFile: OpenFile
  readonly digestOf: (request: string) => string
  /** The time that is left for requests. */
  readonly leftMs: () => number
  readonly signal: AbortSignal
}

const OTHER_REQUEST =
  'The script is repeated to resume its flow, and its request is another one than before. Run the flow from its beginning.'

export const createEffects = (
  at: ScriptPlace,
  { openFile, digestOf, leftMs, signal }: EffectBounds,
): EvaluationEffects => {
  const recorded = at.recorded ?? []
  const repeated = recorded.filter(effect => effect.kind === 'http')
  const logs: string[] = []
  const effects: ScriptEffect[] = []
  let used = 0

  const keep = (effect: ScriptEffect) => {
    effects.push(effect)
    at.onEffect?.(effect)
  }
  const responseTo = async (request: string, digest: string): Promise<ScriptResponse> => {
    const expected = repeated[used]
    if (!expected) {
      const folder = dirname(at.file)
      return performRequest(JSON.parse(request), { folder, openFile, leftMs: leftMs(), signal })
    }
    // Another request stays unmade, and so do those after it.
    if (expected.digest !== digest) return { problem: OTHER_REQUEST }
    used++
    return expected.response
  }
  return {
    logs,
    effects,
    readings: recorded.filter(effect => effect.kind === 'clock'),
    repeatedRequests: repeated.length,
    calls: {
      async respond(request) {
        const digest = digestOf(request)
        const response = await responseTo(request, digest)
        keep({ kind: 'http', digest, response })
        if ('problem' in response) return { response, body: '' }
        const { body, ...head } = response
        return { response: head, body }
      },
      log(text) {
        logs.push(text)
        at.onLog?.(text)
      },
      clockMoved: reading => keep({ kind: 'clock', ...reading }),
    },
  }
}
