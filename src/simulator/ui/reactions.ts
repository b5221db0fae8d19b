/** Evaluates the conditions of a scenario, and carries out its reactions: counters and nodes first, then where to go. */
import type { AppEvent } from '../app-events.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { NodeChanges } from '../scenario/field-schemas.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Condition, CounterTest, Effects, NodeState, Reaction } from '../scenario/reaction.ts'
import { type CurrentNode, currentNodeOf, filledIn, type Values } from './current-node.ts'
import type { Tasks } from './foreground.ts'
import { focusOf, focusOn, loseFocus, type OpenScreen } from './open-screen.ts'
import type { State } from './state.ts'

interface ConditionContext {
  state: State
  permissionOf(app: ScenarioApp, permission: string): string
  /** The screen in front. */
  front: OpenScreen
  /** The screens of an app, the last one on top. */
  stackOf(app: ScenarioApp): readonly OpenScreen[]
}

const inRange = (value: number, test: CounterTest): boolean =>
  typeof test === 'number' ? value === test : value >= (test.atLeast ?? value) && value <= (test.atMost ?? value)

const isSo = (current: CurrentNode, isFocused: boolean, { textContains, focused, ...same }: NodeState): boolean =>
  (textContains === undefined || current.text.includes(textContains)) &&
  (focused === undefined || focused === isFocused) &&
  Object.entries(same).every(([key, value]) => current[key as keyof typeof same] === value)

const nodeHolds = (
  node: ScenarioNode,
  wanted: NodeState,
  app: ScenarioApp,
  { state, front, stackOf }: ConditionContext,
) => {
  const typedIn = stackOf(app).findLast(({ typed }) => typed.has(node))
  return isSo(currentNodeOf(node, app, typedIn, state), focusOf(front, state) === node, wanted)
}

/** Evaluates the condition for the app that it is written in. */
export const conditionHolds = (
  condition: Condition | undefined,
  app: ScenarioApp,
  moment: ConditionContext,
): boolean => {
  if (!condition) return true
  const { node = {}, counter = {}, permission = {}, screen, app: inFront, all = [], any, not } = condition
  const { state, front } = moment
  const holdsToo = (inner: Condition) => conditionHolds(inner, app, moment)
  return (
    Object.entries(node).every(([id, wanted]) => {
      const named = app.ids.get(id)
      return named !== undefined && nodeHolds(named, wanted, app, moment)
    }) &&
    Object.entries(counter).every(([name, test]) => inRange(state.counter(app, name), test)) &&
    Object.entries(permission).every(([name, wanted]) => moment.permissionOf(app, name) === wanted) &&
    (screen === undefined || (front.app === app && front.screen.name === screen)) &&
    (inFront === undefined || front.app.package === inFront) &&
    all.every(holdsToo) &&
    (any === undefined || any.some(holdsToo)) &&
    (not === undefined || !holdsToo(not))
  )
}

export interface ReactionContext {
  /** The screen in front when it began. */
  entry: OpenScreen
  apps: readonly ScenarioApp[]
  tasks: Tasks
  state: State
  toast(text: string): void
  /** Tells the phone what an app does beside its screens. */
  tell(event: AppEvent): void
  /** Ends an app with everything that is not kept. */
  stopApp(app: ScenarioApp): void
  /** Shows the dialog of the system about an app that failed. */
  alert(failure: AppFailure, app: ScenarioApp): void
  /** Shows the keyboard over the screen in front, or hides it. */
  keyboard(isShown: boolean): void
  askPermissions(app: ScenarioApp, permissions: readonly string[]): void
  holds(condition: Condition | undefined, app: ScenarioApp): boolean
}

export type AppFailure = 'crash' | 'anr'

const WORDS = ['text', 'hint', 'contentDesc'] as const

const setNode = (id: string, changes: NodeChanges, app: ScenarioApp, context: ReactionContext, values: Values) => {
  const { state, tasks, entry } = context
  const node = app.ids.get(id)
  if (!node) return
  const words = Object.fromEntries(
    WORDS.flatMap(key => {
      const template = changes[key]
      return template === undefined ? [] : [[key, filledIn(template, app, state, values)]]
    }),
  )
  state.change(node, { ...changes, ...words })
  if (changes.text !== undefined) tasks.front().typed.delete(node)
  if (changes.focused === true) focusOn(entry, node, state)
  if (changes.focused === false) loseFocus(entry, node, state)
}

export const toggle = (node: Parameters<State['change']>[0], app: ScenarioApp, state: State): void =>
  state.change(node, { checked: !currentNodeOf(node, app, undefined, state).checked })

/** The lines and the notifications of an app, with its counters filled in. */
const tellWords = (
  { log, notify, cancelNotification }: Effects,
  app: ScenarioApp,
  context: ReactionContext,
  values: Values,
) => {
  const fill = (template: string) => filledIn(template, app, context.state, values)
  if (log !== undefined) {
    const line = typeof log === 'string' ? fill(log) : { ...log, message: fill(log.message) }
    context.tell({ kind: 'log', app, line })
  }
  if (notify) {
    const text = notify.text === undefined ? {} : { text: fill(notify.text) }
    context.tell({ kind: 'notify', app, notification: { ...notify, title: fill(notify.title), ...text } })
  }
  if (cancelNotification !== undefined) context.tell({ kind: 'cancel', app, id: cancelNotification })
}

const fail = ({ crash, anr }: Effects, app: ScenarioApp, context: ReactionContext) => {
  const { activity = '' } = context.tasks.stackOf(app).at(-1)?.screen ?? {}
  const named = activity.startsWith('.') ? `${app.package}${activity}` : activity
  if (anr !== undefined) {
    context.tell({ kind: 'anr', app, anr, activity: named })
    context.alert('anr', app)
  }
  if (crash === undefined) return
  context.tell({ kind: 'crash', app, crash, activity: named })
  context.stopApp(app)
  if (crash !== true && crash.dialog) context.alert('crash', app)
}

const isAlternativesOnly = (reaction: Effects) =>
  Object.keys(reaction).every(key => ['if', 'when', 'firstOf'].includes(key))

/** False when nothing was done, because a condition does not hold. */
const performReaction = (reaction: Effects, app: ScenarioApp, context: ReactionContext, values: Values): boolean => {
  const { apps, tasks, state, toast } = context
  if (!context.holds(reaction.if, app)) return false
  for (const [name, step] of Object.entries(reaction.count ?? {})) state.count(app, name, step)
  for (const [id, changes] of Object.entries(reaction.set ?? {})) setNode(id, changes, app, context, values)
  const toggled = reaction.toggle === undefined ? undefined : app.ids.get(reaction.toggle)
  if (toggled) toggle(toggled, app, state)
  if (reaction.toast !== undefined) toast(filledIn(reaction.toast, app, state, values))
  if (reaction.keyboard !== undefined) context.keyboard(reaction.keyboard)
  tellWords(reaction, app, context, values)
  const stopped = apps.find(other => other.package === reaction.stopApp)
  if (stopped) {
    context.stopApp(stopped)
    context.tell({ kind: 'ended', app: stopped })
  }
  if (reaction.back) tasks.back()
  if (reaction.home) tasks.home()
  const opened = apps.find(other => other.package === reaction.openApp)
  if (opened) tasks.resume(opened)
  if (reaction.goTo !== undefined) tasks.push(app, reaction.goTo)
  if (reaction.askPermission !== undefined) context.askPermissions(app, [reaction.askPermission].flat())
  fail(reaction, app, context)
  const isTaken = reaction.firstOf?.some(alternative => performReaction(alternative, app, context, values)) ?? false
  return isTaken || !isAlternativesOnly(reaction)
}

/** A reaction with a `when` belongs to those occasions only. False when none of them was done. */
export const performReactions = (
  reactions: readonly Reaction[],
  app: ScenarioApp,
  context: ReactionContext,
  { values = {}, occasions = [] }: { values?: Values; occasions?: readonly string[] } = {},
): boolean =>
  reactions
    .filter(({ when }) => when === undefined || occasions.includes(when))
    .map(reaction => performReaction(reaction, app, context, values))
    .includes(true)
