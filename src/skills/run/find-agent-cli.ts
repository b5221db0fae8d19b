/** Finds the agent CLI of an orchestrated skill, before anything is spawned. */
import { delimiter, join, resolve } from 'node:path'
import type { SkillAgent } from '../../contracts/skill-json.ts'
import { isProgram } from '../../runtime/find-program.ts'
import { createRootGuard } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface AgentCli {
  ok: true
  name: string
  /** Absolute. */
  path: string
}

export interface AgentCliQuery {
  skillId: string
  agent: SkillAgent
  /** The skill directory, absolute. */
  folder: string
  /** The child's. */
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/** The only agent CLI that skills may name. */
const SUPPORTED = 'codex'
const OVERRIDE = 'SVC_SKILL_AGENT_CLI'
const PLAIN_NAME = /^[^/\\\0]+$/

const unavailable = (skillId: string, name: string, said: string, hint: string): Refusal =>
  refuse(
    'SKILL_AGENT_CLI_UNAVAILABLE',
    `Skill ${skillId} is driven by the agent CLI ${JSON.stringify(name)}, ${said}.`,
    {
      details: { skillId, agentCli: name },
      hint,
    },
  )

const inSkillFolder = ({ skillId, agent, folder }: AgentCliQuery, cliPath: string): AgentCli | Refusal => {
  const seen = createRootGuard({ path: join(folder, 'skill.json'), root: folder })(cliPath)
  if (seen.kind === 'file' && isProgram(seen.path)) return { ok: true, name: agent.cli, path: seen.path }
  const said = seen.kind === 'file' ? 'is not executable' : seen.problem
  return unavailable(
    skillId,
    agent.cli,
    `and its cliPath ${JSON.stringify(cliPath)} ${said}`,
    'agent.cliPath is a program inside the skill directory, named relative to it.',
  )
}

/** Absolute. */
export const programOnPath = (name: string, { env, cwd }: Pick<AgentCliQuery, 'env' | 'cwd'>): string | undefined =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => resolve(cwd, folder, name))
    .find(isProgram)

const onPath = (query: AgentCliQuery, name: string): AgentCli | Refusal => {
  const { skillId } = query
  const path = programOnPath(name, query)
  if (path !== undefined) return { ok: true, name, path }
  return unavailable(skillId, name, 'which is not on the PATH', `Install ${name}, or put its folder on the PATH.`)
}

export const findAgentCli = (query: AgentCliQuery): AgentCli | Refusal => {
  const { skillId, agent, env } = query
  if (agent.cliPath !== undefined) return inSkillFolder(query, agent.cliPath)
  const override = env[OVERRIDE]?.trim() ?? ''
  if (override !== '') {
    if (PLAIN_NAME.test(override) && override !== '.' && override !== '..') return onPath(query, override)
    return unavailable(
      skillId,
      override,
      'which is not a plain program name',
      `${OVERRIDE} must be the name of a program on the PATH, without slashes or blanks.`,
    )
  }
  if (agent.cli === SUPPORTED) return onPath(query, SUPPORTED)
  const hint = `The supported one is ${SUPPORTED}; ${OVERRIDE} or agent.cliPath may name another.`
  return unavailable(skillId, agent.cli, 'which is not supported', hint)
}
