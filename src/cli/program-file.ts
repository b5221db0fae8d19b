/** The file of this very `svc`, whatever name and link it was called by. */
import { realpathSync } from 'node:fs'

export const programFile = (): string | undefined => {
  const [, called] = process.argv
  try {
    return called === undefined ? undefined : realpathSync(called)
  } catch {
    return called
  }
}
