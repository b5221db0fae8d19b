/** How the outside is plugged into a machine: a port that may say things, and is told when to stop. */
import { type AnyActorLogic, type EventObject, fromCallback } from 'xstate'
import type { DeadlineInput } from '../../machines/port.ts'
import type { StoredEvent } from '../contracts/records/journal.ts'
import { type Abortion, createAbortion } from './abortion.ts'
import type { Clock } from './clock.ts'
import { messageOf } from './message-of.ts'

export interface PortTools {
  /**
   * Hands an event to the machine. Resolves once it is recorded and has taken effect; false means it was not recorded
   * and had none: then whatever was to follow it must not be done either.
   */
  send(event: StoredEvent): Promise<boolean>
  /** The same, for what the next act waits for: it is written at once, and not with all that comes in this turn of the event loop. */
  note(event: StoredEvent): Promise<boolean>
  /**
   * The same, and waits until the disk has it: for what must not be forgotten whatever happens. Rejects with
   * JournalError when it was recorded and the disk would not take it; then too nothing may follow it.
   */
  commit(event: StoredEvent): Promise<boolean>
  /** True for the event that was recorded together with the one that invoked the port; `commit` waits for the disk only. */
  isRecorded(event: StoredEvent): boolean
  /** The event of `ahead` that was recorded together with the one that invoked the port. */
  readonly ahead: StoredEvent | undefined
  /** Aborted when the machine leaves the state that invoked the port. */
  readonly left: Abortion
  /** The signal of the same, for ports that hand one on. */
  readonly signal: AbortSignal
  /** Events that the machine sends to the port. */
  onEvent(listener: (event: EventObject) => void): void
  actor: string
  /** How long ago the event of the machine with that stamp was; 0 where that is not known. */
  spentMs(at: number): number
}

export interface Port<Input = unknown> {
  /** The body of a port. What it throws becomes `port.failed`, unless it was stopped already. */
  (input: Input, tools: PortTools): void | Promise<void>
  /**
   * The event that the port will commit first if nothing of the outside has to be asked before. It is recorded in one write
   * with the event that invokes the port; undefined where that is not certain. `context` is the machine's after it.
   */
  ahead?(invokedBy: StoredEvent & { body?: unknown }, context: unknown): StoredEvent | undefined
}

/** The ports of one machine by the name under which the machine invokes them. */
// biome-ignore lint/suspicious/noExplicitAny: a port's input type is known to its machine and its author only
export type Ports = Readonly<Record<string, Port<any>>>

/** The functions of the actor that its ports use. */
interface PortActor {
  id: string
  spentMs(at: number): number
  /** Resolves when the event has taken effect, false when `isWanted` said no before; rejects when it was not recorded. */
  send(event: StoredEvent, isWanted: () => boolean): Promise<boolean>
  /** Puts something off until the step that is being done has ended. */
  afterStep(work: () => void): void
  synced(): Promise<void>
  /** Writes what waits to be written, if that can be done now. */
  flush(): void
  /** The event of `ahead` that was recorded when the port was invoked. */
  recordedAhead(port: string): StoredEvent | undefined
  /** An event of a port could not be recorded. */
  onLost(error: unknown, event: StoredEvent): void
}

/** The same fields with the same plain values. */
const isSameEvent = (one: StoredEvent, other: StoredEvent): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value)

/** A fixed abort reason: without one, each abort creates an exception with a stack. */
const LEFT = 'the machine is already in another state'

/** Turns ports into the actor logic that xstate invokes. */
export const portLogic = (ports: Ports, actor: PortActor): Record<string, AnyActorLogic> =>
  Object.fromEntries(
    Object.entries(ports).map(([name, run]) => [
      name,
      fromCallback<EventObject>(({ input, receive }) => {
        const left = createAbortion(LEFT)
        const ahead = actor.recordedAhead(name)
        const isRecorded = (event: StoredEvent) => ahead !== undefined && isSameEvent(event, ahead)

        const send = async (event: StoredEvent): Promise<boolean> => {
          try {
            return !left.aborted && (await actor.send(event, () => !left.aborted))
          } catch (error) {
            actor.onLost(error, event)
            return false
          }
        }
        const note = (event: StoredEvent): Promise<boolean> => {
          const sent = send(event)
          actor.flush()
          return sent
        }
        const commit = async (event: StoredEvent): Promise<boolean> => {
          if (isRecorded(event) ? left.aborted : !(await send(event))) return false
          await actor.synced()
          return true
        }
        const failed = (error: unknown) => {
          const message = messageOf(error)
          void send({ type: 'port.failed', port: name, message })
        }
        const guarded = (work: () => void | Promise<void>) => {
          try {
            work()?.catch(failed)
          } catch (error) {
            failed(error)
          }
        }
        const onEvent: PortTools['onEvent'] = listener =>
          receive(event => actor.afterStep(() => guarded(() => listener(event))))

        const tools: PortTools = {
          send,
          note,
          commit,
          isRecorded,
          ahead,
          left,
          get signal() {
            return left.signal
          },
          onEvent,
          actor: actor.id,
          spentMs: actor.spentMs,
        }
        actor.afterStep(() => {
          if (!left.aborted) guarded(() => run(input, tools))
        })
        return () => left.abort()
      }),
    ]),
  )

export const deadlinePort =
  (clock: Clock): Port<DeadlineInput> =>
  ({ since, ms }, { send, left, spentMs }) => {
    const leftMs = Math.max(0, ms - spentMs(since))
    const timer = clock.at(clock.now() + leftMs, () => void send({ type: 'deadline.passed' }))
    left.onAbort(() => timer.cancel())
  }
