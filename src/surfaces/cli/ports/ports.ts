/** `svc forward` and `svc reverse`: by the adb server, or by the daemon that holds them for it. */

import {
  END_WORDS,
  endsOf,
  type Forward,
  type ForwardResponse,
  type ForwardsResponse,
  isListener,
  isTarget,
  type ReverseResponse,
  type ReversesResponse,
} from '../../../contracts/device/forwards.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { askDevice } from '../devices/devices.ts'
import { listText } from '../text/answer.ts'
import { headline } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { askHolder } from './ask-holder.ts'

export type PortsKind = 'forward' | 'reverse'

const checked = (
  end: string | undefined,
  is: (text: string) => boolean,
  { name, meant }: { name: string; meant: string | undefined },
): string => {
  if (end !== undefined && is(end)) return end
  const rule =
    is === isListener ? 'tcp:0 chooses a free port, which the output names.' : 'A port is a number from 1 to 65535.'
  throw usage(`<${name}> must be ${END_WORDS}; got "${end ?? ''}".`, { hint: meant ? `Did you mean: ${meant}` : rule })
}

/** The call with `tcp:` before bare ports; undefined where that would not be right either. */
const withTcp = (called: readonly string[], args: readonly string[]): string | undefined => {
  const ends = args.map(end => (/^\d+$/.test(end) ? `tcp:${end}` : end))
  return ends.every(isListener) && ends.some((end, index) => end !== args[index])
    ? ['svc', ...called, ...ends].join(' ')
    : undefined
}

interface Removed {
  forward?: Forward
  reverse?: Forward
}

type Ask<T> = (service: Service, deviceId: string, call: ServiceCall) => Promise<Result<T>>

/** Asks this process, and the holder of the device's forwards where this process cannot hold any. */
const asking = async <T>(call: CommandContext, ask: Ask<T>, mayStart: boolean): Promise<Result<T> | undefined> => {
  const answer = await askDevice(call, ask)
  if (answer.ok || answer.host !== undefined) return answer
  const named = call.text('device')?.trim()
  if (answer.error.details?.reason === 'daemon_needed' && answer.deviceId !== undefined) {
    return askHolder(call, answer.deviceId, ask, { mayStart })
  }
  // A device that is away now: its daemon may hold something for it.
  const held = mayStart || !named ? undefined : await askHolder(call, named, ask, { mayStart: false })
  return held?.ok ? held : answer
}

const outputOf = <T extends { ok: true }>(result: Result<T>): CommandResult => {
  if (!result.ok) return { ok: false, output: result.error }
  const { ok: _, ...output } = result.value
  return { ok: true, output }
}

export const addPorts = async (kind: PortsKind, call: CommandContext): Promise<CommandResult> => {
  const { listens, target } = endsOf(kind)
  const meant = withTcp([kind, 'add'], call.args)
  const listening = checked(call.args[0], isListener, { name: listens, meant })
  const ends = {
    local: listening,
    remote: listening,
    [target]: checked(call.args[1], isTarget, { name: target, meant }),
    replace: call.isOn('replace'),
  }
  const id = kind === 'forward' ? 'forwards.add' : 'reverses.add'
  const added = await asking<ForwardResponse | ReverseResponse>(
    call,
    (service, deviceId, options) => service[id]({ deviceId, ...ends }, options),
    true,
  )
  return added ? outputOf(added) : notHeld(listening)
}

export const listPorts = async (kind: PortsKind, call: CommandContext): Promise<CommandResult> => {
  const id = kind === 'forward' ? 'forwards.list' : 'reverses.list'
  const listed = await asking<ForwardsResponse | ReversesResponse>(
    call,
    (service, deviceId, options) => service[id]({ deviceId }, options),
    false,
  )
  return listed ? outputOf(listed) : { ok: true, output: { [`${kind}s`]: [], count: 0 } }
}

const notHeld = (end: string): CommandResult => ({
  ok: false,
  output: failure('FORWARD_REFUSED', `${end} leads nowhere: no daemon holds anything for this device.`, {
    details: { reason: 'not_found', end },
    hint: 'List them to see which there are.',
  }),
})

export const removePorts = async (kind: PortsKind, call: CommandContext): Promise<CommandResult> => {
  const end = checked(call.args[0], isTarget, {
    name: endsOf(kind).listens,
    meant: withTcp([kind, 'remove'], call.args),
  })
  const id = kind === 'forward' ? 'forwards.remove' : 'reverses.remove'
  const removed = await asking<Removed>(
    call,
    (service, deviceId, options) => service[id]({ deviceId, end }, options),
    false,
  )
  if (!removed) return notHeld(end)
  if (!removed.ok) return { ok: false, output: removed.error }
  const { forward, reverse } = removed.value
  return { ok: true, output: { removed: forward ?? reverse } }
}

const holderWords = ({ heldBy }: Forward): string => (heldBy === 'adb-server' ? 'adb server' : `process ${heldBy.pid}`)

interface Listed {
  forwards?: readonly Forward[]
  reverses?: readonly Forward[]
}

export const portsText = (page: Page, { forwards, reverses }: Listed): string =>
  listText(page, forwards ?? reverses ?? [], {
    none: forwards ? 'No port leads to the device.' : 'No port of the device leads here.',
    as: { heldBy: holderWords },
    first: ['local', 'remote'],
  })

export const portAddedText = (page: Page, { forward, reverse }: Removed): string => {
  if (forward) return headline(page, 'ok', safe`${forward.local} leads to ${forward.remote} of ${forward.deviceId}`)
  return headline(page, 'ok', safe`${reverse?.remote} of ${reverse?.deviceId} leads to ${reverse?.local}`)
}

export const portRemovedText = (page: Page, { removed }: { removed: Forward }): string =>
  headline(page, 'ok', safe`${removed.local} and ${removed.remote} of ${removed.deviceId} are no longer connected`)
