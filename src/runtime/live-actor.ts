/** One running actor: events wait in line, and each is in the journal before the machine acts on it, or it does not act. */
import { type AnyActorRef, createActor, type EventObject } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { StoredEvent } from '../contracts/records/journal.ts'
import { type ActorHistory, isInFlight, openHistory } from './actor-history.ts'
import type { EventTimes } from './clock.ts'
import { type PreparedTransition, recordedLogic, statePath } from './fold.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'
import { attempt } from './or-undefined.ts'
import type { OwnershipRequest } from './ownership/ownership.ts'
import type { Withdrawal } from './pending-asks.ts'
import { type Ports, portLogic } from './port.ts'

interface ActorOptions {
  id: string
  machine: string
  definition: Definition
  input: unknown
  journal: Journal
  ports: Ports
  moments: EventTimes
  bootId(): string | undefined
  onEmitted: (emitted: EventObject) => void
  /** After each event that was processed. */
  onStep: () => void
  /** The actor cannot go on: an event of its own was lost, or the machine threw. */
  onBroken: (error: unknown) => void
}

export interface LiveActor extends Omit<ActorHistory, 'record' | 'foreign' | 'absorb'> {
  /**
   * Resolves when the event is recorded and has taken effect, to false when it was withdrawn before that. Rejects with
   * JournalError, or with HeldError when another owner has what the event needs; then it had no effect. An event that
   * begins work takes the lease that is `wanted`.
   */
  send(event: StoredEvent, wanted?: OwnershipRequest, withdrawal?: Withdrawal): Promise<boolean>
  isInFlight(): boolean
  /** In flight, or with events in line. */
  isBusy(): boolean
  /** Nothing further happens: events in line are refused, ports are told to stop. */
  stop(): void
}

type Stamped = StoredEvent & { at: number; body?: unknown }

interface Waiting {
  event: Stamped
  wanted?: OwnershipRequest | undefined
  isWanted: () => boolean
  withdrawal?: Withdrawal | undefined
  resolve: (isRecorded: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Opens an actor from its history. One that is in flight and has no living owner is marked interrupted first: its effect
 * is not repeated. Rejects with HeldError when it has one.
 */
export const openActor = async (options: ActorOptions, wanted: OwnershipRequest): Promise<LiveActor> => {
  const { id, machine, definition, journal } = options
  const { stamp: now, spentMs } = options.moments
  const history = await openHistory({ ...options, now }, wanted)
  const { snapshot, isBehind } = history
  let isStopped = false

  const line: Waiting[] = []
  /** Work of the ports, put off until the step is over: events must not reach the machine in the middle of a step. */
  const afterStep: (() => void)[] = []
  let isInLine = false
  /** While a port is invoked: its event that was recorded with the step that invokes it. */
  let ahead: { port: string; event: StoredEvent } | undefined

  const recorded = recordedLogic(
    definition.logic.provide({
      actors: portLogic(options.ports, {
        ...{ id, spentMs },
        send: (event, isWanted) => enqueue(event, isWanted),
        afterStep: work => void afterStep.push(work),
        synced: journal.synced,
        flush: journal.flush,
        recordedAhead: port => (ahead?.port === port ? ahead.event : undefined),
        onLost: (error, event) => {
          if (isStopped) return
          if (!(error instanceof JournalError && error.reason === 'unhandled')) options.onBroken(error)
          else options.onBroken(new JournalError('unhandled', `${error.message} (from a port: ${event.type})`))
        },
      }),
    }),
  )
  const actor: AnyActorRef = createActor(recorded.logic, { snapshot: recorded.logic.getPersistedSnapshot(snapshot()) })

  const withAfterStep = (work: () => void) => {
    work()
    for (let next = afterStep.shift(); next; next = afterStep.shift()) next()
  }

  /** The present state may accept an event that the state in memory does not. */
  const unhandled = (message: string) => new JournalError(isBehind() ? 'behind' : 'unhandled', message)
  const refuseUnhandled = ({ isUnhandled, before, event }: PreparedTransition) => {
    if (isUnhandled) throw unhandled(`${machine} does not accept ${event.type} in ${statePath(before.value)}`)
  }

  /** Goes before all that is in line: nothing that the withdrawn event has led to may overtake it. */
  const queueWithdrawal = ({ event }: Withdrawal) => {
    const reject = (error: unknown) => void (isStopped || options.onBroken(error))
    line.unshift({ event: { ...event, at: now() }, isWanted: () => true, resolve: () => {}, reject })
    void work()
  }

  /** The step that a port would have recorded next, which then is recorded together with the one that invokes it. */
  const stepAhead = ({ event, after }: PreparedTransition) => {
    if (!isInFlight(after)) return undefined
    for (const [port, { ahead }] of Object.entries(options.ports)) {
      // A port that fails here fails again when it is run, and says so.
      const next = attempt(() => ahead?.(event, after.context))
      const step = next && recorded.prepare(after, { ...next, at: now() })
      const isMove = step && statePath(step.after.value) !== statePath(after.value)
      if (isMove) return { port, event: next, step }
    }
    return undefined
  }

  /** The owner takes in what others have recorded meanwhile; false where its own event cannot follow that. */
  const takeIn = (error: unknown): boolean => {
    const records = error instanceof JournalError && error.reason === 'behind' ? history.foreign() : undefined
    for (const record of records ?? []) {
      const step = recorded.prepare(actor.getSnapshot(), { ...record.event, at: record.at })
      history.absorb(step, record)
      withAfterStep(() => recorded.takeStep(step, () => actor.send(step.event)))
    }
    return records !== undefined
  }

  /** Recorded, and not done yet. */
  const record = async (event: Stamped, request: OwnershipRequest | undefined) => {
    for (;;) {
      const prepared = recorded.prepare(actor.getSnapshot(), event)
      refuseUnhandled(prepared)
      const following = isInFlight(prepared.before) ? undefined : stepAhead(prepared)
      try {
        await history.record(prepared, request, following?.step)
        return { prepared, following }
      } catch (error) {
        if (isStopped || !takeIn(error)) throw error
      }
    }
  }

  const process = async ({ event, wanted: request, isWanted, withdrawal }: Waiting): Promise<boolean> => {
    if (!isWanted()) return false
    if (isStopped) throw new JournalError('closed', `${id} was stopped before it could take ${event.type}`)
    if (snapshot().status !== 'active') throw unhandled(`${id} has ended: it does not accept ${event.type}`)
    const { prepared, following } = await record(event, request)
    // Recorded all the same: the next host reads on from there.
    if (isStopped) throw new JournalError('closed', `${id} was stopped while ${event.type} was recorded`)
    ahead = following
    withAfterStep(() => {
      recorded.takeStep(prepared, () => actor.send(event))
      if (following) recorded.takeStep(following.step, () => actor.send(following.step.event))
    })
    ahead = undefined
    if (withdrawal?.signal.aborted) queueWithdrawal(withdrawal)
    else withdrawal?.signal.addEventListener('abort', () => queueWithdrawal(withdrawal), { once: true })
    return true
  }

  /** One event after the other: the next is not looked at before the last one has taken effect. */
  const work = async () => {
    if (isInLine) return
    isInLine = true
    for (let next = line.shift(); next; next = line.shift()) {
      const { resolve, reject } = next
      await process(next).then(resolve, reject)
      notify()
    }
    isInLine = false
  }

  const notify = () => {
    try {
      options.onStep()
    } catch {
      // Bookkeeping that fails is not a reason to end the actor.
    }
  }

  const enqueue = (event: StoredEvent, isWanted: () => boolean, more: Partial<Waiting> = {}): Promise<boolean> =>
    new Promise((resolve, reject) => {
      line.push({ ...more, event: { ...event, at: now() }, isWanted, resolve, reject })
      void work()
    })

  actor.on('*', (emitted: EventObject) => options.onEmitted(emitted))
  actor.subscribe({ error: options.onBroken })
  withAfterStep(() => void actor.start())

  return {
    send: (event, wanted, withdrawal) => enqueue(event, () => !withdrawal?.signal.aborted, { wanted, withdrawal }),
    ...history,
    isInFlight: () => isInFlight(snapshot()),
    isBusy: () => isInLine || isInFlight(snapshot()),
    stop() {
      isStopped = true
      actor.stop()
      for (const { event, reject } of line.splice(0))
        reject(new JournalError('closed', `${id} was stopped before it could take ${event.type}`))
    },
  }
}
