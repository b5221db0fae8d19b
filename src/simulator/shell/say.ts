/** How commands fail: a line on stderr and an exit code. */
import { type Context, USAGE_CODE } from './command.ts'
import type { Flags } from './flags.ts'

export const fail = async (context: Context, message: string, code = 1): Promise<number> => {
  await context.err(`${message}\n`)
  return code
}

/** A small Unix tool that failed on a file. */
export const failOn = (context: Context, path: string, reason: string): Promise<number> =>
  fail(context, `${context.name}: ${path}: ${reason}`)

export const badFlag = (context: Context, { bad }: Flags): Promise<number> =>
  fail(context, `${context.name}: Unknown option '${bad}' (see "${context.name} --help")`)

/** Misuse, as the Android commands report it. */
export const misuse = (context: Context, message: string): Promise<number> =>
  fail(context, `Error: ${message}`, USAGE_CODE)
