/** Results of the service as HTTP answers; the facts beside a result travel as headers. */

import type { ExecutionSuccess } from '../contracts/execution-result.ts'
import { EXECUTION_ID_HEADER, FLEET_HOST_HEADER, SKILL_RUN_HEADER, STEPS_HEADER } from '../contracts/headers.ts'
import type { Operation } from '../contracts/operations/operation.ts'
import type { ExecutionSummary } from '../contracts/viewer.ts'
import type { AnswerFacts, OutputOf, Result, ServiceId } from '../service/service.ts'
import { runAnswer } from '../skills/run/run-answer.ts'
import type { Searched } from '../viewer/summary.ts'
import type { TraceHtml } from '../viewer/trace-html.ts'
import { type AnswerHeaders, answerText, refuse } from './answer.ts'
import { answerPieces } from './answer-pieces.ts'
import type { HttpDeps } from './deps.ts'
import { resultText } from './result-text.ts'

const headersOf = ({ executionId, host, steps }: AnswerFacts): AnswerHeaders => ({
  ...(executionId === undefined ? {} : { [EXECUTION_ID_HEADER]: executionId }),
  ...(host === undefined ? {} : { [FLEET_HOST_HEADER]: host }),
  ...(steps === undefined ? {} : { [STEPS_HEADER]: String(steps) }),
})

/** A list as JSON, item by item; `rest` is told how many there were. */
function* listPieces(items: Iterable<unknown>, rest: (count: number) => string): Generator<string> {
  let count = 0
  yield '{"ok":true,"executions":['
  for (const item of items) {
    yield `${count === 0 ? '' : ','}${JSON.stringify(item)}`
    count += 1
  }
  yield `],"count":${count}${rest(count)}}`
}

function* summaryPieces(found: Generator<ExecutionSummary, Searched>): Generator<string> {
  let end: Searched | undefined
  function* items() {
    end = yield* found
  }
  yield* listPieces(items(), () => `,"searched":${end?.searched},"older":${end?.older}`)
}

/** Sandboxed: what a trace holds came from devices and skills. */
const traceFile = ({ html, policy }: TraceHtml, headers: AnswerHeaders): Response =>
  new Response(html, {
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'; sandbox allow-scripts allow-downloads`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  })

const picture = (png: Uint8Array, headers: AnswerHeaders): Response =>
  new Response(new Uint8Array(png), {
    headers: {
      ...headers,
      'Content-Type': 'image/png',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
    },
  })

/** The text of a value that many callers get, made once. */
const cachedText = () => {
  const texts = new WeakMap<object, string>()
  return (value: object): string => {
    const text = texts.get(value) ?? JSON.stringify(value)
    texts.set(value, text)
    return text
  }
}

type Writer<Id extends ServiceId> = (value: OutputOf<Id>, headers: AnswerHeaders) => Response
type Writers = { readonly [Id in ServiceId]?: Writer<Id> }

const writersFor = ({ clock }: HttpDeps): Writers => {
  const skillsText = cachedText()
  const execution = (value: ExecutionSuccess, headers: AnswerHeaders) =>
    answerText(resultText(value).json, 200, headers)
  return {
    execute: execution,
    snapshot: execution,
    screenshot: execution,
    'viewer.look': execution,
    'executions.resume': execution,
    'executions.list': ({ executions, unanswered }) =>
      answerPieces(
        listPieces(executions, () => (unanswered.length === 0 ? '' : `,"unanswered":${JSON.stringify(unanswered)}`)),
        clock,
      ),
    'executions.picture': picture,
    'executions.traceFile': traceFile,
    'skillRuns.traceFile': traceFile,
    'skills.list': (value, headers) => answerText(skillsText(value), 200, headers),
    'skills.run'(run, headers) {
      const { status, body } = runAnswer(run)
      return answerText(JSON.stringify(body), status, { ...headers, [SKILL_RUN_HEADER]: run.runId })
    },
    'viewer.executions': found => answerPieces(summaryPieces(found), clock),
  }
}

/** How the results of one request are written. */
export const writeAnswer = <Id extends ServiceId>(id: Id, { failureStatus }: Operation, deps: HttpDeps) => {
  const write: Writer<Id> =
    writersFor(deps)[id] ?? ((value, headers) => answerText(JSON.stringify(value), 200, headers))
  return (result: Result<OutputOf<Id>>): Response => {
    const headers = headersOf(result)
    return result.ok
      ? write(result.value, headers)
      : refuse(result.error, { status: result.status ?? failureStatus, headers })
  }
}
