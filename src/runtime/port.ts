/** How the outside is plugged into a machine: a port that may say things, and is told when to stop. */
import { type AnyActorLogic, type EventObject, fromCallback } from 'xstate'
import type { StoredEvent } from '../contracts/journal.ts'

export interface PortTools {
  /**
   * Hands an event to the machine, recorded before it takes effect. False means it was not recorded and had no
   * effect: then whatever was to follow it must not be done either.
   */
  send(event: StoredEvent): boolean
  /**
   * The same, and waits until the disk has it: for what must not be forgotten whatever happens. Rejects with
   * JournalError when it was recorded and the disk would not take it; then too nothing may follow it.
   */
  commit(event: StoredEvent): Promise<boolean>
  /** Aborted when the machine leaves the state that invoked the port. */
  signal: AbortSignal
  /** Events that the machine sends to the port. */
  onEvent(listener: (event: EventObject) => void): void
  actor: string
}

/** The body of a port. What it throws becomes `port.failed`, unless it was stopped already. */
export type Port<Input = unknown> = (input: Input, tools: PortTools) => void | Promise<void>

/** The ports of one machine by the name under which the machine invokes them. */
// biome-ignore lint/suspicious/noExplicitAny: a port's input type is known to its machine and its author only
export type Ports = Readonly<Record<string, Port<any>>>

interface Seat {
  actor: string
  stamp: (event: StoredEvent) => StoredEvent
  /** Hands the machine an event and says whether it was recorded; throws what kept it from being recorded. */
  hand: (give: () => void) => boolean
  /** Puts something off until the machine has ended its step. */
  afterwards: (work: () => void) => void
  synced: () => Promise<void>
  /** An event of a port could not be recorded. */
  onLost: (error: unknown, event: StoredEvent) => void
}

/** Without a reason of its own, each abort makes an exception with a stack. */
const LEFT = 'the machine has gone on'

/** Turns ports into the actor logic that xstate invokes, seated at one actor. */
export const seat = (
  ports: Ports,
  { actor, stamp, hand, afterwards, synced, onLost }: Seat,
): Record<string, AnyActorLogic> =>
  Object.fromEntries(
    Object.entries(ports).map(([name, run]) => [
      name,
      fromCallback<EventObject>(({ input, sendBack, receive }) => {
        const stop = new AbortController()
        const send = (event: StoredEvent): boolean => {
          if (stop.signal.aborted) return false
          const stamped = stamp(event)
          try {
            return hand(() => sendBack(stamped))
          } catch (error) {
            onLost(error, stamped)
            return false
          }
        }
        const failed = (error: unknown) => {
          send({ type: 'port.failed', port: name, message: error instanceof Error ? error.message : String(error) })
        }
        const commit = async (event: StoredEvent): Promise<boolean> => {
          if (!send(event)) return false
          await synced()
          return true
        }
        const onEvent: PortTools['onEvent'] = listener =>
          receive(event =>
            afterwards(() => {
              try {
                listener(event)
              } catch (error) {
                failed(error)
              }
            }),
          )
        afterwards(() => {
          if (stop.signal.aborted) return
          try {
            run(input, { send, commit, signal: stop.signal, onEvent, actor })?.catch(failed)
          } catch (error) {
            failed(error)
          }
        })
        return () => stop.abort(LEFT)
      }),
    ]),
  )
