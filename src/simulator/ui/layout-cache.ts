/** Layouts of screens that nobody has changed, shared by all devices of a scenario: most of a fleet looks alike. */
import type { Metrics } from '../render/typesetting.ts'
import type { ScenarioScreen } from '../scenario/app.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import { type LaidOutScreen, type LayoutInput, layOut } from './layout.ts'

/** The states of a screen that are kept differ in how far one list is scrolled. */
interface CachedLayout extends LaidOutScreen {
  screen: ScenarioScreen
  metrics: Metrics
  rotation: number
  list: ScenarioNode | undefined
  offset: number
}

const KEPT_MAX = 64

const isUntouched = ({ entry, state, keyboardTop }: LayoutInput): boolean =>
  !entry.screen.gated &&
  !entry.screen.varies &&
  keyboardTop === undefined &&
  state.isUntouched() &&
  entry.typed.size === 0 &&
  entry.focus === undefined &&
  entry.scrolled.size <= 1

export const createLayouts = () => {
  /** The last used one last. */
  const kept: CachedLayout[] = []
  return {
    of(input: LayoutInput): LaidOutScreen {
      if (!isUntouched(input)) return layOut(input)
      const { entry, metrics, rotation } = input
      const [list, offset = 0] = entry.scrolled.entries().next().value ?? []
      const at = kept.findLastIndex(
        one =>
          one.screen === entry.screen &&
          one.metrics === metrics &&
          one.rotation === rotation &&
          one.list === list &&
          one.offset === offset,
      )
      const found =
        at < 0 ? { ...layOut(input), screen: entry.screen, metrics, rotation, list, offset } : kept.splice(at, 1)[0]
      if (!found) return layOut(input)
      kept.push(found)
      if (kept.length > KEPT_MAX) kept.shift()
      return found
    },
  }
}

export type Layouts = ReturnType<typeof createLayouts>
