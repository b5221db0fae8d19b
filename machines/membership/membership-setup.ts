/** The context, ports and emitted events of the machine of a host in a fleet. */
import { assign, emit, setup } from 'xstate'
import type { MembershipEvent } from '../../src/contracts/events/fleet.ts'
import { ignore, port } from '../port.ts'

export interface MembershipContext {
  fleet: string
  host: string
  instance: string
  allowsUnsafe: boolean
  /** The revision under which this process holds the id of the host. */
  epoch: number
  isDraining: boolean
}

export type MembershipInput = Pick<MembershipContext, 'fleet' | 'host' | 'instance' | 'epoch'>

export type MembershipEmitted =
  | { type: 'fleet.joined'; instance: string }
  /** Nobody answers yet; it goes on trying. */
  | { type: 'fleet.awaited'; instance: string; message: string }
  | { type: 'fleet.refused'; instance: string; code: string; message: string; details: unknown }
  | { type: 'fleet.drained'; instance: string }
  | { type: 'fleet.ended'; instance: string }

export const inputOf = ({
  context: { fleet, host, instance, epoch },
}: {
  context: MembershipContext
}): MembershipInput => ({
  fleet,
  host,
  instance,
  epoch,
})

const sentenceOf = (event: MembershipEvent): string =>
  'message' in event ? event.message : 'The fleet was not joined.'

export const membershipSetup = setup({
  types: {
    context: {} as MembershipContext,
    events: {} as MembershipEvent,
    emitted: {} as MembershipEmitted,
    input: {} as { fleet: string },
    tags: {} as 'in-flight',
  },
  actors: {
    connect: port<MembershipInput>('connect'),
    judge: port<MembershipInput>('judge'),
    claim: port<MembershipInput>('claim'),
    keep: port<MembershipInput>('keep'),
    finish: port<MembershipInput>('finish'),
    release: port<MembershipInput>('release'),
  },
  actions: {
    take: assign(({ context, event }) =>
      event.type === 'join.requested'
        ? {
            ...context,
            fleet: event.fleet,
            host: event.host,
            instance: event.instance,
            allowsUnsafe: event.allowsUnsafe,
          }
        : context,
    ),
    own: assign({ epoch: ({ context, event }) => ('epoch' in event ? event.epoch : context.epoch) }),
    stopTaking: assign({ isDraining: true }),
    reset: assign({ isDraining: false, epoch: 0 }),
    join: emit(({ context }) => ({ type: 'fleet.joined' as const, instance: context.instance })),
    wait: emit(({ context, event }) => ({
      type: 'fleet.awaited' as const,
      instance: context.instance,
      message: sentenceOf(event),
    })),
    refuseUnsafe: emit(({ context, event }) => ({
      type: 'fleet.refused' as const,
      instance: context.instance,
      code: 'FLEET_UNSAFE',
      message: `The NATS servers are unsafe for a fleet: ${event.type === 'servers.judged' ? event.unsafe.join(' ') : ''}`,
      details: event.type === 'servers.judged' ? { unsafe: event.unsafe } : null,
    })),
    refuseTaken: emit(({ context, event }) => ({
      type: 'fleet.refused' as const,
      instance: context.instance,
      code: 'FLEET_HOST_TAKEN',
      message: `Another live host of the fleet has the id ${context.host}.`,
      details: event.type === 'host.taken' ? { host: context.host, pid: event.pid, instance: event.instance } : null,
    })),
    refuseUnauthorized: emit(({ context, event }) => ({
      type: 'fleet.refused' as const,
      instance: context.instance,
      code: 'FLEET_UNREACHABLE',
      message: sentenceOf(event),
      details: null,
    })),
    refuseBroken: emit(({ context, event }) => ({
      type: 'fleet.refused' as const,
      instance: context.instance,
      code: 'INTERNAL_ERROR',
      message: sentenceOf(event),
      details: null,
    })),
    drained: emit(({ context }) => ({ type: 'fleet.drained' as const, instance: context.instance })),
    end: emit(({ context }) => ({ type: 'fleet.ended' as const, instance: context.instance })),
    ignore,
  },
  guards: {
    isUsable: ({ context, event }) => event.type === 'servers.judged' && (event.isSafe || context.allowsUnsafe),
    isDraining: ({ context }) => context.isDraining,
  },
})
