/** The ports of the membership of this host: what connects it, claims its id, keeps its lease and gives all of it back. */
import type { MembershipInput } from '../../../machines/membership/membership-setup.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Port } from '../../runtime/port.ts'
import { type FleetConnection, isFinal } from '../servers/connection.ts'
import type { HostClaimKeeper } from './host-claim.ts'

export interface MembershipPortsDeps {
  clock: Clock
  connect(): Promise<FleetConnection>
  /** Resolves to the reasons why the servers are unsafe for a fleet, each a sentence. */
  judge(signal: AbortSignal): Promise<string[]>
  /** Makes or opens what the fleet keeps on the servers. Rejects while they have no leader. */
  open(): Promise<void>
  lease(): HostClaimKeeper
  /** Starts what a member does, or goes on with it. */
  begin(epoch: number): Promise<void>
  /** The lease has lapsed: nothing it owns is proven. */
  lapse(message: string): Promise<void>
  /** Resolves once nothing that came over the fleet runs here and the phones are given back. */
  finish(signal: AbortSignal): Promise<void>
  end(): Promise<void>
  note(text: string): void
}

const AGAIN_MS = 1_000

export const membershipPorts = (deps: MembershipPortsDeps) => {
  const { clock, note } = deps

  const connect: Port<MembershipInput> = async (_input, { send, signal }) => {
    let isSaid = false
    while (!signal.aborted) {
      try {
        const connection = await deps.connect()
        await send({ type: 'servers.reached', version: connection.serverVersion() })
        return
      } catch (error) {
        const message = messageOf(error)
        if (isFinal(error)) return void (await send({ type: 'fleet.unauthorized', message }))
        if (!isSaid)
          await send({ type: 'fleet.unreachable', message: `No NATS server of the fleet answers: ${message}.` })
        isSaid = true
        await pause(clock, AGAIN_MS, signal)
      }
    }
  }

  const judge: Port<MembershipInput> = async (_input, { send, signal }) => {
    while (!signal.aborted) {
      try {
        const unsafe = await deps.judge(signal)
        return void (await send({ type: 'servers.judged', isSafe: unsafe.length === 0, unsafe }))
      } catch {
        await pause(clock, AGAIN_MS, signal)
      }
    }
  }

  const claim: Port<MembershipInput> = async (_input, { send, signal }) => {
    let lastNote = ''
    while (!signal.aborted) {
      try {
        await deps.open()
        const claimed = await deps.lease().claim(signal)
        if (claimed.kind === 'claimed') return void (await send({ type: 'host.claimed', epoch: claimed.epoch }))
        if (claimed.kind === 'taken') {
          return void (await send({ type: 'host.taken', instance: claimed.instance, pid: claimed.pid }))
        }
      } catch (error) {
        const message = messageOf(error)
        if (message !== lastNote) note(`fleet: the servers do not take the claim of this host yet: ${message}`)
        lastNote = message
        await pause(clock, AGAIN_MS, signal)
      }
    }
  }

  const keep: Port<MembershipInput> = async ({ epoch }, { send, signal }) => {
    // Not waited for: the lease is renewed meanwhile.
    deps.begin(epoch).catch(error => note(`fleet: ${messageOf(error)}`))
    const message = await deps.lease().keep(signal)
    if (message === undefined || signal.aborted) return
    await deps.lapse(message)
    await send({ type: 'lease.lapsed', message })
  }

  const finish: Port<MembershipInput> = async (_input, { send, signal }) => {
    await deps.finish(signal)
    if (!signal.aborted) await send({ type: 'work.ended' })
  }

  const release: Port<MembershipInput> = async (_input, { send }) => {
    await deps.end()
    await send({ type: 'fleet.left' })
  }

  return { connect, judge, claim, keep, finish, release }
}
