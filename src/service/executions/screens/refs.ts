/** Refs in the actions of an execution: what each was given for, and the plain words that take its place. */

import { contains, type Point } from '../../../contracts/device/ui-tree.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import { isPlaceParam, type MatcherParam, paramOf, readRef, refsOf } from '../../../contracts/executions/matcher.ts'
import type { FailureCode } from '../../../contracts/failures/failures.ts'
import { REF_LOOK_MS } from '../../../contracts/limits/limits.ts'
import type { Link } from '../../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../../device/link/link-limits.ts'
import type { UndoneSegment } from '../../../device/operators/segment-outcome.ts'
import { coversIn } from '../../../device/operators/shell/windows.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { describeNode, differenceText, firstLines, type NumberedScreen } from './compact-lines.ts'
import { type NextIndex, retrySnapshot } from './host-snapshot.ts'
import type { LocatedRef, WantedNode } from './read-screen.ts'
import type { Screen } from './screen.ts'
import type { ScreenMemory } from './screen-memory.ts'

/** One ref at one place. */
interface RefSite {
  action: Action
  param: MatcherParam
  ref: string
  wanted: WantedNode
}

/** Why an action with a ref is not sent. */
interface RefProblem {
  action: Action
  code: Extract<FailureCode, 'REF_STALE' | 'REF_AMBIGUOUS'>
  message: string
  details: Record<string, unknown>
}

export const STALE_HINT = 'Take another compact snapshot with `POST /snapshot`, and use its refs.'

const stale = (
  { action, ref }: Pick<RefSite, 'action' | 'ref'>,
  reason: string,
  more: Record<string, unknown> = {},
): RefProblem => {
  const was = typeof more.was === 'string' ? ` (${more.was})` : ''
  const message = `${ref}${was} does not stand any more: ${reason}`
  return { action, code: 'REF_STALE', message, details: { ref, reason, ...more } }
}

/** The sites of these actions, or the first ref that was never given, or whose screen is forgotten. */
const sitesOf = (
  actions: readonly Action[],
  device: string,
  memory: Pick<ScreenMemory, 'recall'>,
): RefSite[] | RefProblem => {
  const screens = new Map<number, Screen | undefined>()
  const sites: RefSite[] = []
  for (const action of actions) {
    for (const { param, ref } of refsOf(action)) {
      const { screen: number, node } = readRef(ref)
      if (!screens.has(number)) screens.set(number, memory.recall(device, number))
      const before = screens.get(number)
      if (!before) return stale({ action, ref }, `screen ${number} of this device is not on record`)
      const { length } = before.nodes
      if (node > length) return stale({ action, ref }, `screen ${number} has ${length} nodes`)
      sites.push({ action, param, ref, wanted: { before, at: node - 1 } })
    }
  }
  return sites
}

/** In the words of a snapshot, so that the caller can go on with the refs in it. */
const whatChanged = (before: Screen, now: NumberedScreen, ref: string) => ({
  screen: now.number,
  ...firstLines(differenceText(before, now, String(readRef(ref).screen))),
})

const withParams = (action: Action, params: object): Action => ({ ...action, params }) as Action

/** A point is enough for a touch; all else is done to a node, which only a matcher names. */
const replaced = (action: Action, { param }: RefSite, found: LocatedRef & { ok: true }): Action | undefined => {
  const { [param]: _, ...others } = action.params as Record<string, unknown>
  if (found.matcher) return withParams(action, { ...others, [param]: paramOf(param, found.matcher) })
  // A point of a node is one of that node alone.
  if ('point' in others) return undefined
  if (isPlaceParam(param)) return found.point && withParams(action, { ...others, [param]: { coordinate: found.point } })
  const isTouch =
    param === 'matcher' &&
    (action.type === 'double_tap' ||
      action.type === 'pinch' ||
      (action.type === 'click' && action.params.clickType !== 'focus'))
  return isTouch && found.point ? withParams(action, { ...others, coordinate: found.point }) : undefined
}

/** The points that the action touches. */
const pointsOf = (action: Action): Point[] => {
  if (action.type === 'drag')
    return [action.params.from, action.params.to].flatMap(({ coordinate }) => coordinate ?? [])
  const isTouch = action.type === 'click' || action.type === 'double_tap' || action.type === 'pinch'
  return isTouch && action.params.coordinate ? [action.params.coordinate] : []
}

/** Each action with refs as it may leave the host, or why the first one may not. `now` is the screen they were looked for on. */
const resolved = (
  sites: readonly RefSite[],
  found: readonly LocatedRef[],
  now: NumberedScreen,
): Map<Action, Action> | RefProblem => {
  const plain = new Map<Action, Action>()
  for (const [index, site] of sites.entries()) {
    const { action, ref, wanted } = site
    const { before, at } = wanted
    const node = before.nodes[at]
    const was = node && describeNode(node)
    const standing = found[index] ?? { ok: false, reason: 'it was not looked for' }
    if (!standing.ok) return stale(site, standing.reason, { was, ...whatChanged(before, now, ref) })
    const next = replaced(plain.get(action) ?? action, site, standing)
    if (!next) {
      const message = `${ref} (${was}) is there, but several nodes look like it, and ${action.type} needs one that a matcher tells from the others`
      return { action, code: 'REF_AMBIGUOUS', message, details: { ref, was } }
    }
    plain.set(action, next)
  }
  return plain
}

type Resolving =
  | { kind: 'resolved' }
  | { kind: 'problem'; problem: RefProblem }
  | { kind: 'undelivered'; delivery: UndoneSegment }

interface RefResolver {
  /** Looks once, for all refs of these steps. Rejects with a LinkError. */
  resolve(actions: readonly Action[], device: string): Promise<Resolving>
  /** The step as it may leave the host. */
  withoutRefs(action: Action): Action
  /** A point takes the place of its ref, and nothing tells if the node is what lies on top there. */
  isUnsure(stepId: string): boolean
}

export const createRefResolver = (run: ExecutionRun, next: NextIndex): RefResolver => {
  const { session, control, screens } = run
  const plain = new Map<Action, Action>()
  const unsure = new Set<string>()

  /** A window over the one that was looked at takes the touches there; where a matcher is used, the operator sees to that. */
  const covered = async (action: Action, ready: Action, link: () => Promise<Link>): Promise<RefProblem | undefined> => {
    const points = pointsOf(ready)
    if (points.length === 0) return undefined
    const call = { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state }
    const { stdout } = await (await link()).shell('dumpsys window', call)
    const cover = coversIn(stdout).find(({ bounds }) => points.some(point => contains(bounds, point)))
    if (!cover) return undefined
    const message = `the node is covered by ${cover.name}, and no matcher tells it from the others`
    return { action, code: 'REF_AMBIGUOUS', message, details: { coveredBy: cover.name } }
  }

  return {
    async resolve(actions, device) {
      const sites = sitesOf(actions, device, screens)
      if (!Array.isArray(sites)) return { kind: 'problem', problem: sites }
      const [first] = sites
      if (!first) return { kind: 'resolved' }
      const looked = await retrySnapshot(run, next, {
        wanted: sites.map(({ wanted }) => wanted),
        withinMs: REF_LOOK_MS,
        isUnbegun: true,
      })
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
      for (const [action, ready] of found) {
        const problem = await covered(action, ready, () => session.link(control.preparing()))
        if (problem) return { kind: 'problem', problem }
        plain.set(action, ready)
      }
      for (const { action } of sites) unsure.delete(action.id)
      for (const [index, { action }] of sites.entries()) {
        const standing = looked.found[index]
        if (standing?.ok && standing.isUnsure) unsure.add(action.id)
      }
      return { kind: 'resolved' }
    },
    withoutRefs: action => plain.get(action) ?? action,
    isUnsure: stepId => unsure.has(stepId),
  }
}
