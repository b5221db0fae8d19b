/** An exception that a tool of the device dies of, in the words of its version of Android. */
import { type Context, USAGE_CODE } from './command.ts'

const ANDROID_8 = 27
const ANDROID_10 = 29
const SECURITY = 'java.lang.SecurityException'

interface Thrown {
  /** The verb of the tool. */
  verb: string
  exception: string
  message: string
  /** The places in the code of the system, innermost first. */
  at: readonly string[]
}

const sdkOf = ({ phone }: Context): number => Number(phone.properties.get('ro.build.version.sdk'))

/** Prints it as the version does; resolves to the exit code. */
export const die = async (context: Context, { verb, exception, message, at }: Thrown): Promise<number> => {
  const sdk = sdkOf(context)
  const trace = [`${exception}: ${message}`, ...at.map(place => `\tat ${place}`)].join('\n')
  if (sdk <= ANDROID_8) await context.err(`Operation not allowed: ${exception}: ${message}\n`)
  else if (sdk > ANDROID_10) await context.err(`\nException occurred while executing '${verb}':\n${trace}\n`)
  else if (exception === SECURITY) await context.err(`Security exception: ${message}\n\n${trace}\n`)
  else await context.err(`Exception occurred while executing:\n${trace}\n`)
  return USAGE_CODE
}
