/** A server that this machine reaches without a token is announced in its home, where programs that use the library find it. */

import { homeOf } from '../../../runtime/home.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { announceServer, isOnThisMachine } from '../../../runtime/processes/announced-servers.ts'
import { environmentOf } from '../../daemon/identity.ts'
import type { CommandContext } from '../command.ts'

/** Until the signal comes: a server that is ending takes nothing new. */
export const announceServing = (
  { env, io, signal }: Pick<CommandContext, 'env' | 'io' | 'signal'>,
  url: string,
): void => {
  if (!isOnThisMachine(url) || signal.aborted) return
  try {
    const withdraw = announceServer(homeOf(env), { url, environment: environmentOf(env) })
    signal.addEventListener('abort', withdraw, { once: true })
  } catch (error) {
    io.note(`programs that use the library do not find this server by themselves: ${messageOf(error)}`)
  }
}
