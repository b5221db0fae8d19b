/** How an execution says which skill run caused it: from the run's child to its `svc` calls, and from those to a server. */

/** In the environment of the child of a run; its `svc` calls inherit it. */
export const SKILL_RUN_ENV = 'SVC_SKILL_RUN_ID'

/** On a request: the run that causes the execution. On the answer of a run: its own id. */
export const SKILL_RUN_HEADER = 'Svc-Skill-Run'

const SKILL_RUN_ID = /^[\w.-]{1,128}$/

/** An id that we cannot have minted is none. */
export const isSkillRunId = (text: string): boolean => SKILL_RUN_ID.test(text)

export const skillRunIn = (env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const id = env[SKILL_RUN_ENV]
  return id !== undefined && isSkillRunId(id) ? id : undefined
}
