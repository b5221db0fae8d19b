/** The form of the ids that svc makes, and how an execution says which skill run caused it. */

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const isId = (text: string): boolean => ID.test(text)

/** In the environment of the child of a run; its `svc` calls inherit it. */
export const SKILL_RUN_ENV = 'SVC_SKILL_RUN_ID'

/** Marks the process that evaluates the scripts of a flow run. */
export const FLOW_RUN_ENV = 'SVC_FLOW_RUN_ID'

/** The reservation that commands belong to; children of skill runs inherit it. */
export const LEASE_ENV = 'SVC_LEASE'

const SKILL_RUN_ID = /^[\w.-]{1,128}$/

/** An id that we cannot have minted is none. */
export const isSkillRunId = (text: string): boolean => SKILL_RUN_ID.test(text)

export const skillRunIn = (env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const id = env[SKILL_RUN_ENV]
  return id !== undefined && isSkillRunId(id) ? id : undefined
}
