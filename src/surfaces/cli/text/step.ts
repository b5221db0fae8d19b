/** One step of an execution in words: what it did, and what it read. */
import type { StepTarget } from '../../../contracts/actions/card.ts'
import { cardOf } from '../../../contracts/actions/cards.ts'
import { join } from '../../../contracts/actions/words.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { parsedJson } from '../../../contracts/json/json.ts'

/** A type that is not known here is named. */
export const stepSentence = ({ actionType, data }: StepResult, target: StepTarget = { node: '' }): string =>
  join(
    cardOf(actionType)?.done(data, target) ?? `Did ${actionType.replaceAll('_', ' ')}`,
    data.covered_by_unknown === 'true' ? '(something may lie over it)' : undefined,
  )

/** The texts that a step has read; undefined for a step that reads none. */
export const readTexts = ({ actionType, data, success }: StepResult): readonly string[] | undefined => {
  if (!success) return undefined
  if (actionType === 'read_key_value_pair') return [data.value ?? '']
  if (actionType === 'get_clipboard') return data.text ? [data.text] : undefined
  if (actionType !== 'read_text') return undefined
  const { text = '' } = data
  const all = text.startsWith('[') ? parsedJson(text) : undefined
  return Array.isArray(all) && all.every(each => typeof each === 'string') ? all : [text]
}
