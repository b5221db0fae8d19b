/** `svc doctor` on what `svc install` sets up for agents. Devices work without it, so a lack of it is a hint and no warning. */
import { authoringStatus } from '../../install/status.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Call } from '../command.ts'
import { authoringOptions } from '../install/places.ts'
import { type Check, fine, warning } from './check.ts'

export const checkSetup = (call: Pick<Call, 'env'>): Check => {
  try {
    const { count, hosts } = authoringStatus(authoringOptions(call))
    if (count === 0) {
      return fine('agents', 'not set up: agents do not know of svc', {
        hint: 'svc install --dry-run shows what svc install would write.',
      })
    }
    const details = { hosts: hosts.map(({ host, state }) => ({ host, state })) }
    const behind = hosts.filter(({ state }) => state !== 'ok').map(({ host, state }) => `${host}: ${state}`)
    if (behind.length === 0) return fine('agents', `${count} authoring skills are installed and current`, { details })
    return fine('agents', `authoring skills are not everywhere current (${behind.join(', ')})`, {
      details,
      hint: 'svc install --dry-run shows what is to be done.',
    })
  } catch (error) {
    return warning('agents', `cannot be looked at: ${messageOf(error)}`)
  }
}
