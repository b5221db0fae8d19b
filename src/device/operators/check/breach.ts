/** How a check ends without holding: the rule is broken, or the check cannot be made. */

/** The operator app broke the rule: what came instead, and what its author is to do. */
export class Breach extends Error {
  constructor(came: string, remedy: string) {
    super(`${came} ${remedy}`)
    this.name = 'Breach'
  }
}

/** The check cannot be made on this phone, which proves nothing of the operator app. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'LeftOut'
  }
}

/** Clips texts that a phone sent. */
const QUOTED_CHARS = 200

export const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}...` : text)
