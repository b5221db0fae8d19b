/**
 * Tells messages that their sender wrote from messages that the servers wrote for it: they answer on any subject a
 * request names, even one where the requester may not publish, and a direct get answers with what the requester has
 * stored before. Such an answer names its stream in a header, which nobody can leave out.
 */
import type { MsgHdrs } from '@nats-io/transport-node'

const SOURCE = 'Nats-Stream'

/** `live`: heard on a subscription, or stored and read with its own headers only. `direct`: read with a direct get. */
export type Reading = 'live' | 'direct'

export const isFromSender = (headers: MsgHdrs | undefined, reading: Reading): boolean =>
  (headers?.values(SOURCE).length ?? 0) <= (reading === 'direct' ? 1 : 0)
