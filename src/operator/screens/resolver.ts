/** Finds the refs of steps on the screen as it is, and keeps the plain words that take their place. */
import type { Link } from '../../adb/link.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import type { Action } from '../../contracts/action.ts'
import { REF_LOOK_MS } from '../../contracts/limits.ts'
import type { Delivery, ExecutionRun } from '../delivery.ts'
import { contains } from '../engine/bounds.ts'
import { coversIn } from '../shell/windows.ts'
import { lookFor, type NextIndex } from './look.ts'
import { type RefProblem, resolved, sitesOf } from './refs.ts'

export type Resolving =
  | { kind: 'resolved' }
  | { kind: 'problem'; problem: RefProblem }
  | { kind: 'undelivered'; delivery: Exclude<Delivery, { kind: 'part' }> }

export interface Resolver {
  /** Looks once, for all refs of these steps. Rejects with a LinkError. */
  resolve(actions: readonly Action[], device: string): Promise<Resolving>
  /** The step as it may leave the host. */
  plain(action: Action): Action
}

export const createResolver = (run: ExecutionRun, next: NextIndex): Resolver => {
  const { session, control, screens } = run
  const plain = new Map<Action, Action>()

  /** A window over the one that was looked at takes the touches there; where a matcher is used, the operator sees to that. */
  const covered = async (given: Action, ready: Action, link: () => Promise<Link>): Promise<RefProblem | undefined> => {
    if (ready.type !== 'click' || !ready.params.coordinate) return undefined
    const { coordinate } = ready.params
    const call = { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state }
    const { stdout } = await (await link()).shell('dumpsys window', call)
    const cover = coversIn(stdout).find(({ bounds }) => contains(bounds, coordinate))
    if (!cover) return undefined
    const message = `the node is covered by ${cover.name}, and no matcher tells it from the others`
    return { action: given, code: 'REF_AMBIGUOUS', message, details: { coveredBy: cover.name } }
  }

  return {
    async resolve(actions, device) {
      const sites = sitesOf(actions, device, screens)
      if (!Array.isArray(sites)) return { kind: 'problem', problem: sites }
      const [first] = sites
      if (!first) return { kind: 'resolved' }
      const looked = await lookFor(run, next, { wanted: sites.map(({ wanted }) => wanted), withinMs: REF_LOOK_MS })
      if (looked.kind === 'unseen') {
        const { action, ref } = first
        const message = `${ref} cannot be looked for: ${looked.problem}`
        const details = { ref, reason: looked.problem }
        return { kind: 'problem', problem: { action, code: 'REF_STALE', message, details } }
      }
      if (looked.kind !== 'seen') return { kind: 'undelivered', delivery: looked }
      // A ref that fails shows the screen as it is now, with refs to go on with.
      const isWhole = looked.found.every(({ ok }) => ok)
      const now = isWhole
        ? { number: 0, screen: looked.screen }
        : await screens.remember(device, looked.screen, run.executionId)
      const found = resolved(sites, looked.found, now)
      if (!(found instanceof Map)) return { kind: 'problem', problem: found }
      for (const [given, ready] of found) {
        const problem = await covered(given, ready, () => session.link(control.preparing()))
        if (problem) return { kind: 'problem', problem }
        plain.set(given, ready)
      }
      return { kind: 'resolved' }
    },
    plain: action => plain.get(action) ?? action,
  }
}
