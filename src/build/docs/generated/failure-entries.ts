/** Every failure code under a heading of its own: its meaning, its status and the first thing to do, by the layer that raises it. */

import { failureHint } from '../../../contracts/failures/failure-hints.ts'
import type { FailureLayer } from '../../../contracts/failures/failure-layer.ts'
import { FAILURES, type Failure, type FailureCode } from '../../../contracts/failures/failures.ts'
import { stepHint } from '../../../contracts/failures/step-hints.ts'
import { prose, sentence } from './table.ts'

const HEADINGS: Readonly<Record<FailureLayer, string>> = {
  execution: 'Executions and devices',
  envelope: 'Steps of an execution',
  route: 'HTTP requests',
  cli: 'Command line',
  serve: 'Server',
  daemon: 'Daemon',
  library: 'Library',
  journal: 'Journal',
  fleet: 'Fleet',
  skills: 'Skills',
  emulators: 'Emulators',
  recordings: 'Recordings',
  flows: 'Flows',
  install: 'Installation',
}

const placeOf = ({ http, layer }: Failure): string => {
  if (http !== null) return `HTTP ${http}`
  if (layer === 'library') return '`code` of a `SvcError`'
  return layer === 'envelope' ? '`errorCode` of an envelope' : 'command line'
}

const actedOf = ({ mayHaveExecuted, retriable }: Failure): string => {
  if (mayHaveExecuted) return 'it may have been carried out'
  return retriable ? 'nothing was done, and the same again can succeed' : 'nothing was done'
}

/** The entry of the same code for a step, where it means something else elsewhere. */
const ofStep = (code: FailureCode, { meaningOfStep, isStepUntouched }: Failure): string[] =>
  meaningOfStep === undefined
    ? []
    : [
        `Of a step: ${meaningOfStep}. (\`errorCode\` of an envelope; ${isStepUntouched ? 'the step touched nothing' : 'it may have been carried out'})`,
        `What to do: ${prose(stepHint(code) ?? '')}`,
      ]

const entry = (code: FailureCode): string => {
  const failure: Failure = FAILURES[code]
  return [
    `#### ${code}`,
    `${sentence(failure.meaning)}. (${placeOf(failure)}; ${actedOf(failure)})`,
    `What to do: ${prose(failureHint(code))}`,
    ...ofStep(code, failure),
  ].join('\n\n')
}

export const failureEntries = (): string =>
  (Object.entries(HEADINGS) as [FailureLayer, string][])
    .map(([layer, heading]) => {
      const codes = (Object.keys(FAILURES) as FailureCode[]).filter(each => FAILURES[each].layer === layer)
      return [`### ${heading}`, ...codes.map(entry)].join('\n\n')
    })
    .join('\n\n')
