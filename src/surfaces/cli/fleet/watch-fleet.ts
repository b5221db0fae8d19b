/** `svc watch --fleet`: the transitions of every host, read from the servers of the fleet. */
import { type GapData, readLogPosition } from '../../../contracts/fleet-log.ts'
import { type FleetStep, followFleet } from '../../../fleet/log/follow-fleet.ts'
import { connectFleet, type FleetAddress } from '../../../fleet/servers/connection.ts'
import { FleetConfigurationError } from '../../../fleet/servers/server-urls.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { transitionLine } from '../journal/transition-line.ts'
import { fleetAddressOf, usageOf } from './fleet-address.ts'

export interface WatchFleetOptions {
  filter: { actor: string | undefined; machine: string | undefined }
  isJson: boolean
}

/** `--fleet` alone means the fleet of the environment. */
const addressOf = ({ env, text }: CommandContext): FleetAddress => {
  const address = fleetAddressOf({ text: flag => text(flag) || undefined }, env)
  if (address) return address
  throw usage('--fleet needs the NATS servers of the fleet, or SVC_FLEET with them.', {
    hint: 'Name them: svc watch --fleet nats://a:4222,nats://b:4222',
  })
}

const afterOf = (call: CommandContext): number | undefined => {
  const text = call.text('after')
  if (text === undefined) return undefined
  const position = text === '0' ? 0 : readLogPosition(text)
  if (position !== undefined) return position
  throw usage(`--after must be a position of the fleet such as 17.0, or 0; got ${JSON.stringify(text)}.`, {
    hint: 'Each line of svc watch --fleet has its position: with --json in the field position, otherwise after the time.',
  })
}

const gapText = ({ reason, host, from, to }: GapData): string => {
  if (reason === 'records-missing') return `${host}: records ${from} to ${to} were gone before they could be told`
  if (reason === 'records-unreadable') {
    const which = from === undefined ? 'some records' : `record ${from}`
    return `${host}: ${which} cannot be shown, because only a newer svc knows their form: upgrade this one`
  }
  if (reason === 'journal-replaced')
    return `${host}: another journal took the place of the one before; its records follow`
  return 'some of the log is no longer kept, and is left out here'
}

const lineOf = ({ position, transition }: FleetStep, isJson: boolean): string[] => {
  if (!transition) return []
  if (isJson) return [JSON.stringify({ position, ...transition })]
  const { host, actor } = transition
  return [transitionLine({ ...transition, actor: `${actor}@${host}`, place: position })]
}

const connected = async (address: FleetAddress, { clock }: CommandContext) => {
  try {
    return await connectFleet(address, clock)
  } catch (error) {
    if (error instanceof FleetConfigurationError) throw usageOf(error)
    throw new CommandError('FLEET_UNREACHABLE', `No server of the fleet can be reached: ${messageOf(error)}.`, {
      hint: 'Check the URLs, and that the servers run.',
    })
  }
}

export const watchFleet = async (
  call: CommandContext,
  { filter, isJson }: WatchFleetOptions,
): Promise<CommandResult> => {
  const { clock, io, signal } = call
  const address = addressOf(call)
  const after = afterOf(call)
  const connection = await connected(address, call)
  try {
    const { names } = address
    const note = (text: string) => io.note(`svc watch: ${text}`)
    await followFleet({ connection, names, clock, after, filter, signal, note }, async steps => {
      for (const { gap } of steps) if (gap) note(gapText(gap))
      const lines = steps.flatMap(step => lineOf(step, isJson))
      return lines.length === 0 || io.print(lines.join('\n'))
    })
  } catch (error) {
    if (!signal.aborted) {
      throw new CommandError(
        'FLEET_UNREACHABLE',
        `The log of fleet ${address.names.fleet} cannot be read: ${messageOf(error)}.`,
        {
          hint: 'Check --fleet-name, and that a host has joined the fleet.',
        },
      )
    }
  } finally {
    await connection.close()
  }
  return { ok: true }
}
