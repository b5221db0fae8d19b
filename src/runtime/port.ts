/** How the outside is plugged into a machine: a port that may say things, and is told when to stop. */
import { type AnyActorLogic, type EventObject, fromCallback } from 'xstate'
import type { StoredEvent } from '../contracts/journal.ts'

export interface PortTools {
  /**
   * Hands an event to the machine, recorded before it takes effect. False means it was not recorded and had no
   * effect: then whatever was to follow it must not be done either.
   */
  send(event: StoredEvent): boolean
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
  /** An event of a port could not be recorded. */
  onLost: (error: unknown, event: StoredEvent) => void
}

/** Turns ports into the actor logic that xstate invokes, seated at one actor. */
export const seat = (ports: Ports, { actor, stamp, onLost }: Seat): Record<string, AnyActorLogic> =>
  Object.fromEntries(
    Object.entries(ports).map(([name, run]) => [
      name,
      fromCallback<EventObject>(({ input, sendBack, receive }) => {
        const stop = new AbortController()
        const send = (event: StoredEvent): boolean => {
          if (stop.signal.aborted) return false
          const stamped = stamp(event)
          try {
            sendBack(stamped)
            return true
          } catch (error) {
            onLost(error, stamped)
            return false
          }
        }
        const failed = (error: unknown) => {
          send({ type: 'port.failed', port: name, message: error instanceof Error ? error.message : String(error) })
        }
        const tools: PortTools = { send, signal: stop.signal, onEvent: listener => receive(listener), actor }
        try {
          run(input, tools)?.catch(failed)
        } catch (error) {
          failed(error)
        }
        return () => stop.abort()
      }),
    ]),
  )
