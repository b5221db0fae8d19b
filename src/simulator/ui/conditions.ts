/** Evaluates a condition of a scenario at this moment. */
import type { ScenarioApp } from '../scenario/app.ts'
import type { Condition, CounterTest, NodeState } from '../scenario/condition.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Entry } from './entry.ts'
import { focusOf } from './focus.ts'
import { type Look, lookOf } from './look.ts'
import type { State } from './state.ts'

export interface Moment {
  state: State
  /** The screen in front. */
  front: Entry
  /** The screens of an app, the last one on top. */
  stackOf(app: ScenarioApp): readonly Entry[]
}

const inRange = (value: number, test: CounterTest): boolean =>
  typeof test === 'number' ? value === test : value >= (test.atLeast ?? value) && value <= (test.atMost ?? value)

const isSo = (look: Look, isFocused: boolean, { textContains, focused, ...same }: NodeState): boolean =>
  (textContains === undefined || look.text.includes(textContains)) &&
  (focused === undefined || focused === isFocused) &&
  Object.entries(same).every(([key, value]) => look[key as keyof typeof same] === value)

const nodeHolds = (node: ScenarioNode, wanted: NodeState, app: ScenarioApp, { state, front, stackOf }: Moment) => {
  const typedIn = stackOf(app).findLast(({ typed }) => typed.has(node))
  return isSo(lookOf(node, app, typedIn, state), focusOf(front, state) === node, wanted)
}

/** Evaluates the condition for the app that it is written in. */
export const holds = (condition: Condition | undefined, app: ScenarioApp, moment: Moment): boolean => {
  if (!condition) return true
  const { node = {}, counter = {}, screen, app: inFront, all = [], any, not } = condition
  const { state, front } = moment
  const holdsToo = (inner: Condition) => holds(inner, app, moment)
  return (
    Object.entries(node).every(([id, wanted]) => {
      const named = app.ids.get(id)
      return named !== undefined && nodeHolds(named, wanted, app, moment)
    }) &&
    Object.entries(counter).every(([name, test]) => inRange(state.counter(app, name), test)) &&
    (screen === undefined || (front.app === app && front.screen.name === screen)) &&
    (inFront === undefined || front.app.package === inFront) &&
    all.every(holdsToo) &&
    (any === undefined || any.some(holdsToo)) &&
    (not === undefined || !holdsToo(not))
  )
}
