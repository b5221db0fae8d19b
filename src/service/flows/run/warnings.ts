/** Faults that fail no command: kept until the record of a command or a stage takes them. */
import type { FlowWarning } from '../../../contracts/flows/test-run.ts'
import type { AttemptState, LiveAttempt } from './attempt.ts'
import type { RecordedAttempt } from './command-log.ts'

const keyOf = ({ file, line, message }: FlowWarning) => `${file}:${line}: ${message}`

/** A loop warns once of each place. */
export const warn = ({ warnings, warned }: Pick<AttemptState, 'warnings' | 'warned'>, warning: FlowWarning): void => {
  const key = keyOf(warning)
  if (warned.has(key)) return
  warned.set(key, warning)
  warnings.push(warning)
}

/** Hands them out once. */
export const takeWarnings = ({ warnings }: Pick<AttemptState, 'warnings'>): { warnings?: readonly FlowWarning[] } => {
  const taken = warnings.splice(0)
  return taken.length === 0 ? {} : { warnings: taken }
}

/** Each once: a process that goes on with an attempt repeats its scripts. */
export const recordedWarnings = ({ commands, stages }: RecordedAttempt): readonly FlowWarning[] => {
  // Warnings of the header are with the first stage.
  const all = [...stages.map(({ body }) => body), ...commands.map(({ ended }) => ended?.body)]
  return [...new Map(all.flatMap(body => body?.warnings ?? []).map(each => [keyOf(each), each])).values()]
}

/** All that an attempt has warned of so far: lists of runs read the ends of stages, and no commands. */
export const warningsSoFar = ({
  recorded,
  state,
}: Pick<LiveAttempt, 'recorded' | 'state'>): { warnings?: readonly FlowWarning[] } => {
  takeWarnings(state)
  const earlier = recordedWarnings(recorded).map(each => [keyOf(each), each] as const)
  const warnings = [...new Map([...earlier, ...state.warned]).values()]
  return warnings.length === 0 ? {} : { warnings }
}

/** The text that an expression without a value leaves in an app, as the format has it. */
export const withoutValue = (name: string): string =>
  name.includes('.')
    ? `${name} has no value: the text "undefined" stands in its place.`
    : `The variable ${name} is not set: the text "undefined" stands in its place. Set it with -e ${name}=value or in the env of the flow.`
