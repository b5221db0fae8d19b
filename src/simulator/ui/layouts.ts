/** Layouts of screens that nobody has changed, shared by all devices of a scenario: most of a fleet looks alike. */
import type { UiTree } from '../../operator/engine/ui-tree.ts'
import type { Metrics } from '../render/typesetting.ts'
import type { ScenarioScreen } from '../scenario/app.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import { type LayoutInput, layOut, type Placed, windowOf } from './layout.ts'

export interface Laid {
  roots: readonly Placed[]
  tree: UiTree
}

export interface Layouts {
  of(input: LayoutInput): Laid
}

/** The states of a screen that are kept differ in how far one list is scrolled. */
interface Kept extends Laid {
  screen: ScenarioScreen
  metrics: Metrics
  list: ScenarioNode | undefined
  offset: number
}

const KEPT_MAX = 64

const laid = (input: LayoutInput): Laid => {
  const roots = layOut(input)
  const window = windowOf(roots, input.entry.app.package, input.metrics)
  return { roots, tree: { rotation: 0, roots: [window] } }
}

const isUntouched = ({ entry, changes }: LayoutInput): boolean =>
  !entry.screen.gated &&
  changes.size === 0 &&
  entry.typed.size === 0 &&
  entry.focus === undefined &&
  entry.scrolled.size <= 1

export const createLayouts = (): Layouts => {
  /** The last used one last. */
  const kept: Kept[] = []
  return {
    of(input) {
      if (!isUntouched(input)) return laid(input)
      const { entry, metrics } = input
      const [list, offset = 0] = entry.scrolled.entries().next().value ?? []
      const at = kept.findLastIndex(
        one => one.screen === entry.screen && one.metrics === metrics && one.list === list && one.offset === offset,
      )
      const found = at < 0 ? { ...laid(input), screen: entry.screen, metrics, list, offset } : kept.splice(at, 1)[0]
      if (!found) return laid(input)
      kept.push(found)
      if (kept.length > KEPT_MAX) kept.shift()
      return found
    },
  }
}
