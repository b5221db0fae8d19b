/** `pm install`, the sessions that it is made of, and `pm uninstall`, in the words of Android 11 and later. */
import { FILES_BYTES_MAX, normalPath } from '../../files.ts'
import type { InstallFlags } from '../../package-manager.ts'
import { type Command, type Context, fail, USAGE_CODE } from '../command.ts'
import { exactReader, StreamEnded } from '../io.ts'

const VALUED = ['-i', '-p', '-S', '--user', '--install-location', '--originating-uri', '--referrer', '--abi', '--pkg']
const FAILED_CODE = 1
/** The first Android that replaces without being told. */
const REPLACING_SDK = 28
const NO_INSTALLER = 'INSTALL_FAILED_INTERNAL_ERROR: this simulated device installs no packages'
const NO_ROOM = 'INSTALL_FAILED_INSUFFICIENT_STORAGE: no space left'

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

type Options = ReturnType<typeof optionsOf>

const flagsOf = ({ phone }: Context, { values, switches }: Options): InstallFlags => ({
  replace:
    !switches.has('-R') &&
    (switches.has('-r') || Number(phone.properties.get('ro.build.version.sdk')) >= REPLACING_SDK),
  downgrade: switches.has('-d'),
  testOnly: switches.has('-t'),
  inherit: values.get('-p'),
})

const failure = async ({ out }: Context, reason: string): Promise<number> => {
  await out(`Failure [${reason}]\n`)
  return FAILED_CODE
}

/** The trace of the shell command is left out. */
const exception = async (context: Context, verb: string, message: string): Promise<number> => {
  await context.err(`\nException occurred while executing '${verb}':\n${message}\n`)
  return USAGE_CODE
}

const freeBytes = ({ phone }: Context): number => {
  const { total, used } = phone.files.space()
  return total - used
}

const sizeIn = ({ values }: Options): number | undefined => {
  const size = Number(values.get('-S'))
  return Number.isInteger(size) && size > 0 ? size : undefined
}

/** Reads as many bytes as were announced, for stdin may stay open and hold more than one file. */
const announced = ({ stdin }: Context, size: number): Promise<Buffer | undefined> =>
  exactReader(stdin)
    .exactly(size)
    .catch((error: unknown) => {
      if (error instanceof StreamEnded) return undefined
      throw error
    })

type Content = { bytes: Uint8Array } | { code: number }

/** The bytes of one APK, from a file of the phone or from stdin. */
const contentOf = async (context: Context, options: Options, path: string | undefined): Promise<Content> => {
  if (path !== undefined && path !== '-') {
    const file = context.phone.files.read(normalPath(path, context.scope.cwd))
    return file ? { bytes: file.content } : { code: await fail(context, `Error: Unable to open file: ${path}`) }
  }
  const size = sizeIn(options)
  if (size === undefined)
    return { code: await fail(context, 'Error: must either specify a package size or an APK file') }
  if (size > FILES_BYTES_MAX) return { code: await failure(context, NO_ROOM) }
  const bytes = await announced(context, size)
  if (bytes) return { bytes }
  return { code: await failure(context, 'INSTALL_PARSE_FAILED_NOT_APK: the stream ended early') }
}

export const install: Command = async context => {
  const { helpers } = context.phone
  if (!helpers) return failure(context, NO_INSTALLER)
  const options = optionsOf(context.args)
  const content = await contentOf(context, options, options.rest[0])
  if ('code' in content) return content.code
  const refused = helpers.packages.install([content.bytes], flagsOf(context, options))
  return refused === undefined ? context.out('Success\n') : failure(context, refused)
}

export const installCreate: Command = async context => {
  const { helpers } = context.phone
  if (!helpers) return failure(context, NO_INSTALLER)
  const options = optionsOf(context.args)
  if ((sizeIn(options) ?? 0) > freeBytes(context))
    return exception(context, 'install-create', 'java.io.IOException: Requested internal only, but not enough space')
  const id = helpers.packages.sessions.create(flagsOf(context, options))
  if (id === undefined)
    return exception(
      context,
      'install-create',
      'java.lang.IllegalStateException: Too many active sessions for UID 2000',
    )
  return context.out(`Success: created install session [${id}]\n`)
}

type Sessions = NonNullable<Context['phone']['helpers']>['packages']['sessions']

/** A verb on one open session. */
const onSession =
  (
    verb: string,
    run: (context: Context, sessions: Sessions, id: number, options: Options) => Promise<number>,
  ): Command =>
  context => {
    const options = optionsOf(context.args)
    const id = Number(options.rest[0])
    const sessions = context.phone.helpers?.packages.sessions
    if (!sessions?.has(id))
      return exception(context, verb, `java.lang.SecurityException: Caller has no access to session ${id}`)
    return run(context, sessions, id, options)
  }

export const installWrite = onSession('install-write', async (context, sessions, id, options) => {
  const [, name, path] = options.rest
  if (name === undefined || !/^[\w.-]+$/.test(name))
    return exception(context, 'install-write', `java.lang.IllegalArgumentException: Invalid name: ${name}`)
  const size = sizeIn(options)
  let bytes: Uint8Array | undefined
  if (path !== undefined && path !== '-') {
    bytes = context.phone.files.read(normalPath(path, context.scope.cwd))?.content
    if (!bytes) return fail(context, `Error: Unable to open file: ${path}`)
  } else if (size === undefined) {
    return fail(context, 'Error: must specify a APK size')
  } else if (size > freeBytes(context)) {
    return fail(context, 'Error: failed to write; write failed: ENOSPC (No space left on device)')
  } else {
    bytes = await announced(context, size)
    if (!bytes) return fail(context, 'Error: failed to write; Unexpected EOF; expected more bytes')
  }
  const refused = sessions.write(id, name, bytes)
  if (refused !== undefined) return fail(context, `Error: failed to write; ${refused}`)
  return context.out(`Success: streamed ${bytes.byteLength} bytes\n`)
})

export const installCommit = onSession('install-commit', async (context, sessions, id) => {
  const refused = sessions.commit(id)
  return refused === undefined ? context.out('Success\n') : failure(context, refused)
})

export const installAbandon = onSession('install-abandon', async (context, sessions, id) => {
  sessions.abandon(id)
  return context.out('Success\n')
})

export const uninstall: Command = async context => {
  const { helpers } = context.phone
  const { rest } = optionsOf(context.args)
  if (!helpers) return failure(context, 'DELETE_FAILED_INTERNAL_ERROR')
  const refused = helpers.packages.uninstall(rest[0] ?? '')
  return refused === undefined ? context.out('Success\n') : failure(context, refused)
}
