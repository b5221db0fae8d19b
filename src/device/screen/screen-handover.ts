/** The screen on which a wait has seen its node: the step that comes next and means the same node need not read it again. */

import type { UiTree } from '../../contracts/device/ui-tree.ts'
import type { Action } from '../../contracts/executions/action.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import type { Clock } from '../../runtime/clock.ts'

/** An older screen is read again: something may have been drawn in between. */
const FRESH_MS = 1_000

/** The node that the step is about; undefined where it asks for more than that, and for matchers that are no flow's. */
const flowMatcherOf = ({ params }: Action): string | undefined => {
  const { matcher, from, container } = (params ?? {}) as {
    matcher?: Matcher
    from?: { matcher?: Matcher }
    container?: Matcher
  }
  const flow = (matcher ?? from?.matcher)?.flow
  return flow === undefined || container !== undefined ? undefined : JSON.stringify(flow)
}

export interface ScreenHandover {
  /** Kept for the step that comes next. */
  give(wait: Action, tree: UiTree): void
  /** Undefined where this step has to look for itself. */
  peek(next: Action): UiTree | undefined
  /** Something else was sent to the phone. */
  drop(): void
}

export const screenHandover = (clock: Pick<Clock, 'elapsed'>): ScreenHandover => {
  let kept: { matcher: string; tree: UiTree; at: number } | undefined
  return {
    give(wait, tree) {
      const matcher = flowMatcherOf(wait)
      kept = matcher === undefined ? undefined : { matcher, tree, at: clock.elapsed() }
    },
    peek: next =>
      kept && kept.matcher === flowMatcherOf(next) && clock.elapsed() - kept.at <= FRESH_MS ? kept.tree : undefined,
    drop() {
      kept = undefined
    },
  }
}
