/** `pm grant`, `pm revoke` and their kin, and `appops`: permissions by hand, in the words of the real ones. */
import type { PermissionFlag, PermissionProblem, PhonePermissions } from '../../permissions.ts'
import { type Command, type Context, fail, misuse, USAGE_CODE } from '../command.ts'
import { die } from '../exception.ts'
import { withoutUser } from './properties.ts'
import { appopsOfShell } from './system-services.ts'

const PLACES = ['com.android.server.pm.permission.PermissionManagerService.enforce(PermissionManagerService.java:1415)']

const ended = (context: Context, verb: string, problem: PermissionProblem | undefined): number | Promise<number> => {
  if (!problem) return 0
  const [exception, message] = problem
  return die(context, { verb, exception, message, at: PLACES })
}

type Act = (permissions: PhonePermissions, packageName: string, permission: string) => PermissionProblem | undefined

const acting =
  (verb: string, act: Act): Command =>
  context => {
    const { permissions } = context.phone
    const [packageName, permission] = withoutUser(context.args)
    if (packageName === undefined) return misuse(context, 'no package specified')
    if (permission === undefined) return misuse(context, 'no permission specified')
    return ended(context, verb, permissions && act(permissions, packageName, permission))
  }

export const grant = acting('grant', (permissions, packageName, permission) =>
  permissions.grant(packageName, permission),
)

/** An app that loses a permission is ended. */
export const revoke: Command = context => {
  const { phone } = context
  const revoking = acting('revoke', (permissions, packageName, permission) => {
    const wasGranted = permissions.state(packageName, permission) === 'allow'
    const problem = permissions.revoke(packageName, permission)
    if (!problem && wasGranted) phone.forceStop(packageName)
    return problem
  })
  return revoking(context)
}

const FLAGS: readonly PermissionFlag[] = ['user-set', 'user-fixed']
/** Earlier versions have no such commands. */
const FLAGS_SDK = 33

const marking =
  (verb: string, isOn: boolean): Command =>
  context => {
    const { permissions } = context.phone
    if (!permissions || permissions.sdk < FLAGS_SDK) return fail(context, `Unknown command: ${verb}`, USAGE_CODE)
    const [packageName, permission, ...named] = withoutUser(context.args)
    if (packageName === undefined || permission === undefined)
      return misuse(context, 'no package or permission specified')
    const flags = FLAGS.filter(flag => named.includes(flag))
    const unknown = named.find(flag => !FLAGS.some(known => known === flag))
    if (unknown !== undefined || flags.length === 0)
      return misuse(context, `must specify known flags, not ${unknown ?? ''}`)
    return ended(context, verb, permissions.mark(packageName, permission, flags, isOn))
  }

export const setFlags = marking('set-permission-flags', true)
export const clearFlags = marking('clear-permission-flags', false)

/** Without a package, those of all. */
export const resetPermissions: Command = ({ args, phone }) => {
  const at = args.indexOf('-p')
  const named = at < 0 ? undefined : args[at + 1]
  for (const name of named === undefined ? phone.packages() : [named]) phone.permissions?.reset(name)
  return 0
}

const MODES = ['allow', 'ignore', 'deny', 'default', 'foreground']
const OPERATION = /^[A-Z][A-Z_]+$/

interface AppOpCall {
  packageName: string
  op: string | undefined
  mode: string | undefined
}

const modeLines = (permissions: PhonePermissions | undefined, { packageName, op }: AppOpCall): string => {
  const mode = op === undefined ? undefined : permissions?.mode(packageName, op)
  if (mode === undefined) return 'No operations.\nDefault mode: default\n'
  return `${op}: ${mode}; time=+1m2s3ms ago\n`
}

const SHELL = 'com.android.shell'

export const appops: Command = async context => {
  const { phone, out } = context
  const [verb = '', ...rest] = withoutUser(context.args)
  const [packageName, op, mode] = rest.filter(word => word !== '--uid')
  if (packageName === SHELL) return appopsOfShell(context)
  if (!['get', 'set', 'reset'].includes(verb)) return fail(context, `Unknown command: ${verb}`, USAGE_CODE)
  if (packageName === undefined) return misuse(context, 'Package name not specified')
  if (!phone.packages().includes(packageName)) return misuse(context, `No UID for ${packageName} in user 0`)
  if (op !== undefined && !OPERATION.test(op)) return misuse(context, `Unknown operation string: ${op}`)
  if (verb === 'reset') return 0
  if (verb === 'get') return out(modeLines(phone.permissions, { packageName, op, mode }))
  if (op === undefined || mode === undefined) return misuse(context, 'Operation or mode not specified')
  if (!MODES.includes(mode)) return misuse(context, `Mode ${mode} is not valid`)
  phone.permissions?.setMode(packageName, op, mode)
  return 0
}

const flagsText = (flags: ReadonlySet<string>) => `, flags=[ ${[...flags].join('|')}]`

/** `dumpsys package` tells of permissions in two parts: above the user, and below. */
export const permissionDump = (
  permissions: PhonePermissions | undefined,
  packageName: string,
): { requested: readonly string[]; runtime: readonly string[] } => {
  const requested = permissions?.requested(packageName) ?? []
  const held = permissions?.held(packageName) ?? []
  const installed = requested.filter(name => !held.some(({ permission }) => permission === name))
  return {
    requested:
      requested.length === 0
        ? []
        : [
            '    requested permissions:',
            ...requested.map(name => `      ${name}`),
            ...(installed.length === 0 ? [] : ['    install permissions:']),
            ...installed.map(name => `      ${name}: granted=true`),
          ],
    runtime:
      held.length === 0
        ? []
        : [
            '      gids=[3003]',
            '      runtime permissions:',
            ...held.map(
              ({ permission, granted, flags }) => `        ${permission}: granted=${granted}${flagsText(flags)}`,
            ),
          ],
  }
}
