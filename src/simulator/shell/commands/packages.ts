/** Runs the commands about packages, and the other services of cmd. */
import { type Command, fail, USAGE_CODE } from '../command.ts'
import { IntentUsage, MAIN } from '../intent.ts'
import { clipboard } from './clipboard.ts'
import { install, installAbandon, installCommit, installCreate, installWrite, uninstall } from './package-install.ts'
import { list, path, queryActivities, resolveActivity } from './package-queries.ts'
import { clearFlags, grant, resetPermissions, revoke, setFlags } from './permissions.ts'
import { connectivity, locale, location, uimode, wifi } from './system-services.ts'

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
  'install-create': installCreate,
  'install-write': installWrite,
  'install-commit': installCommit,
  'install-abandon': installAbandon,
  uninstall,
  'resolve-activity': resolveActivity,
  'query-activities': queryActivities,
  grant,
  revoke,
  'set-permission-flags': setFlags,
  'clear-permission-flags': clearFlags,
  'reset-permissions': resetPermissions,
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
  appops: 'appops',
  input: 'input',
  input_method: 'ime',
  package: 'pm',
  settings: 'settings',
  window: 'wm',
}
/** Services whose commands change nothing that can be seen here. */
const SILENT = ['notification', 'deviceidle', 'device_config', 'overlay']
/** Services that are not programs of their own. */
const ALONE: Readonly<Record<string, Command>> = {
  clipboard,
  connectivity,
  locale,
  location,
  statusbar: statusBar,
  uimode,
  wifi,
}
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
