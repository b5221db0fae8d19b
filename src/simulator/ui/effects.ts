/** Carries out what a scenario says happens: changes of nodes first, then where to go. */
import type { ScenarioApp } from '../scenario/app.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { NodeChanges, Reaction } from '../scenario/reaction.ts'
import type { Tasks } from './tasks.ts'

export interface EffectsContext {
  apps: readonly ScenarioApp[]
  tasks: Tasks
  changes: Map<ScenarioNode, NodeChanges>
  toast(text: string): void
}

/** What `{text}` and `{uri}` stand for. */
export interface Values {
  text?: string
  uri?: string
}

const filled = (template: string, values: Values): string =>
  template.replace(/\{(text|uri)\}/g, (whole, name: 'text' | 'uri') => values[name] ?? whole)

export const change = (changes: EffectsContext['changes'], node: ScenarioNode, changed: NodeChanges): void => {
  changes.set(node, { ...changes.get(node), ...changed })
}

export const toggle = (changes: EffectsContext['changes'], node: ScenarioNode): void =>
  change(changes, node, { checked: !(changes.get(node)?.checked ?? node.checked) })

/** A reaction with a `when` belongs to those occasions only. */
export const perform = (
  reactions: readonly Reaction[],
  app: ScenarioApp,
  { apps, tasks, changes, toast }: EffectsContext,
  { values = {}, occasions = [] }: { values?: Values; occasions?: readonly string[] } = {},
): void => {
  for (const reaction of reactions) {
    if (reaction.when !== undefined && !occasions.includes(reaction.when)) continue
    for (const [id, changed] of Object.entries(reaction.set ?? {})) {
      const node = app.ids.get(id)
      const texts = Object.fromEntries(
        (['text', 'contentDesc'] as const).flatMap(key => {
          const template = changed[key]
          return template === undefined ? [] : [[key, filled(template, values)]]
        }),
      )
      if (node) change(changes, node, { ...changed, ...texts })
      if (node && changed.text !== undefined) tasks.front().typed.delete(node)
    }
    const toggled = reaction.toggle === undefined ? undefined : app.ids.get(reaction.toggle)
    if (toggled) toggle(changes, toggled)
    if (reaction.toast !== undefined) toast(filled(reaction.toast, values))
    if (reaction.back) tasks.back()
    if (reaction.home) tasks.home()
    const opened = apps.find(other => other.package === reaction.openApp)
    if (opened) tasks.resume(opened)
    if (reaction.goTo !== undefined) tasks.push(app, reaction.goTo)
  }
}
