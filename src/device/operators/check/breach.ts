/** How a check ends without holding: the rule is broken, or the check cannot be made. */

/** The operator app broke the rule: what came instead, and what its author is to do. */
export class Breach extends Error {
  override name = 'Breach'
}

/** The check cannot be made on this phone, which proves nothing of the operator app. */
export class LeftOut extends Error {
  override name = 'LeftOut'
}

/** Throws a Breach, made of what came and what to do, unless the condition holds. */
export function demand(holds: unknown, came: string, remedy: string): asserts holds {
  if (!holds) throw new Breach(`${came} ${remedy}`)
}

/** Throws a LeftOut for what this phone does not have. */
export const orLeftOut = <T>(found: T | undefined, reason: string): T => {
  if (found !== undefined) return found
  throw new LeftOut(reason)
}

/** Clips texts that a phone sent. */
const QUOTED_CHARS = 200

export const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}...` : text)
