/** The changes of a device that are not put back yet, oldest first: a plain list, and how each event changes it. */

/** The state of one or more keys of the device, then or now; null for a key that is absent. */
export type ChangedState = string | null | Readonly<Record<string, string | null>>

interface ChangedValues {
  previous: ChangedState
  value: ChangedState
  /** The Android user whose setting or permission it is; left out for what belongs to the whole device. */
  user?: string | undefined
}

export interface SettingChange extends ChangedValues {
  kind: 'setting'
  setting: string
  /** For a setting of one application. */
  applicationId?: string | undefined
}

export interface PermissionChange extends ChangedValues {
  kind: 'permission'
  applicationId: string
  /** The full name. */
  permission: string
}

export type DeviceChange = SettingChange | PermissionChange

type Target<C> = C extends DeviceChange ? Omit<C, 'previous' | 'value'> : never
export type ChangeTarget = Target<DeviceChange>

export interface OpenChange {
  target: ChangeTarget
  /** To be put back. */
  previous: ChangedState
  /** The device is in one of these states as long as nobody else changes it: two while the command is in doubt. */
  values: readonly ChangedState[]
  executionId: string
  step: string
}

export type Ledger = readonly OpenChange[]

const textOf = (state: ChangedState): string =>
  typeof state === 'object' && state !== null
    ? JSON.stringify(Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1)))
    : JSON.stringify(state)

export const isSameState = (one: ChangedState, other: ChangedState): boolean => textOf(one) === textOf(other)

/** True for each of the states, and for one between them: a change of several keys may have ended in its middle. */
export const isWithin = (state: ChangedState, states: readonly ChangedState[]): boolean => {
  if (typeof state !== 'object' || state === null) return states.some(other => isSameState(state, other))
  const known = states.flatMap(other => (typeof other === 'object' && other !== null ? [other] : []))
  return Object.entries(state).every(([key, value]) => known.some(other => other[key] === value))
}

const targetOf = ({ previous: _, value: __, ...target }: DeviceChange): ChangeTarget => target as ChangeTarget

export const isSameTarget = (one: ChangeTarget, other: ChangeTarget): boolean =>
  one.kind === other.kind &&
  one.applicationId === other.applicationId &&
  one.user === other.user &&
  (one.kind === 'setting' ? one.setting : one.permission) ===
    (other.kind === 'setting' ? other.setting : other.permission)

/** The words by which a caller is told of it. */
export const nameOf = (target: ChangeTarget): string => {
  if (target.kind === 'permission') return `${target.permission} of ${target.applicationId}`
  return target.applicationId === undefined ? target.setting : `${target.setting} of ${target.applicationId}`
}

interface Place {
  executionId: string
  step: string
}

/**
 * A change of what svc changed last continues that one: the older `previous` is the one to put back. Where somebody else
 * has changed it between the two, both stay.
 */
export const withRemembered = (ledger: Ledger, change: DeviceChange, { executionId, step }: Place): Ledger => {
  const target = targetOf(change)
  const last = ledger.findLast(open => isSameTarget(open.target, target))
  const isContinued = last !== undefined && [last.previous, ...last.values].some(s => isSameState(s, change.previous))
  const values = isSameState(change.previous, change.value) ? [change.value] : [change.previous, change.value]
  const next: OpenChange = { target, previous: change.previous, values, executionId, step }
  if (!isContinued) return [...ledger, next]
  return [...ledger.filter(open => open !== last), { ...next, previous: last.previous }]
}

/** The step has succeeded, so its states are no longer in doubt; one that is as it was before svc came is over. */
export const withMade = (ledger: Ledger, { executionId, step }: Place): Ledger =>
  ledger.flatMap(open => {
    if (open.executionId !== executionId || open.step !== step) return [open]
    const values = open.values.slice(-1)
    return values.some(value => isSameState(value, open.previous)) ? [] : [{ ...open, values }]
  })

/** Put back, or left to whoever changed it since. */
export const withoutChange = (ledger: Ledger, over: OpenChange): Ledger =>
  ledger.filter(
    ({ target, executionId, step, previous }) =>
      executionId !== over.executionId ||
      step !== over.step ||
      !isSameTarget(target, over.target) ||
      !isSameState(previous, over.previous),
  )
