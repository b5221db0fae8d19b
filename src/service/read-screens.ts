/** Screens that were read: searched by locators, their elements known again, and written as page source. */
import type { ElementIdentity } from '../contracts/device/element-identity.ts'
import type { FoundNode, UiTree } from '../contracts/device/ui-tree.ts'
import { type Dialog, dialogIn } from '../device/screen/dialog.ts'
import { type FoundElement, findElement, identifyElement } from '../device/screen/elements/element-identity.ts'
import { createHierarchyMemory } from '../device/screen/hierarchy-memory.ts'
import { type Located, type LocateQuery, locate } from '../device/screen/locators/locate.ts'
import { pageSource } from '../device/screen/locators/page-source.ts'
import type { SourceScreen } from '../device/screen/locators/source-node.ts'
import { mayScrollFor, scrollIntoView } from '../device/screen/locators/uiautomator/scroll-into-view.ts'
import { createXPathEvaluator } from '../device/screen/locators/xpath/xpath-evaluator.ts'
import type { Clock } from '../runtime/clock.ts'
import { inSlices } from '../runtime/yielding.ts'

/** The hierarchy of the screen at one moment. */
export interface ReadScreen {
  readonly tree: UiTree
  /** The XML that the operator gave. */
  readonly xml: string
  readonly foregroundPackage: string
  /** By a strategy of Appium and its value. Rejects when the signal aborts. */
  locate(wanted: Pick<LocateQuery, 'strategy' | 'value' | 'within' | 'signal'>): Promise<Located>
  /** The marks by which this node is found again on a later screen. */
  identify(found: FoundNode): ElementIdentity
  find(element: ElementIdentity): FoundElement
  /** The dialog in front, if there is one. */
  dialog(): Dialog | undefined
  pageSource(size: SourceScreen): string
}

export type ReadScreens = ReturnType<typeof createReadScreens>
/** Keeps what is worked out for a screen as long as that says the same. */
export type ScreenReader = ReturnType<ReadScreens['reader']>

/** XPath is evaluated in this thread; without one, in this process. */
export const createReadScreens = (clock: Clock, xpathThread?: string) => {
  const xpath = createXPathEvaluator(xpathThread)
  return {
    reader() {
      const memory = createHierarchyMemory()
      return {
        async read(xml: string, foregroundPackage: string) {
          const parsed = await inSlices(memory.reading(xml), { clock })
          if (!parsed.ok) return { ok: false as const, problem: parsed.problem }
          const { tree } = parsed
          const screen: ReadScreen = {
            ...{ tree, xml, foregroundPackage },
            locate: wanted => locate({ ...wanted, tree, foregroundPackage, clock, xpath }),
            identify: found => identifyElement(tree, found),
            find: element => findElement(tree, element),
            dialog: () => dialogIn(tree),
            pageSource: size => pageSource(tree, size),
          }
          return { ok: true as const, screen }
        },
      }
    },
    /** True for an expression of UiAutomator that may scroll. */
    mayScrollFor,
    /** Performs it by the hands of the caller. */
    scrollIntoView: scrollIntoView<ReadScreen>,
    close: () => xpath.close(),
  }
}
