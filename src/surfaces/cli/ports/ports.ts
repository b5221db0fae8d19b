/** `svc forward` and `svc reverse`: by the adb server, or by the daemon that holds them for it. */

import { END_WORDS, type Forward, isListener, isTarget } from '../../../contracts/device/forwards.ts'
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

const outputOf = <T>(result: Result<T>, output: (value: T) => unknown): CommandResult =>
  result.ok ? { ok: true, output: output(result.value) } : { ok: false, output: result.error }

export const addPorts = async (kind: PortsKind, call: CommandContext): Promise<CommandResult> => {
  const [first, second] = call.args
  const names = kind === 'forward' ? (['local', 'remote'] as const) : (['remote', 'local'] as const)
  const meant = withTcp([kind, 'add'], call.args)
  const listening = checked(first, isListener, { name: names[0], meant })
  const target = checked(second, isTarget, { name: names[1], meant })
  const replace = call.isOn('replace')
  const ends =
    kind === 'forward' ? { local: listening, remote: target, replace } : { local: target, remote: listening, replace }
  if (kind === 'forward') {
    const added = await asking(
      call,
      (service, deviceId, options) => service['forwards.add']({ deviceId, ...ends }, options),
      true,
    )
    return added ? outputOf(added, ({ forward }) => ({ forward })) : notHeld(listening)
  }
  const added = await asking(
    call,
    (service, deviceId, options) => service['reverses.add']({ deviceId, ...ends }, options),
    true,
  )
  return added ? outputOf(added, ({ reverse }) => ({ reverse })) : notHeld(listening)
}

export const listPorts = async (kind: PortsKind, call: CommandContext): Promise<CommandResult> => {
  if (kind === 'forward') {
    const listed = await asking(
      call,
      (service, deviceId, options) => service['forwards.list']({ deviceId }, options),
      false,
    )
    return listed
      ? outputOf(listed, ({ forwards, count }) => ({ forwards, count }))
      : { ok: true, output: { forwards: [], count: 0 } }
  }
  const listed = await asking(
    call,
    (service, deviceId, options) => service['reverses.list']({ deviceId }, options),
    false,
  )
  return listed
    ? outputOf(listed, ({ reverses, count }) => ({ reverses, count }))
    : { ok: true, output: { reverses: [], count: 0 } }
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
    name: kind === 'forward' ? 'local' : 'remote',
    meant: withTcp([kind, 'remove'], call.args),
  })
  const id = kind === 'forward' ? 'forwards.remove' : 'reverses.remove'
  const removed = await asking<Removed>(
    call,
    (service, deviceId, options) => service[id]({ deviceId, end }, options),
    false,
  )
  if (!removed) return notHeld(end)
  return outputOf(removed, ({ forward, reverse }) => ({ removed: forward ?? reverse }))
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
