/** A node as it is now: what the scenario says, what was changed on it, and what was typed into it. */
import type { ScenarioApp } from '../scenario/app.ts'
import { fullClassName, isEditable, type ScenarioNode } from '../scenario/node.ts'
import type { OpenScreen } from './open-screen.ts'
import type { State } from './state.ts'

/** The node itself where nothing is other than written. */
export type CurrentNode = ScenarioNode & { source?: ScenarioNode }

/** The node of the scenario that it stands for. */
export const sourceOf = (current: CurrentNode): ScenarioNode => current.source ?? current

/** Typed text belongs to the screen; changes set on the node belong to the app. */
const typedInto = (node: ScenarioNode, entry: OpenScreen | undefined) => entry?.typed.get(node)

/** The values of `{text}`, `{uri}` and `{extra.name}` in a reaction. */
export interface Values {
  text?: string
  uri?: string
  extras?: Readonly<Record<string, string>>
}

/** A text of the scenario with its counters and values in it. */
export const filledIn = (template: string, app: ScenarioApp, state: State, values: Values = {}): string =>
  template.includes('{')
    ? template.replace(/\{(?:extra\.([\w.-]+)|(\w+))\}/g, (whole, extra: string | undefined, name: string) => {
        if (extra !== undefined) return values.extras?.[extra] ?? whole
        if (name === 'text' || name === 'uri') return values[name] ?? whole
        return app.counters.has(name) ? String(state.counter(app, name)) : whole
      })
    : template

/** Its own words with the counters in them; words that were set are final. */
const ownWords = ({ text, hint, contentDesc }: ScenarioNode, app: ScenarioApp, state: State) => ({
  text: filledIn(text, app, state),
  hint: filledIn(hint, app, state),
  contentDesc: filledIn(contentDesc, app, state),
})

const sameWords = (node: ScenarioNode, words: ReturnType<typeof ownWords>) =>
  node.text === words.text && node.hint === words.hint && node.contentDesc === words.contentDesc

export const currentNodeOf = (
  node: ScenarioNode,
  app: ScenarioApp,
  entry: OpenScreen | undefined,
  state: State,
): CurrentNode => {
  const [changed, typed] = [state.changed(node), typedInto(node, entry)]
  const words = ownWords(node, app, state)
  if (changed === undefined && typed === undefined && sameWords(node, words)) return node
  const { class: name, ...changes } = changed ?? {}
  const className = name === undefined ? node.className : fullClassName(name)
  return {
    ...node,
    ...words,
    ...changes,
    ...(typed === undefined ? {} : { text: typed }),
    className,
    editable: name === undefined ? node.editable : isEditable(className),
    source: node,
  }
}
