/** `svc fleet status|drain|forget`: asked of any host, and of the servers where none answers. */

import { duration } from '../../../contracts/duration.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { FleetHostStatus, FleetStatus } from '../../../contracts/fleet.ts'
import { HOST_SILENT_MS } from '../../../contracts/limits/fleet-limits.ts'
import { keptHosts } from '../../../fleet/membership/hosts-on-record.ts'
import type { FleetClient } from '../../../fleet/servers/client.ts'
import { fleetUnreachable, interruptedEarly } from '../../../fleet/transport.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { listText } from '../text/answer.ts'
import { counted, headline, lines } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { inFleet, serviceOfFleet } from './session.ts'

const failedWith = (output: unknown): CommandResult => ({ ok: false, output })

/** `alone` is done when no host has answered. */
const askHosts = async (
  call: CommandContext,
  ask: (service: Service, options: ServiceCall) => Promise<Result<{ ok: true }>>,
  alone: (client: FleetClient) => Promise<CommandResult>,
): Promise<CommandResult> => {
  const done = await inFleet(call, async client => {
    const result = await ask(serviceOfFleet(client, call), { context: { caller: 'cli' }, signal: call.signal })
    if (!result.ok)
      return result.unanswered === 'not sent' && !call.signal.aborted ? alone(client) : failedWith(result.error)
    const { ok: _, ...output } = result.value
    return { ok: true, output }
  })
  if (done.kind === 'done') return done.value
  return failedWith(done.reason === 'interrupted' ? interruptedEarly() : fleetUnreachable(done.why))
}

const unknown = (host: string) =>
  failedWith(
    failure('NOT_FOUND', `The fleet knows no host ${JSON.stringify(host)}.`, {
      hint: 'See svc fleet status for the hosts.',
    }),
  )

const serversFail = (error: unknown) => failedWith(fleetUnreachable(`the servers do not do it: ${messageOf(error)}`))

export const showStatus = (call: CommandContext): Promise<CommandResult> =>
  askHosts(
    call,
    (service, options) => service['fleet.status']({}, options),
    async client => {
      try {
        const hosts = await keptHosts(client, call.clock)
        call.log.warn('No host of the fleet answers: this is what its servers know.')
        const { connection, names } = client
        const output = { fleet: names.fleet, connected: true, server: connection.serverVersion(), hosts }
        return { ok: true, output }
      } catch (error) {
        return serversFail(error)
      }
    },
  )

export const drainHost = (call: CommandContext): Promise<CommandResult> => {
  const [host = ''] = call.args
  return askHosts(
    call,
    (service, options) => service['fleet.drain']({ host }, options),
    async client =>
      client.knows(host)
        ? failedWith(
            failure('FLEET_HOST_GONE', `Host ${host} does not answer.`, {
              details: { host, dispatched: false },
              hint: 'See svc fleet status for when it was heard last; svc fleet forget removes a host that is gone.',
            }),
          )
        : unknown(host),
  )
}

export const forgetHost = (call: CommandContext): Promise<CommandResult> => {
  const [host = ''] = call.args
  return askHosts(
    call,
    (service, options) => service['fleet.forget']({ host }, options),
    async client => {
      const kept = () => client.hosts().find(({ record }) => record.host === host)
      if (!kept()) return unknown(host)
      // The host may be alive and too busy to answer: then it is heard meanwhile.
      await pause(call.clock, HOST_SILENT_MS, call.signal)
      if (call.signal.aborted) return failedWith(interruptedEarly())
      if (kept()?.heard) {
        return failedWith(failure('FLEET_HOST_TAKEN', `Host ${host} is alive.`, { details: { host } }))
      }
      try {
        await client.forget(host)
        return { ok: true, output: { host, state: 'forgotten' } }
      } catch (error) {
        return serversFail(error)
      }
    },
  )
}

const SIGN_OF: Readonly<Record<string, string>> = { serving: SIGNS.ok, cut: SIGNS.failed, gone: SIGNS.failed }

const HOST_COLUMNS = {
  as: {
    state: ({ state }: FleetHostStatus) => `${SIGN_OF[state] ?? SIGNS.warning} ${state}`,
    lastContactMs: ({ lastContactMs }: FleetHostStatus) =>
      lastContactMs === undefined ? 'not yet' : `${duration(lastContactMs)} ago`,
  },
  first: ['host', 'state', 'ready', 'devices'],
  without: ['protocol', 'pid'],
}

/** The host that answers is missing where the servers were asked alone. */
type AnsweredStatus = Omit<FleetStatus, 'host'> & { host?: string }

export const fleetText = (page: Page, { fleet, host, connected, server, hosts }: AnsweredStatus): string => {
  const by = host === undefined ? 'its servers see' : `${host} sees`
  const link = connected ? `NATS ${server ?? ''}`.trim() : 'without a NATS server'
  const text = safe`Fleet ${fleet}, as ${by} it, ${link}: ${counted(hosts.length, 'host')}.`
  return lines(headline(page, connected ? 'ok' : 'warning', text), listText(page, hosts, HOST_COLUMNS))
}

export const fleetHostText = (page: Page, { host, state }: { host: string; state: string }): string =>
  headline(page, 'ok', safe`Host ${host} is ${state}.`)
