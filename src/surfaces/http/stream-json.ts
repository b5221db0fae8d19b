/** A JSON answer that may be too large to be held: a small one goes out whole, of a larger one each piece is made when the last is taken. */

import type { ExecutionSummary } from '../../contracts/doors/viewer.ts'
import type { TestRun } from '../../contracts/flows/test-run.ts'
import type { Clock, Timer } from '../../runtime/clock.ts'
import type { Searched } from '../../service/traces/summary.ts'
import { answerText, JSON_TYPE } from './answer.ts'
import { CLIENT_LIMITS } from './client-limits.ts'

/** A list as JSON, item by item; `rest` is told how many there were. */
export function* listPieces(items: Iterable<unknown>, rest: (count: number) => string): Generator<string> {
  let count = 0
  yield '{"ok":true,"executions":['
  for (const item of items) {
    yield `${count === 0 ? '' : ','}${JSON.stringify(item)}`
    count += 1
  }
  yield `],"count":${count}${rest(count)}}`
}

export function* summaryPieces(found: Generator<ExecutionSummary, Searched>): Generator<string> {
  let end: Searched | undefined
  function* items() {
    end = yield* found
  }
  yield* listPieces(items(), () => `,"searched":${end?.searched},"older":${end?.older}`)
}

/** A run as JSON, with the commands of its attempts one by one. */
export function* testRunPieces({ flows, ...run }: TestRun): Generator<string> {
  yield `{"ok":true,"testRun":${JSON.stringify(run).slice(0, -1)},"flows":[`
  for (const [at, { attempts, ...flow }] of flows.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(flow).slice(0, -1)},"attempts":[`
    for (const [nth, { commands, ...attempt }] of attempts.entries()) {
      yield `${nth === 0 ? '' : ','}${JSON.stringify(attempt).slice(0, -1)}`
      for (const [index, command] of (commands ?? []).entries())
        yield `${index === 0 ? ',"commands":[' : ','}${JSON.stringify(command)}`
      yield commands === undefined ? '}' : commands.length === 0 ? ',"commands":[]}' : ']}'
    }
    yield ']}'
  }
  yield ']}}'
}

/** Up to here the answer is small, and pieces travel together. */
const TOGETHER_CHARS = 256 * 1_024

/** Some pieces, or all that are left. */
const gather = (pieces: Iterator<string>): { text: string; isLast: boolean } => {
  const texts: string[] = []
  for (let chars = 0; chars < TOGETHER_CHARS; ) {
    const { done, value } = pieces.next()
    if (done) return { text: texts.join(''), isLast: true }
    texts.push(value)
    chars += value.length
  }
  return { text: texts.join(''), isLast: false }
}

/** A failure after the first pieces are sent ends the connection, so the reader sees that the answer is incomplete. */
export const answerPieces = (pieces: Iterator<string>, clock: Clock, takeMs = CLIENT_LIMITS.take): Response => {
  const first = gather(pieces)
  if (first.isLast) return answerText(first.text)
  let next: { text: string; isLast: boolean } | undefined = first
  let timer: Timer | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        timer?.cancel()
        const { text, isLast } = next ?? gather(pieces)
        next = undefined
        controller.enqueue(Buffer.from(text))
        if (isLast) return controller.close()
        timer = clock.at(clock.now() + takeMs, () => controller.error(new Error('the reader takes no more')), {
          idle: true,
        })
      },
      cancel() {
        timer?.cancel()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { headers: { 'Content-Type': JSON_TYPE } })
}
