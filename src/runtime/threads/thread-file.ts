/** Finds the bundle of a thread beside the program that starts it. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Undefined where there is none: then the work is done without a thread. */
export const threadFile = (program: string | undefined, name: string): string | undefined => {
  if (program === undefined || !existsSync(program)) return undefined
  const file = join(dirname(realpathSync(program)), 'threads', `${name}.js`)
  return existsSync(file) ? file : undefined
}
