/** Skills: the scripts of the registry, and a run of one. */
import type { Ask } from './ask.ts'
import type { Requests, SkillRunBody, SkillRunResponse, SkillsQuery } from './generated/shapes.ts'
import type { AskOptions } from './options.ts'

type Answer<Id extends keyof Requests> = Requests[Id]['answer']

/** A run that did not fail: `ok` is null where nobody can say whether it succeeded. */
export type SkillRun = Exclude<SkillRunResponse, { ok: false }>

export interface Skills {
  list(query?: SkillsQuery, options?: AskOptions): Promise<Answer<'skills.list'>['skills']>
  get(skillId: string, options?: AskOptions): Promise<Answer<'skills.get'>['skill']>
  /** Runs a skill on a phone; a run that fails rejects. */
  run(skillId: string, request?: SkillRunBody, options?: AskOptions): Promise<SkillRun>
}

/** @internal */
export const createSkills = (ask: Ask): Skills => ({
  list: async (query = {}, options) => (await ask('skills.list', query, options)).skills,
  get: async (skillId, options) => (await ask('skills.get', { skillId }, options)).skill,
  run: async (skillId, request = {}, options) =>
    (await ask('skills.run', { skillId, ...request }, options)) as SkillRun,
})
