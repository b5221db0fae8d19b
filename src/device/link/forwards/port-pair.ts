/** Two ends that are connected, and why they could not be. */

/** `local` is at the host, `remote` at the device. */
export interface PortPair {
  local: string
  remote: string
}

export type ForwardProblem =
  /** The listening end leads elsewhere already. */
  | 'taken'
  /** Another process listens there. */
  | 'port_in_use'
  | 'not_found'
  /** An ordinary file would be replaced. */
  | 'file_exists'
  /** Only a process that runs on can hold it. */
  | 'daemon_needed'
  | 'unsupported'
  | 'limit'
  | 'failed'

export type ForwardAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; reason: ForwardProblem; said: string; holds?: PortPair }

export const refusedForward = (
  reason: ForwardProblem,
  said: string,
  holds?: PortPair,
): Extract<ForwardAnswer<never>, { ok: false }> => ({ ok: false, reason, said, ...(holds ? { holds } : {}) })

/** The words of adb, of this host and of devices alike. */
const PROBLEMS: readonly (readonly [RegExp, ForwardProblem])[] = [
  [/cannot rebind/i, 'taken'],
  [/address already in use|EADDRINUSE/i, 'port_in_use'],
  [/permission denied|EACCES/i, 'port_in_use'],
  [/listener .*not found/i, 'not_found'],
]

export const refusalOf = (answer: string): Extract<ForwardAnswer<never>, { ok: false }> =>
  refusedForward(PROBLEMS.find(([words]) => words.test(answer))?.[1] ?? 'failed', answer)
