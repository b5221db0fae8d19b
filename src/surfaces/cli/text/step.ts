/**
 * One step of an execution for people: what it did and what it read, in words, and its screen, in compact lines as
 * svc writes them, or as XML.
 */

import type { StepTarget } from '../../../contracts/actions/card.ts'
import { cardOf } from '../../../contracts/actions/cards.ts'
import { join } from '../../../contracts/actions/words.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { parsedJson } from '../../../contracts/json/json.ts'
import { type Page, SIGNS } from './page.ts'
import { displayWidth, shortened, visible, visibleLines, withLabels } from './visible.ts'

const REF = /^((?:[+~] )?)(@\d+\.\d+)( .*)?$/s
/** The longest label can be shortened; what follows it says in which state the node is. */
const LABEL = /"(?:[^"\\]|\\.)*"/g

const fitted = (line: string, width: number): string => {
  const excess = displayWidth(line) - width
  if (excess <= 0) return line
  const [label = ''] = [...(line.match(LABEL) ?? [])].sort((a, b) => displayWidth(b) - displayWidth(a))
  const room = displayWidth(label) - 2 - excess
  if (room < 1) return shortened(line, width)
  return line.replace(label, () => `"${shortened(label.slice(1, -1), room)}"`)
}

const screenLine = (page: Page, text: string): string => {
  const line = visible(text)
  const short = page.width === undefined ? line : fitted(line, page.width)
  const [, change = '', ref, rest = ''] = REF.exec(short) ?? []
  return ref === undefined ? withLabels(short) : `${change}${page.paint('dim', ref)}${withLabels(rest)}`
}

export const compactScreen = (page: Page, text: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? page.paint('bold', screenLine(page, line)) : screenLine(page, line)))
    .join('\n')

/** XML keeps its lines and is never cut. */
export const hierarchy = (text: string): string => visibleLines(text).trimEnd()

/** The screen after an action, or the reason why it could not be seen. */
export const observedScreen = (page: Page, { text, screen }: { text: string; screen?: number }): string =>
  screen === undefined ? page.paint('yellow', `${SIGNS.warning} ${visible(text)}`) : compactScreen(page, text)

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
