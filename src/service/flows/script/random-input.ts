/** Random texts for the inputRandom commands, the same whenever the flow is repeated. */
import type { Action } from '../language/command.ts'
import { RANDOM_CHARS_MAX } from '../language/limits.ts'
import { ScriptFailure, type ScriptPlace } from './script-answer.ts'
import type { FlowScripts } from './scripts.ts'

export type RandomKind = Extract<Action, { name: 'inputRandom' }>['kind']

const SCRIPTS: Readonly<Record<RandomKind, (length: number) => string>> = {
  text: length => `faker.regexify('[A-Za-z0-9]{${length}}')`,
  number: length => `faker.regexify('[1-9][0-9]{${length - 1}}')`,
  email: () => 'faker.internet().emailAddress()',
  personName: () => 'faker.name().name()',
  cityName: () => 'faker.address().cityName()',
  countryName: () => 'faker.address().country()',
  colorName: () => 'faker.color().name()',
}

/** `length` counts for texts and numbers. Throws a ScriptFailure as interpolation does. */
export const randomOf = async (
  scripts: Pick<FlowScripts, 'evaluate'>,
  { kind, length }: { kind: RandomKind; length: number },
  at: ScriptPlace,
): Promise<string> => {
  if (!Number.isInteger(length) || length < 1 || length > RANDOM_CHARS_MAX) {
    throw new RangeError(
      `The length of a random text must be a whole number from 1 to ${RANDOM_CHARS_MAX}; it is ${length}.`,
    )
  }
  const answer = await scripts.evaluate(SCRIPTS[kind](length), at)
  if (!answer.ok) throw new ScriptFailure(answer)
  return answer.text
}
