/** The clipboard of a simulated phone. */
import type { Clipboard } from './phone-parts.ts'

export const createClipboard = (): Clipboard => {
  let held = ''
  return {
    get: () => held,
    set: text => {
      held = text
    },
  }
}
