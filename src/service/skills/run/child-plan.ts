/** How the child of a run is started: its program, its arguments and its environment. */
import { extname } from 'node:path'
import { LEASE_ENV } from '../../../contracts/records/ids.ts'
import type { SkillContract } from '../../../contracts/skills/skill-json.ts'
import type { SkillSource } from '../../../contracts/skills/skill-result.ts'
import { childEnv } from '../../../runtime/processes/child-env.ts'
import type { AgentCli, Script } from './find-executable.ts'
import type { ChildWorld, SkillRunRequest } from './request.ts'

/** An orchestrated skill: its agent CLI and its program for that agent. */
interface Orchestration {
  cli: AgentCli
  /** SKILL.md, absolute. */
  program: string
}

interface ChildPlanResult {
  runId: string
  request: SkillRunRequest
  script: Script
  orchestration: Orchestration | undefined
  contract: SkillContract | undefined
  operatorPackage: string
  registryPath: string
  timeoutMs: number
  world: ChildWorld
}

/** The device for the gate and the script alike: the script is given the device that was checked. */
export const deviceOf = ({ deviceId }: Pick<SkillRunRequest, 'deviceId'>): string | undefined =>
  deviceId?.trim() || undefined

const agentEnv = ({ request, orchestration, registryPath, timeoutMs }: ChildPlanResult): Record<string, string> =>
  orchestration === undefined
    ? {}
    : {
        SVC_SKILL_ID: request.skillId,
        SVC_SKILL_PROGRAM: orchestration.program,
        SVC_SKILL_INPUTS: JSON.stringify(request.args),
        SVC_SKILL_AGENT_CLI: orchestration.cli.name,
        SVC_SKILL_AGENT_CLI_PATH: orchestration.cli.path,
        SVC_SKILL_AGENT_TIMEOUT_MS: String(timeoutMs),
        SVC_SKILLS_REGISTRY: registryPath,
      }

const inherited = (env: ChildWorld['env']): Record<string, string> => {
  // A device or lease that the caller's own parent was given is not that of this run.
  const { SVC_DEVICE_ID: _, [LEASE_ENV]: __, ...kept } = childEnv(env)
  return kept
}

const envOf = (planned: ChildPlanResult): Record<string, string> => {
  const { runId, request, world } = planned
  const device = deviceOf(request)
  return {
    ...inherited(world.env),
    SVC_OPERATOR_PACKAGE: planned.operatorPackage,
    SVC_SKILL_RUN_ID: runId,
    ...(device === undefined ? {} : { SVC_DEVICE_ID: device }),
    ...(request.leaseId === undefined ? {} : { [LEASE_ENV]: request.leaseId }),
    ...agentEnv(planned),
  }
}

/** The device that was named is the first argument of every script, the harness of an agent included. */
const argumentsOf = ({ request }: ChildPlanResult): readonly string[] => {
  const device = deviceOf(request)
  return device === undefined ? request.args : [device, ...request.args]
}

export const planChild = (planned: ChildPlanResult) => {
  const { script, orchestration, contract, timeoutMs, world } = planned
  const isNode = extname(script.path) === '.js'
  const args = argumentsOf(planned)
  const source: SkillSource = orchestration ? { kind: 'agent', agentCli: orchestration.cli.name } : { kind: 'script' }
  return {
    script: script.path,
    digest: script.digest,
    command: isNode ? world.node : script.path,
    args: isNode ? [script.path, ...args] : args,
    /** All but SVC_BIN, which is there once the run has its folder. */
    env: envOf(planned),
    cwd: world.cwd,
    timeoutMs,
    source,
    contract,
  }
}

export type ChildPlan = ReturnType<typeof planChild>
