/** Long answers as JSON in pieces, each made when the one before it is taken. */

import type { ExecutionSummary } from '../../contracts/doors/viewer.ts'
import type { TestRun } from '../../contracts/flows/test-run.ts'
import type { Searched } from '../../service/traces/summary.ts'

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
