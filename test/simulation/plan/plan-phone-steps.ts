/** Steps of the host that change applications and files of a phone, and transfers that end in the middle. */
import { createRandom, type Random } from '../../long/trial/random.ts'
import { APP_KINDS } from '../phone/app-steps.ts'
import { fetchedBytes, SHARED_NAME } from '../phone/file-steps.ts'
import { CONTENT_BYTES, SHARED_TARGET, targetOf } from '../phone/host-steps.ts'
import type { TransferCut } from '../phone/transfer-cuts.ts'
import { seedOf } from '../scheduler.ts'
import type { Ask, Plan } from './plan.ts'
import type { HostDeed, HostStep } from './plan-host-steps.ts'

type Group = 'apps' | 'files'

const deedOf = (random: Random, group: Group, command: string): HostDeed => {
  if (group === 'apps') {
    const kind = random.pick(APP_KINDS)
    if (kind === 'install') return { kind, ...(random.chance(0.4) ? { isSplit: true } : {}) }
    return kind === 'permission' ? { kind, state: random.pick(['allow', 'deny'] as const) } : { kind }
  }
  const kind = random.pick(['pull', 'pull', 'push', 'remove'] as const)
  const isShared = random.chance(0.5)
  if (kind === 'remove') return { kind }
  if (kind === 'push') return { kind, to: isShared ? SHARED_TARGET : targetOf(command) }
  return { kind: 'pull', name: isShared ? SHARED_NAME : command, ...(random.chance(0.15) ? { isLarge: true } : {}) }
}

const cutOf = (random: Random, deed: HostDeed): TransferCut | undefined => {
  const size = deed.kind === 'pull' ? fetchedBytes(deed.isLarge === true) : CONTENT_BYTES
  const way = random.pick(['link', 'link', 'process', 'silence'] as const)
  return { afterBytes: random.int(0, size - 1), way }
}

const TRANSFERS: readonly HostDeed['kind'][] = ['install', 'push', 'pull']

export const withPhoneSteps = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, applications and files`))
  const hasApps = random.chance(0.25)
  const hasFiles = random.chance(0.25)
  if (!hasApps && !hasFiles) return plan
  const isCut = random.chance(0.5)
  const asks = plan.asks.map((ask): Ask => {
    if (random.chance(0.4)) return ask
    const deed = deedOf(random, hasApps && (!hasFiles || random.chance(0.5)) ? 'apps' : 'files', ask.command)
    const cut = isCut && TRANSFERS.includes(deed.kind) && random.chance(0.4) ? cutOf(random, deed) : undefined
    const loses =
      !cut && random.chance(0.25) ? random.pick<'request' | 'answer'>(['request', 'answer', 'answer']) : undefined
    const hostStep: HostStep = {
      ...deed,
      ...(random.chance(0.4) ? { isLast: true } : {}),
      ...(cut ? { cut } : {}),
      ...(loses ? { loses } : {}),
    }
    return { ...ask, hostStep }
  })
  return { ...plan, asks }
}
