/** Finds the program of a run before anything is spawned: the script of a skill, or the agent CLI that drives it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { SkillAgent } from '../../../contracts/skills/skill-json.ts'
import { isProgram } from '../../../runtime/processes/find-program.ts'
import { systemProblem } from '../../../runtime/system-problem.ts'
import { createRootGuard, type PathInRoot } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface Script {
  ok: true
  /** Absolute. */
  path: string
  /** SHA-256 of the file, in hex. */
  digest: string
}

const chooseScript = (scripts: readonly string[]): string | undefined =>
  scripts.find(path => path.endsWith('.js')) ?? scripts.find(path => path.endsWith('.sh')) ?? scripts[0]

const notFound = (skillId: string, reason: string, path?: string): Refusal =>
  refuse('SKILL_SCRIPT_NOT_FOUND', `Skill ${skillId} cannot run: ${reason}.`, {
    details: { skillId, ...(path === undefined ? {} : { path }) },
  })

/** A path of the entry as a file inside the skills repo. */
export const fileOf = (skillId: string, path: string, inRoot: (path: string) => PathInRoot) => {
  const seen = inRoot(path)
  return seen.kind === 'file'
    ? { ok: true as const, path: seen.path }
    : notFound(skillId, `${JSON.stringify(path)} ${seen.problem}`, path)
}

export const findScript = (
  { id, scripts }: Pick<RegistryEntry, 'id' | 'scripts'>,
  inRoot: (path: string) => PathInRoot,
): Script | Refusal => {
  const chosen = chooseScript(scripts)
  if (chosen === undefined) return notFound(id, 'the registry lists no script for it')
  const file = fileOf(id, chosen, inRoot)
  if (!file.ok) return file
  try {
    return { ok: true, path: file.path, digest: createHash('sha256').update(readFileSync(file.path)).digest('hex') }
  } catch (error) {
    return notFound(id, `${JSON.stringify(chosen)} ${systemProblem(error).said}`, chosen)
  }
}

export interface AgentCli {
  ok: true
  name: string
  /** Absolute. */
  path: string
}

interface AgentCliQuery {
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

const unavailable = (skillId: string, name: string, reason: string, hint: string): Refusal =>
  refuse(
    'SKILL_AGENT_CLI_UNAVAILABLE',
    `Skill ${skillId} is driven by the agent CLI ${JSON.stringify(name)}, ${reason}.`,
    {
      details: { skillId, agentCli: name },
      hint,
    },
  )

const inSkillFolder = ({ skillId, agent, folder }: AgentCliQuery, cliPath: string): AgentCli | Refusal => {
  const seen = createRootGuard({ path: join(folder, 'skill.json'), root: folder })(cliPath)
  if (seen.kind === 'file' && isProgram(seen.path)) return { ok: true, name: agent.cli, path: seen.path }
  const problem = seen.kind === 'file' ? 'is not executable' : seen.problem
  return unavailable(
    skillId,
    agent.cli,
    `and its cliPath ${JSON.stringify(cliPath)} ${problem}`,
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
