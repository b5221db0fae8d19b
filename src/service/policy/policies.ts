/** The policy of one process: its file, its refusals, and what it says of skills. */
import type { Journal } from '../../runtime/journal/journal.ts'
import { createRecordingPolicy, createSkillPolicy, type RecordingPolicy, type SkillPolicy } from './gates.ts'
import { createPolicy, type LoadPolicy, policyFile } from './load.ts'
import { createRecordDenial, createRefuse, type RecordDenial, type Refuse, type RefuseOptions } from './refuse.ts'

const MEMBERSHIP = 'membership:fleet'
const LOOK_BACK = 64

/** The name of this machine in its fleet, also for processes that are not the member, and after the member has gone. */
const recordedHost = (journal: Pick<Journal, 'last' | 'leases' | 'records'>): string | undefined => {
  const newest = journal.last(MEMBERSHIP)
  if (!newest) return undefined
  const held = journal.leases.read(MEMBERSHIP)?.note.host
  if (typeof held === 'string') return held
  const joined = journal
    .records({ actor: MEMBERSHIP, fromN: Math.max(0, newest.n - LOOK_BACK), limit: LOOK_BACK + 1 })
    .findLast(({ event }) => event.type === 'join.requested')
  const host = joined?.event.host
  return typeof host === 'string' ? host : undefined
}

export type DeviceNames = (serials: readonly string[]) => readonly string[]

export const createDeviceNames =
  (journal: Pick<Journal, 'last' | 'leases' | 'records'>): DeviceNames =>
  serials => {
    const names = [...new Set(serials)]
    const host = recordedHost(journal)
    return host === undefined ? names : [...names, ...names.map(serial => `${serial}@${host}`)]
  }

interface PoliciesOptions extends RefuseOptions {
  journal: Journal
  env: Readonly<Record<string, string | undefined>>
  /** `~/.svc`, or SVC_HOME. */
  home: string
}

export interface Policies {
  load: LoadPolicy
  refuse: Refuse
  /** Records denials that come after the execution was accepted. */
  recordDenial: RecordDenial
  /** All names of the device with these serials. */
  namesOf: DeviceNames
  forSkills: SkillPolicy
  forRecordings: RecordingPolicy
}

export const createPolicies = ({ env, home, ...options }: PoliciesOptions): Policies => {
  const load = createPolicy(policyFile({ env, home }))
  const recordDenial = createRecordDenial(options)
  const refuse = createRefuse(recordDenial)
  const { journal } = options
  const namesOf = createDeviceNames(journal)
  const parts = { load, refuse, namesOf, journal }
  return {
    ...{ load, refuse, recordDenial, namesOf },
    forSkills: createSkillPolicy(parts),
    forRecordings: createRecordingPolicy(parts),
  }
}
