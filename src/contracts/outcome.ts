/** "Did it happen?" has three answers, whoever was asked: a device, an operator on it, the daemon, a server, another host. */

/**
 * `done` has what came back; of `not sent` it is proven that nothing began; of `unknown` nobody can say. The other fields
 * tell the rest: why, and in whose words.
 */
export type Outcome<Done, NotSent, Unknown = NotSent> =
  | ({ readonly kind: 'done' } & Readonly<Done>)
  | ({ readonly kind: 'not sent' } & Readonly<NotSent>)
  | ({ readonly kind: 'unknown' } & Readonly<Unknown>)

/** A request reached a device, provably did not, or nobody can say. Failures have it in `details`. */
export type Dispatched = boolean | 'unknown'
