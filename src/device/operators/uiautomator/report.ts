/** How svc.uiautomator does on one phone, as numbers that can be shown to anybody: nothing of what its screen shows. */

import {
  type FoundNode,
  isOnScreen,
  type Point,
  type UiNode,
  type UiTree,
  walk,
} from '../../../contracts/device/ui-tree.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { findTapPoint } from '../../screen/tap-point.ts'
import { uiautomatorDriver } from './driver.ts'
import type { DeviceHelper } from './helper.ts'
import { HelperUnavailable } from './prepare-helper.ts'
import { tapPlan } from './touch-plan.ts'

const REPORT_ROUNDS = 20
/** Beyond ASCII, so that the keyboard helper has to type it. */
const TEXT = 'svc äß 世界'
const PROPERTIES = {
  manufacturer: 'ro.product.manufacturer',
  model: 'ro.product.model',
  release: 'ro.build.version.release',
  sdk: 'ro.build.version.sdk',
} as const

interface Timed {
  ok: number
  failures: string[]
  ms: { least: number; median: number; most: number } | null
}

interface PhoneReport {
  phone: Record<keyof typeof PROPERTIES, string>
  start: Timed
  snapshots: Timed & { nodes: { least: number; most: number } | null }
  taps: Timed
  text: { status: 'ok' | 'failed' | 'skipped'; reason?: string; ms?: number }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof HelperUnavailable || error instanceof StepFailure || error instanceof LinkError) {
    return `${error.code}: ${error.message}`
  }
  throw error
}

const rounded = (value: number) => Math.round(value * 10) / 10

/** A link that is lost ends it all: what is left would only repeat that. */
const timed = async (clock: Clock, rounds: number, work: () => Promise<string | undefined>): Promise<Timed> => {
  const took: number[] = []
  const failures: string[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = clock.elapsed()
    try {
      const failure = await work()
      if (failure === undefined) took.push(clock.elapsed() - begun)
      else failures.push(failure)
    } catch (error) {
      failures.push(reasonOf(error))
      if (error instanceof LinkError && error.code !== 'LINK_TIMEOUT') break
    }
  }
  took.sort((a, b) => a - b)
  const at = (index: number) => rounded(took[index] ?? 0)
  const ms = took.length === 0 ? null : { least: at(0), median: at(took.length >> 1), most: at(took.length - 1) }
  return { ok: took.length, failures, ms }
}

const PLACES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]

const takesTouches = (node: UiNode) => node.clickable || node.focusable || node.scrollable

/** A point where nothing says that it takes a touch; undefined on a screen that is full. */
const emptyPlace = (tree: UiTree): Point | undefined => {
  const [root] = tree.roots
  if (!root) return undefined
  const takers = [...walk(tree.roots)].map(({ node }) => node).filter(node => isOnScreen(node) && takesTouches(node))
  const { left, top, right, bottom } = root.bounds
  const points = PLACES.flatMap(down =>
    PLACES.map(across => ({
      x: Math.round(left + (right - left) * across),
      y: Math.round(top + (bottom - top) * down),
    })),
  )
  return points.find(
    ({ x, y }) =>
      !takers.some(({ bounds }) => x >= bounds.left && x < bounds.right && y >= bounds.top && y < bounds.bottom),
  )
}

interface ReportOptions {
  link: Link
  helper: DeviceHelper
  clock: Clock
  /** The resource id of a field on the screen that may be typed into, and emptied. */
  field: string | undefined
}

const phoneOf = async (link: Link, options: CallOptions): Promise<PhoneReport['phone']> => {
  const word = async (name: string) =>
    (await link.shell(commandLine('getprop', name), { ...options, maxBytes: OUTPUT_BYTES_MAX.word })).stdout.trim()
  const found = Object.entries(PROPERTIES).map(async ([key, name]) => [key, await word(name)] as const)
  return Object.fromEntries(await Promise.all(found)) as PhoneReport['phone']
}

const typeInto = async (
  { link, helper, clock, field }: ReportOptions,
  call: CallOptions & { signal: AbortSignal },
): Promise<PhoneReport['text']> => {
  if (field === undefined) return { status: 'skipped', reason: 'no field to type into was named' }
  const driver = uiautomatorDriver(helper, link, { clock, ...call })
  const find = async () => [...walk((await driver.tree())?.roots ?? [])].find(({ node }) => node.resourceId === field)
  const replacing = (found: FoundNode) => {
    const point = found.node.focused ? undefined : findTapPoint(found, found.node).point
    return { append: false, submit: false, point }
  }
  const begun = clock.elapsed()
  try {
    const empty = await find()
    if (!empty) return { status: 'skipped', reason: 'the named field is not on the screen' }
    await driver.enterText(empty.node, TEXT, replacing(empty))
    const ms = rounded(clock.elapsed() - begun)
    const full = await find()
    if (full) await driver.enterText(full.node, ' ', replacing(full))
    return { status: 'ok', ms }
  } catch (error) {
    return { status: 'failed', reason: reasonOf(error) }
  }
}

/** Reports counts, times and the words of failures; the content of the screen stays on the phone. */
export const reportOn = async (
  options: ReportOptions,
  call: CallOptions & { signal: AbortSignal },
): Promise<PhoneReport> => {
  const { link, helper, clock } = options
  const phone = await phoneOf(link, call)
  const start = await timed(clock, 1, async () => void (await helper.health(call)))
  const sizes: number[] = []
  let last: UiTree | undefined
  const snapshots = await timed(clock, REPORT_ROUNDS, async () => {
    last = await helper.tree(call)
    if (!last) return 'no tree'
    sizes.push([...walk(last.roots)].length)
    return undefined
  })
  const place = last && emptyPlace(last)
  const taps = await timed(clock, place ? REPORT_ROUNDS : 0, async () => {
    const touched = place && (await helper.touch(tapPlan(place, 'default'), call))
    return !touched || touched.ok ? undefined : `refused: ${touched.reason}`
  })
  const nodes = sizes.length === 0 ? null : { least: Math.min(...sizes), most: Math.max(...sizes) }
  return {
    phone,
    start,
    snapshots: { ...snapshots, nodes },
    taps: place ? taps : { ...taps, failures: ['no empty place on the screen'] },
    text: await typeInto(options, call),
  }
}
