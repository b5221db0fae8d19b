/** The progress of one request, as strictly as the protocol has it. */

import { WireProgress } from '../../../contracts/device/operator.ts'
import { isFor } from '../app/wire/messages.ts'
import { demand } from './breach.ts'
import { type Expected, type StrictEnvelope, shaped } from './judge-envelope.ts'

/** One telling that names the request. */
export interface ProgressReport {
  value: unknown
  isBehindResult: boolean
}

/** No app that keeps the protocol tells more of one request. */
export const PROGRESS_KEPT_MAX = 60
export const PROGRESS_CHARS_MAX = 1_000

const IN_ORDER = 'Tell each step once, in the order of the list, when it has ended.'

/** All steps but the one behind which the result follows, and that one where the app tells it too. */
export const judgeProgress = (
  reports: readonly ProgressReport[],
  expected: Expected,
  { stepResults }: StrictEnvelope,
): string => {
  for (const [at, { value, isBehindResult }] of reports.entries()) {
    const { step, success, ...ids } = shaped(
      WireProgress,
      value,
      'The progress',
      'Send {commandId, nonce, step, success}, with the index of the step in the list of the request.',
    )
    const { commandId, nonce } = expected
    demand(
      isFor(ids, { wireId: commandId, nonce }),
      'Progress names the request with other ids than it has.',
      'Copy `commandId` and `nonce` of the request unchanged.',
    )
    demand(!isBehindResult, `Step ${step} was told behind the result.`, 'Tell a step before the next one begins.')
    demand(step === at, `Step ${step} was told where step ${at} was due.`, IN_ORDER)
    const result = stepResults[step]
    demand(
      result?.success === success,
      `Step ${step} was told as ${success ? 'a success' : 'a failure'}, and in the result it is ${result ? `a ${result.success ? 'success' : 'failure'}` : 'missing'}.`,
      'Tell a step only once it has ended, as it has ended.',
    )
  }
  const due = Math.max(0, stepResults.length - 1)
  demand(reports.length >= due, `${reports.length} steps were told of ${due} that others followed.`, IN_ORDER)
  return `${reports.length} of ${stepResults.length} steps were told before the result.`
}
