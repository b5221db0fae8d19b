/** The ports that lead to a device of this host, and those of the device that lead here. */

import { ANY_PORT, endsOf, type Forward } from '../../contracts/device/forwards.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { ForwardKind, ListedPair } from '../../device/link/forwards/forwards.ts'
import type { ForwardAnswer } from '../../device/link/forwards/port-pair.ts'
import type { CallOptions, Link } from '../../device/link/link.ts'
import { asFailure } from '../executions/refusals.ts'
import { testRunActor, testRunOf } from '../flows/read-test-run.ts'
import type { Parts } from '../parts.ts'
import type { LeaseAnswer } from '../reservations/reservations.ts'
import type { UndoNote, UndoOwner } from '../reservations/undo-notes.ts'
import { failed, type RequestOptions, type Result, success } from '../service.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

/** Bounds opening the link and asking the device. */
const ASK_MS = 20_000
const FORBIDDEN = 403

type Refusal = Extract<ForwardAnswer<unknown>, { ok: false }>

/** Said of the end that was to listen; `said` is the reason in the words of adb, of this host or of the device. */
const REASONS: Readonly<Record<Refusal['reason'], { clause: (answer: Refusal) => string; hint: string }>> = {
  taken: {
    clause: ({ holds }) =>
      holds ? `it connects ${holds.local} with ${holds.remote} already` : 'it leads elsewhere already',
    hint: 'Remove that first, or replace it.',
  },
  port_in_use: {
    clause: ({ said }) => `it cannot be listened on (${said})`,
    hint: 'Choose another port, or tcp:0 for any free one.',
  },
  not_found: { clause: () => 'it leads nowhere', hint: 'List them to see which there are.' },
  file_exists: { clause: ({ said }) => said, hint: 'Choose a path where nothing is.' },
  daemon_needed: {
    clause: ({ said }) => said,
    hint: 'Run it without --no-daemon, or ask a server of svc.',
  },
  unsupported: {
    clause: ({ said }) => said,
    hint: 'Use tcp:<port> at the host, or connect the device to the adb server with svc devices connect.',
  },
  limit: { clause: ({ said }) => said, hint: 'Remove those that nobody needs.' },
  failed: { clause: ({ said }) => said, hint: 'See that the device is connected, and that both ends are right.' },
}

const refusal = (answer: Refusal, end?: string) => {
  const { reason, said, holds } = answer
  const { clause, hint } = REASONS[reason]
  const details = {
    reason,
    ...(end === undefined ? {} : { end }),
    ...(said === '' ? {} : { said }),
    ...(holds ? { connects: holds } : {}),
  }
  const subject = end === undefined ? 'They cannot be listed' : `The end ${end} cannot be used`
  const message = reason === 'not_found' ? `The end ${end} leads nowhere.` : `${subject}: ${clause(answer)}.`
  return failed(failure('FORWARD_REFUSED', message, { details, hint }))
}

const stranger = () =>
  failed(
    failure('FORWARD_REFUSED', 'Ports are forwarded for commands of the user of this host only.', {
      details: { reason: 'stranger' },
      hint: 'Log in to the host of the device, and run svc forward or svc reverse there.',
    }),
    { status: FORBIDDEN },
  )

const forwardOf = (deviceId: string, { local, remote, isHeld }: ListedPair): Forward => ({
  deviceId,
  local,
  remote,
  heldBy: isHeld ? { pid: process.pid } : 'adb-server',
})

interface Noted {
  kind: ForwardKind
  link: Link
  pair: { local: string; remote: string }
  leaseId: string | undefined
  options: CallOptions
}

/** Undefined for the reservation of a person, whose forwards stay. */
const ownerOf = (answer: LeaseAnswer): UndoOwner | undefined => {
  if (!answer.ok) return undefined
  const { sessionId, flowRunId } = answer.lease
  if (sessionId !== undefined) return { id: sessionId, actor: `session:${sessionId}` }
  return flowRunId === undefined ? undefined : { id: flowRunId, actor: testRunActor(testRunOf(flowRunId)) }
}

type Ask<T> = (link: Link, call: CallOptions) => Promise<Result<T>>

export const requests = ({ openDevice, forwards, reservations, undo, clock, note }: Parts): Requests<'forwards'> => {
  /** `without` answers for a device that cannot be reached. */
  const asking = <T>(
    deviceId: string,
    { context, signal }: RequestOptions,
    ask: Ask<T>,
    without: () => Promise<T | undefined>,
  ) =>
    answering<T>(
      async () => {
        if (context.isStranger) return stranger()
        const call = { deadline: clock.now() + ASK_MS, signal: signal ?? new AbortController().signal }
        const reached = await openDevice(deviceId, call)
        if (!reached.ok) {
          const known = await without()
          return known === undefined ? failed(reached.error, { deviceId: reached.deviceId }) : success(known)
        }
        try {
          return { ...(await ask(reached.link, call)), deviceId: reached.deviceId }
        } catch (thrown) {
          return failed(asFailure(thrown), { deviceId: reached.deviceId })
        }
      },
      { what: 'forwarding ports of a device', note },
    )

  const list = <T>(kind: ForwardKind, deviceId: string, call: RequestOptions, answer: (found: Forward[]) => T) =>
    asking<T>(
      deviceId,
      call,
      async (link, options) => {
        const listed = await forwards().list(kind, link, options)
        return listed.ok ? success(answer(listed.value.map(each => forwardOf(link.serial, each)))) : refusal(listed)
      },
      async () => {
        const held = forwards().listHeld(kind, deviceId)
        return held.length === 0 ? undefined : answer(held.map(each => forwardOf(deviceId, each)))
      },
    )

  /** Adding and removing change what the holder of a phone relies on. */
  const heldByOther = async (
    link: Link,
    deviceId: string,
    { context: { leaseId } }: RequestOptions,
    options: CallOptions,
  ) => {
    const phone = await reservations().phoneOf(link, options)
    return reservations().refusalOn(phone, deviceId, leaseId)
  }

  /** A forward under the reservation of a session or of an attempt of a flow ends with that. */
  const noted = async (
    { kind, link, pair, leaseId, options }: Noted,
    add: () => Promise<ForwardAnswer<ListedPair>>,
  ): Promise<ForwardAnswer<ListedPair>> => {
    const owner = leaseId === undefined ? undefined : ownerOf(reservations().check(leaseId))
    if (!owner || !undo) return add()
    const { notes } = undo()
    const { local, remote } = pair
    const { listens, target } = endsOf(kind)
    const listed = await forwards().list(kind, link, options)
    // Without the list, the forward could not be told later from those of others.
    if (!listed.ok && pair[listens] === ANY_PORT) return listed
    const alike = listed.ok ? listed.value.filter(each => each[target] === pair[target]) : []
    if (alike.some(each => each[listens] === pair[listens])) return add()
    const others = pair[listens] === ANY_PORT ? { others: alike.map(each => each[listens]) } : {}
    const note: UndoNote = { deviceId: link.serial, owner, work: { kind, local, remote, ...others } }
    await notes.remember(note)
    const added = await add()
    if (added.ok) await notes.replaced(note, { kind, local: added.value.local, remote: added.value.remote })
    else await notes.settled(note)
    return added
  }

  const add = <T>(
    kind: ForwardKind,
    { deviceId, ...pair }: { deviceId: string; local: string; remote: string; replace?: boolean },
    call: RequestOptions,
    answer: (added: Forward) => T,
  ) =>
    asking<T>(
      deviceId,
      call,
      async (link, options) => {
        const refused = await heldByOther(link, deviceId, call, options)
        if (refused) return failed(refused)
        const add = () => forwards().add(kind, link, pair, options)
        const added = await noted({ kind, link, pair, leaseId: call.context.leaseId, options }, add)
        const end = kind === 'forward' ? pair.local : pair.remote
        return added.ok ? success(answer(forwardOf(link.serial, added.value))) : refusal(added, end)
      },
      async () => undefined,
    )

  /** Answers with what was there. */
  const remove = <T>(
    kind: ForwardKind,
    { deviceId, end }: { deviceId: string; end: string },
    call: RequestOptions,
    answer: (removed: Forward) => T,
  ) => {
    const isIt = ({ local, remote }: ListedPair) => (kind === 'forward' ? local : remote) === end
    return asking<T>(
      deviceId,
      call,
      async (link, options) => {
        const refused = await heldByOther(link, deviceId, call, options)
        if (refused) return failed(refused)
        const listed = await forwards().list(kind, link, options)
        if (!listed.ok) return refusal(listed, end)
        const found = listed.value.find(isIt)
        if (!found) return refusal({ ok: false, reason: 'not_found', said: '' }, end)
        const removed = await forwards().remove(kind, link, end, options)
        return removed.ok ? success(answer(forwardOf(link.serial, found))) : refusal(removed, end)
      },
      async () => {
        const found = forwards().listHeld(kind, deviceId).find(isIt)
        if (!found) return undefined
        // The device is away, so this only ends what this process holds.
        await forwards().removeHeld(kind, deviceId, end, { deadline: clock.now() + 1 })
        return answer(forwardOf(deviceId, found))
      },
    )
  }

  const forward = (each: Forward) => ({ ok: true as const, forward: each })
  const reverse = (each: Forward) => ({ ok: true as const, reverse: each })
  return {
    'forwards.list': ({ deviceId }, call) =>
      list('forward', deviceId, call, found => ({ ok: true as const, forwards: found, count: found.length })),
    'forwards.add': (input, call) => add('forward', input, call, forward),
    'forwards.remove': (input, call) => remove('forward', input, call, forward),
    'reverses.list': ({ deviceId }, call) =>
      list('reverse', deviceId, call, found => ({ ok: true as const, reverses: found, count: found.length })),
    'reverses.add': (input, call) => add('reverse', input, call, reverse),
    'reverses.remove': (input, call) => remove('reverse', input, call, reverse),
  }
}
