/** The policy of one process: its file, its refusals, and what it says of skills. */
import type { Journal } from '../runtime/journal/journal.ts'
import { createNamesOf, type NamesOf } from './device-names.ts'
import { createPolicy, type LoadPolicy, policyFile } from './load.ts'
import { createRecordDenial, createRefuse, type RecordDenial, type Refuse, type RefuseOptions } from './refuse.ts'
import { createSkillPolicy, type SkillPolicy } from './skill-gate.ts'

export interface PoliciesOptions extends RefuseOptions {
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
  namesOf: NamesOf
  forSkills: SkillPolicy
}

export const createPolicies = ({ env, home, ...options }: PoliciesOptions): Policies => {
  const load = createPolicy(policyFile({ env, home }))
  const recordDenial = createRecordDenial(options)
  const refuse = createRefuse(recordDenial)
  const { journal } = options
  const namesOf = createNamesOf(journal)
  return { load, refuse, recordDenial, namesOf, forSkills: createSkillPolicy({ load, refuse, namesOf, journal }) }
}
