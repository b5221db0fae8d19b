/** The record of scripts: the requests that a process before this one began, and what its scripts saw. */
import type { FlowRunEvent } from '../../../contracts/events/flow-run.ts'
import type { ScriptEffect } from '../script/script-answer.ts'

export type BegunRequest = Extract<FlowRunEvent, { type: 'request.begun' }>

/** An evaluation belongs to the header, to a label, or to a command. */
export interface ScriptRecord {
  readonly requests: readonly BegunRequest[]
  /** The bodies of `script.answered`. */
  readonly answers: readonly unknown[]
}

/** The body of `script.answered`. */
export interface EvaluationAnswers {
  readonly evaluation: number
  /** The position of the first effect; earlier versions recorded all effects at once. */
  readonly from?: number
  readonly effects: readonly ScriptEffect[]
  /** The time at which the clock of the scripts began. */
  readonly now?: number
}

export const NO_SCRIPTS: ScriptRecord = { requests: [], answers: [] }

export const withRequest = (record: ScriptRecord = NO_SCRIPTS, request: BegunRequest): ScriptRecord => ({
  ...record,
  requests: [...record.requests, request],
})

export const withAnswer = (record: ScriptRecord = NO_SCRIPTS, body: unknown): ScriptRecord => ({
  ...record,
  answers: [...record.answers, body],
})

/** A body that was lost says nothing. */
const answersOf = (body: unknown): EvaluationAnswers | undefined =>
  (body as Partial<EvaluationAnswers> | undefined)?.effects === undefined ? undefined : (body as EvaluationAnswers)

/** When the scripts began, where the record says so. */
export const nowOf = ({ answers }: ScriptRecord): number | undefined => answersOf(answers[0])?.now

/** The effects of one evaluation, in their order. */
export const effectsOf = (answers: readonly unknown[], evaluation: number): readonly ScriptEffect[] =>
  answers.reduce<readonly ScriptEffect[]>((effects, body) => {
    const part = answersOf(body)
    return part?.evaluation === evaluation ? [...effects.slice(0, part.from ?? 0), ...part.effects] : effects
  }, [])

/** The request that was begun and never answered. */
export const openRequest = (
  { requests }: ScriptRecord,
  evaluation: number,
  effects: readonly ScriptEffect[],
): BegunRequest | undefined => {
  const answered = effects.filter(({ kind }) => kind === 'http').length
  return requests.findLast(each => each.evaluation === evaluation && each.request >= answered)
}
