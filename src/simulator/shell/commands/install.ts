/** `pm install` and `pm uninstall`: an APK from stdin or a file, and what the package manager says to it. */
import { FILES_BYTES_MAX, normalPath } from '../../files.ts'
import type { Command, Context } from '../command.ts'
import { exactReader, StreamEnded } from '../io.ts'
import { fail } from '../say.ts'

const VALUED = ['-i', '-S', '--user', '--install-location', '--originating-uri', '--referrer', '--abi', '--pkg']
const FAILED_CODE = 1

const optionsOf = (args: readonly string[]) => {
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const rest: string[] = []
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (VALUED.includes(word)) values.set(word, args[++index] ?? '')
    else if (word.startsWith('-') && word !== '-') switches.add(word)
    else rest.push(word)
  }
  return { values, switches, rest }
}

/** Reads as many bytes as were announced, for stdin may stay open; undefined when it ends before. */
const announced = ({ stdin }: Context, size: number): Promise<Buffer | undefined> =>
  exactReader(stdin)
    .exactly(size)
    .catch((error: unknown) => {
      if (error instanceof StreamEnded) return undefined
      throw error
    })

const failure = async ({ out }: Context, reason: string): Promise<number> => {
  await out(`Failure [${reason}]\n`)
  return FAILED_CODE
}

export const install: Command = async context => {
  const { phone, out, scope } = context
  const { helpers } = phone
  if (!helpers) return failure(context, 'INSTALL_FAILED_INTERNAL_ERROR: this simulated device installs no packages')
  const { values, switches, rest } = optionsOf(context.args)
  const [path] = rest
  const size = Number(values.get('-S') ?? 0)
  let apk: Uint8Array | undefined
  if (path !== undefined && path !== '-') {
    apk = phone.files.read(normalPath(path, scope.cwd))?.content
    if (!apk) return fail(context, `Error: Unable to open file: ${path}`)
  } else {
    if (!Number.isInteger(size) || size < 1)
      return fail(context, 'Error: must either specify a package size or an APK file')
    if (size > FILES_BYTES_MAX) return failure(context, 'INSTALL_FAILED_INSUFFICIENT_STORAGE: no space left')
    apk = await announced(context, size)
    if (!apk) return failure(context, 'INSTALL_PARSE_FAILED_NOT_APK: the stream ended early')
  }
  const refused = helpers.packages.install(apk, { replace: switches.has('-r'), downgrade: switches.has('-d') })
  if (refused !== undefined) return failure(context, refused)
  await out('Success\n')
  return 0
}

export const uninstall: Command = async context => {
  const { rest } = optionsOf(context.args)
  const refused = context.phone.helpers?.packages.uninstall(rest[0] ?? '') ?? undefined
  if (!context.phone.helpers) return failure(context, 'DELETE_FAILED_INTERNAL_ERROR')
  if (refused !== undefined) return failure(context, refused)
  await context.out('Success\n')
  return 0
}
