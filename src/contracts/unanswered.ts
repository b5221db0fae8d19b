/** The hosts of a fleet that a list says nothing of, since they did not answer. */
import * as v from 'valibot'
import { openObject } from './objects.ts'

/** `code` as in the failure of a request to that host. */
export const Unanswered = openObject({ host: v.string(), code: v.string() })
export type Unanswered = v.InferOutput<typeof Unanswered>

/** Absent where all have answered, and outside of a fleet. */
export const unansweredEntries = { unanswered: v.exactOptional(v.array(Unanswered)) }

export interface WithUnanswered {
  unanswered?: readonly Unanswered[]
}

/** Adds nothing to an answer when all hosts have answered. */
export const namingUnanswered = (unanswered: readonly Unanswered[] = []): { unanswered?: Unanswered[] } =>
  unanswered.length === 0 ? {} : { unanswered: [...unanswered] }

/** A sentence for people; undefined when all hosts have answered. */
export const unansweredLine = (unanswered: readonly Unanswered[] = []): string | undefined =>
  unanswered.length === 0
    ? undefined
    : `Not listed, because their hosts do not answer: ${unanswered.map(({ host, code }) => `${host} (${code})`).join(', ')}.`
