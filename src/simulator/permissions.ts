/** The permissions of the apps of a simulated phone, and their app operations, as its package manager keeps them. */
import { appOpOf, groupOf, permissionsOf } from '../device/apps/permission-groups.ts'
import type { AppFacts } from './phone-parts.ts'

export type PermissionFlag = 'user-set' | 'user-fixed'

export interface HeldPermission {
  permission: string
  granted: boolean
  /** The names are those of `dumpsys package`. */
  flags: ReadonlySet<string>
}

/** Why the package manager refuses, as the class of an exception and its message. */
export type PermissionProblem = readonly [exception: string, message: string]

export type Answer = 'allow' | 'once' | 'deny'

/** A dialog asks for the permissions of one group together. */
export interface PermissionRequest {
  packageName: string
  /** The name of the group; the permission itself where it is of none. */
  group: string
  permissions: readonly string[]
  /** A person has already said no once. */
  isAgain: boolean
}

interface Held {
  granted: boolean
  flags: Set<string>
}

interface AppState {
  uid: number | undefined
  held: Map<string, Held>
  modes: Map<string, string>
}

const FLAG_NAMES: Readonly<Record<PermissionFlag, string>> = { 'user-set': 'USER_SET', 'user-fixed': 'USER_FIXED' }
/** Every permission of a phone carries these; they say only how it is shown to a person. */
const SHOWN_FLAGS = ['USER_SENSITIVE_WHEN_GRANTED', 'USER_SENSITIVE_WHEN_DENIED']
const SHOWN_FLAGS_SDK = 30
const SECURITY = 'java.lang.SecurityException'
const ARGUMENT = 'java.lang.IllegalArgumentException'

interface PermissionsOptions {
  /** Undefined for a package that is not installed. */
  facts(packageName: string): AppFacts | undefined
  sdk: number
  /** Called after every change. */
  changed(): void
}

export const createPermissions = ({ facts, sdk, changed }: PermissionsOptions) => {
  const states = new Map<string, AppState>()
  const known = new Set(permissionsOf('all', sdk))
  const isRuntime = (permission: string) => known.has(permission) || !permission.startsWith('android.')

  const fresh = (packageName: string): AppState => {
    const { permissions = [], uid } = facts(packageName) ?? {}
    const held = permissions
      .filter(({ name }) => isRuntime(name))
      .map(({ name, state, fixed }): [string, Held] => [
        name,
        {
          granted: state === 'allow',
          flags: new Set([
            ...(state === 'deny' ? ['USER_SET', 'USER_FIXED'] : []),
            ...(fixed === undefined ? [] : [`${fixed.toUpperCase()}_FIXED`]),
            ...(sdk < SHOWN_FLAGS_SDK ? [] : SHOWN_FLAGS),
          ]),
        },
      ])
    const modes = permissions.flatMap(({ name, state }): [string, string][] => {
      const op = appOpOf(name)
      return op === undefined || state === 'unset' ? [] : [[op, state]]
    })
    return { uid, held: new Map(held), modes: new Map(modes) }
  }
  /** A package that was installed anew begins anew. */
  const stateOf = (packageName: string): AppState => {
    const known = states.get(packageName)
    if (known && known.uid === facts(packageName)?.uid) return known
    const made = fresh(packageName)
    states.set(packageName, made)
    return made
  }
  const heldOf = (packageName: string, permission: string) => stateOf(packageName).held.get(permission)

  const problemOf = (packageName: string, permission: string): PermissionProblem | undefined => {
    const found = facts(packageName)
    if (!found) return [ARGUMENT, `Unknown package: ${packageName}`]
    const isRequested = found.permissions?.some(({ name }) => name === permission) ?? false
    if (!isRequested && !known.has(permission) && appOpOf(permission) === undefined) {
      return [ARGUMENT, `Unknown permission: ${permission}`]
    }
    if (!isRequested) return [SECURITY, `Package ${packageName} has not requested permission ${permission}`]
    if (isRuntime(permission)) return undefined
    return [SECURITY, `Permission ${permission} requested by ${packageName} is not a changeable permission type`]
  }

  const set = (packageName: string, permission: string, granted: boolean): PermissionProblem | undefined => {
    const problem = problemOf(packageName, permission)
    const held = heldOf(packageName, permission)
    if (problem || !held) return problem
    const fixed = ['system', 'policy'].find(by => held.flags.has(`${by.toUpperCase()}_FIXED`))
    const [verb, side] = granted ? ['grant', 'for'] : ['revoke', 'from']
    if (fixed)
      return [SECURITY, `Cannot ${verb} ${fixed} fixed permission ${permission} ${side} package ${packageName}`]
    held.granted = granted
    changed()
    return undefined
  }

  const stateIn = (packageName: string, permission: string): 'allow' | 'deny' | 'unset' => {
    const op = appOpOf(permission)
    if (op !== undefined) {
      const mode = stateOf(packageName).modes.get(op)
      return mode === 'allow' || mode === 'deny' ? mode : 'unset'
    }
    const held = heldOf(packageName, permission)
    if (held?.granted) return 'allow'
    return held?.flags.has('USER_SET') || held?.flags.has('USER_FIXED') ? 'deny' : 'unset'
  }

  return {
    sdk,
    state: stateIn,
    requested: (packageName: string): readonly string[] =>
      (facts(packageName)?.permissions ?? []).map(({ name }) => name),
    /** Lists the permissions that a person can allow and deny. */
    held: (packageName: string): readonly HeldPermission[] =>
      [...stateOf(packageName).held].map(([permission, held]) => ({ permission, ...held })),
    grant: (packageName: string, permission: string) => set(packageName, permission, true),
    revoke: (packageName: string, permission: string) => set(packageName, permission, false),
    mark(packageName: string, permission: string, flags: readonly PermissionFlag[], isOn: boolean) {
      const problem = problemOf(packageName, permission)
      const held = heldOf(packageName, permission)
      if (problem || !held) return problem
      for (const flag of flags) held.flags[isOn ? 'add' : 'delete'](FLAG_NAMES[flag])
      changed()
      return undefined
    },
    /** Puts the permissions back to what they were after the installation; what is fixed stays. */
    reset(packageName: string) {
      for (const held of stateOf(packageName).held.values()) {
        if (held.flags.has('SYSTEM_FIXED') || held.flags.has('POLICY_FIXED')) continue
        held.granted = false
        for (const flag of ['USER_SET', 'USER_FIXED', 'ONE_TIME']) held.flags.delete(flag)
      }
      stateOf(packageName).modes.clear()
      changed()
    },
    /** Takes back what was allowed only this time. */
    ended(packageName: string) {
      for (const held of stateOf(packageName).held.values()) {
        if (held.flags.delete('ONE_TIME')) held.granted = false
      }
      changed()
    },
    mode: (packageName: string, op: string): string | undefined => stateOf(packageName).modes.get(op),
    setMode(packageName: string, op: string, mode: string) {
      if (mode === 'default') stateOf(packageName).modes.delete(op)
      else stateOf(packageName).modes.set(op, mode)
      changed()
    },
    /** The dialogs that an app brings up when it asks. A group of which one is allowed needs none. */
    requests(packageName: string, names: readonly string[]): PermissionRequest[] {
      const groups = new Map<string, string[]>()
      for (const permission of names) {
        const held = heldOf(packageName, permission)
        const isSettled = ['USER_FIXED', 'SYSTEM_FIXED', 'POLICY_FIXED'].some(flag => held?.flags.has(flag))
        if (!held || held.granted || isSettled) continue
        const group = groupOf(permission, sdk) ?? permission
        groups.set(group, [...(groups.get(group) ?? []), permission])
      }
      return [...groups].map(([group, permissions]) => ({
        packageName,
        group,
        permissions,
        isAgain: permissions.some(permission => heldOf(packageName, permission)?.flags.has('USER_SET')),
      }))
    },
    answer({ packageName, permissions, isAgain }: PermissionRequest, answer: Answer) {
      for (const permission of permissions) {
        const held = heldOf(packageName, permission)
        if (!held) continue
        held.granted = answer !== 'deny'
        held.flags.add('USER_SET')
        if (answer === 'once') held.flags.add('ONE_TIME')
        if (answer === 'deny' && isAgain) held.flags.add('USER_FIXED')
      }
      changed()
    },
  }
}

export type PhonePermissions = ReturnType<typeof createPermissions>
