/** Steps that the host performs over the link, beside the taps of a plan. */
import { createRandom } from '../../long/trial/random.ts'
import type { AppDeed } from '../phone/app-steps.ts'
import type { FileDeed } from '../phone/file-steps.ts'
import { SHARED_TARGET, targetOf } from '../phone/host-steps.ts'
import type { TransferCut } from '../phone/transfer-cuts.ts'
import { seedOf } from '../scheduler.ts'
import type { Ask, Plan } from './plan.ts'

/** Every value is of one request alone, so that a phone shows whose step it has done. */
export type HostDeed =
  | { kind: 'setting'; setting: 'font_scale' | 'brightness'; value: number }
  | { kind: 'push'; to: string; isSpoilt?: true }
  | { kind: 'append' }
  | { kind: 'restore' }
  | AppDeed
  | FileDeed

export type HostStep = HostDeed & {
  /** After the tap. */
  isLast?: true
  /** The link ends before the command that does it, or once that has run and before it is answered. */
  loses?: 'request' | 'answer'
  /** Where a transfer ends in the middle. */
  cut?: TransferCut
}

/** A brightness counts as set when it is one off. No value is the beginning of another. */
const valueAt = (setting: 'font_scale' | 'brightness', index: number): number =>
  setting === 'brightness' ? 110 + 3 * index : (1_001 + 2 * index) / 1_000

const isTrue = <K extends string>(key: K, is: boolean) => (is ? ({ [key]: true } as { [one in K]: true }) : {})

export const withHostSteps = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, steps of the host`))
  if (random.chance(0.5)) return plan
  const deedAt = (command: string, index: number): HostDeed => {
    const kind = random.pick(['setting', 'setting', 'setting', 'push', 'push', 'append', 'restore'] as const)
    if (kind === 'push')
      return {
        kind,
        to: random.chance(0.5) ? SHARED_TARGET : targetOf(command),
        ...isTrue('isSpoilt', random.chance(0.15)),
      }
    if (kind !== 'setting') return { kind }
    const setting = random.pick(['font_scale', 'brightness'] as const)
    return { kind, setting, value: valueAt(setting, index) }
  }
  const asks = plan.asks.map((ask, index): Ask => {
    if (random.chance(0.3)) return ask
    const deed = deedAt(ask.command, index)
    const isLast = isTrue('isLast', random.chance(0.4))
    const loses = random.chance(0.3) ? random.pick<'request' | 'answer'>(['request', 'answer', 'answer']) : undefined
    const hostStep: HostStep = { ...deed, ...isLast, ...(loses ? { loses } : {}) }
    return { ...ask, hostStep }
  })
  return { ...plan, asks }
}
