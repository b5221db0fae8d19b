/** A selector in words, for messages: its expressions are evaluated. */
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'

const RELATIONS = {
  below: 'below',
  above: 'above',
  leftOf: 'left of',
  rightOf: 'right of',
  childOf: 'in',
  containsChild: 'with the child',
} as const

const STATES = ['enabled', 'selected', 'checked', 'focused'] as const

export const describeSelector = (selector: FlowSelector): string => {
  const { text, id, css, index, traits, width, height, containsDescendants = [] } = selector
  const named = [
    ...(text === undefined ? [] : [`the text ${JSON.stringify(text)}`]),
    ...(id === undefined ? [] : [`the id ${JSON.stringify(id)}`]),
    ...(css === undefined ? [] : [`the css ${JSON.stringify(css)}`]),
    ...(traits === undefined ? [] : [`the traits ${traits.join(' ')}`]),
    ...(width === undefined && height === undefined ? [] : [`the size ${width ?? 'any'} x ${height ?? 'any'}`]),
    ...STATES.flatMap(state => (selector[state] === undefined ? [] : [`${state} ${selector[state]}`])),
  ].join(', ')
  const related = (Object.keys(RELATIONS) as (keyof typeof RELATIONS)[]).flatMap(key => {
    const other = selector[key]
    return other === undefined ? [] : [`${RELATIONS[key]} an element with ${describeSelector(other)}`]
  })
  const inside = containsDescendants.map(one => `around an element with ${describeSelector(one)}`)
  const place = index === undefined ? [] : [`at index ${index}`]
  return [named || 'any look', ...related, ...inside, ...place].join(' ')
}
