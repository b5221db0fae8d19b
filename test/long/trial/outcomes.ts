/** What a server's event stream told, over all of its lives, without the heartbeats. */

import type { Server } from './server.ts'
import type { OutcomeEvent } from './timeline.ts'

interface Data {
  deviceId?: string
  input?: { commandId?: string } | null
  envelope?: { commandId?: string }
  result?: { ok?: boolean; error?: { details?: { executionId?: string } } }
}

export const outcomesOf = ({ index, events }: Pick<Server, 'index' | 'events'>): OutcomeEvent[] =>
  events()
    .filter(({ event }) => event !== 'heartbeat')
    .map(({ id, event, data }) => {
      const { deviceId = '', input, envelope, result } = (data ?? {}) as Data
      const executionId = result?.error?.details?.executionId
      const isRefusal = result?.ok === false && executionId === undefined
      const command = input?.commandId ?? envelope?.commandId
      return { listener: index, id, event, deviceId, command, executionId, isRefusal }
    })
