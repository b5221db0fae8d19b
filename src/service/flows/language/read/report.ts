/** The list that the readers of a file write its faults to. */
import type { Place } from '../command.ts'
import { didYouMean, type Problem } from '../problem.ts'
import { NODE_WORDS, type YamlNode } from '../yaml/node.ts'

export interface Report {
  readonly problems: Problem[]
  readonly warnings: Problem[]
  /** The lines of the file, for the words of its commands. */
  readonly lines: readonly string[]
}

const problemAt = ({ file, line, column }: Place, message: string, hint: string | undefined): Problem => ({
  file,
  line,
  column,
  message,
  ...(hint === undefined ? {} : { hint }),
})

export const complain = (report: Report, place: Place, message: string, hint?: string): void => {
  report.problems.push(problemAt(place, message, hint))
}

export const warn = (report: Report, place: Place, message: string, hint?: string): void => {
  report.warnings.push(problemAt(place, message, hint))
}

export const complainOfKind = (report: Report, node: YamlNode, name: string, expected: string): void =>
  complain(report, node.place, `${name} must be ${expected}; here it is ${NODE_WORDS[node.kind]}.`)

export const complainOfKey = (
  report: Report,
  place: Place,
  owner: string,
  key: string,
  known: readonly string[],
): void =>
  complain(
    report,
    place,
    `${owner} has no key ${key}.`,
    didYouMean(key, known) ?? (known.length === 0 ? undefined : `Its keys are ${known.join(', ')}.`),
  )
