/** Runs the commands about packages, and the other services of cmd. */
import { FILES_BYTES_MAX, normalPath } from '../../files.ts'
import { type Command, type Context, fail, USAGE_CODE } from '../command.ts'
import { IntentUsage, MAIN } from '../intent.ts'
import { exactReader, StreamEnded } from '../io.ts'
import { clipboard } from './clipboard.ts'
import { list, path, queryActivities, resolveActivity } from './package-queries.ts'

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

const install: Command = async context => {
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
  return out('Success\n')
}

const uninstall: Command = async context => {
  const { rest } = optionsOf(context.args)
  const refused = context.phone.helpers?.packages.uninstall(rest[0] ?? '') ?? undefined
  if (!context.phone.helpers) return failure(context, 'DELETE_FAILED_INTERNAL_ERROR')
  if (refused !== undefined) return failure(context, refused)
  return context.out('Success\n')
}

/** Verbs without a visible effect here: accepted and ignored. */
const SILENT_VERBS = [
  'add-tile',
  'remove-tile',
  'click-tile',
  'check-support',
  'disable-for-setup',
  'send-disable-flag',
]
const UNKNOWN_CODE = 255

const statusBar: Command = context => {
  const [verb = ''] = context.args
  if (verb === 'expand-notifications' || verb === 'expand-settings') context.phone.setShade(true)
  else if (verb === 'collapse') context.phone.setShade(false)
  else if (!SILENT_VERBS.includes(verb)) return fail(context, `Unknown command: ${verb}`, UNKNOWN_CODE)
  return 0
}

const clear: Command = async context => {
  const name = context.args.at(-1) ?? ''
  if (!context.phone.packages().includes(name)) return fail(context, 'Failed', 1)
  context.phone.clearData(name)
  return context.out('Success\n')
}

const PACKAGE: Readonly<Record<string, Command>> = {
  list,
  path,
  clear,
  install,
  uninstall,
  'resolve-activity': resolveActivity,
  'query-activities': queryActivities,
  grant: () => 0,
  revoke: () => 0,
}

const choose = (name: string | undefined, from: Readonly<Record<string, Command>>) =>
  name !== undefined && Object.hasOwn(from, name) ? from[name] : undefined

export const pm: Command = async context => {
  const [name, ...args] = context.args
  const subcommand = choose(name, PACKAGE)
  if (!subcommand) return fail(context, `Unknown command: ${name ?? ''}`, USAGE_CODE)
  try {
    return await subcommand({ ...context, args })
  } catch (error) {
    if (!(error instanceof IntentUsage)) throw error
    return fail(context, `Error: ${error.message}`, USAGE_CODE)
  }
}

const SERVICES: Readonly<Record<string, string | undefined>> = {
  activity: 'am',
  input: 'input',
  input_method: 'ime',
  package: 'pm',
  settings: 'settings',
  window: 'wm',
}
/** Services whose commands change nothing that can be seen here. */
const SILENT = ['notification', 'uimode', 'deviceidle', 'appops', 'device_config', 'overlay', 'wifi']
/** Services that are not programs of their own. */
const ALONE: Readonly<Record<string, Command>> = { clipboard, statusbar: statusBar }
const NO_SERVICE_CODE = 20

export const cmd: Command = async context => {
  const [name = '', ...args] = context.args
  if (name === '-l') {
    await context.out(
      ['Currently running services:', ...Object.keys(SERVICES), ...Object.keys(ALONE), ...SILENT]
        .map(line => `${line}\n`)
        .join(''),
    )
    return 0
  }
  const program = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined
  if (program !== undefined) return context.call([program, ...args])
  const alone = choose(name, ALONE)
  if (alone) return alone({ ...context, args })
  return SILENT.includes(name) ? 0 : fail(context, `cmd: Can't find service: ${name}`, NO_SERVICE_CODE)
}

const ABORTED_CODE = 252

export const monkey: Command = async context => {
  const { args, phone, out } = context
  const at = args.indexOf('-p')
  const packageName = at < 0 ? undefined : args[at + 1]
  const count = args.at(-1)
  if (packageName === undefined || count === undefined || !/^\d+$/.test(count)) {
    return fail(
      context,
      '** Error: this device takes monkey -p PACKAGE -c android.intent.category.LAUNCHER COUNT',
      USAGE_CODE,
    )
  }
  await out(args.map(word => `  bash arg: ${word}\n`).join(''))
  const started =
    phone.packages().includes(packageName) && phone.startActivity({ action: MAIN, packageName, extras: {} })
  if (!started) {
    await out('** No activities found to run, monkey aborted.\n')
    return ABORTED_CODE
  }
  return out(
    `Events injected: ${count}\n## Network stats: elapsed time=0ms (0ms mobile, 0ms wifi, 0ms not connected)\n`,
  )
}
