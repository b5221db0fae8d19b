/** The tools that find and run skills. */
import { MCP_RECEIPTS, MCP_SKILLS } from '../../../contracts/limits/mcp-limits.ts'
import type { FinishedRun } from '../../../service/skills/run/finished-run.ts'
import { runOutcome } from '../../../service/skills/run/run-answer.ts'
import { searchSkills } from '../../../service/skills/search.ts'
import { done, failed, shortened } from '../answers.ts'
import type { McpContext } from '../options.ts'
import { contextOf, dispatchedIn, showProgress, targetOf } from '../perform.ts'
import { ACTS, LOOKS_LOCALLY, type Tool, type ToolCall, type ToolResult, tool } from '../tool.ts'

const search = tool({
  name: 'skills_search',
  description: 'Find skills (scripts for repeatable tasks) by words, app package or intent, best first.',
  annotations: LOOKS_LOCALLY,
  async run({ query, app, intent, limit = MCP_SKILLS.default }, { deps }) {
    const loaded = deps.skills().load()
    if (!loaded.ok) return failed(loaded.error)
    const found = searchSkills(loaded.registry, { app, intent, keyword: query })
    const skills = found.skills
      .slice(0, limit)
      .map(({ id, applicationId, intent: means, summary }) => ({ id, applicationId, intent: means, summary }))
    const lines = skills.map(({ id, summary }) => `${id}: ${summary}`)
    const more = found.count > skills.length ? [`${found.count - skills.length} more match`] : []
    return done([...lines, ...more].join('\n') || 'no skill matches', { skills, count: found.count })
  },
})

const get = tool({
  name: 'skills_get',
  description: 'Show one skill of the registry.',
  annotations: LOOKS_LOCALLY,
  async run({ id }, { deps }) {
    const found = await deps.service['skills.get']({ skillId: id }, { context: { caller: 'mcp' } })
    if (!found.ok) return failed(found.error)
    const { skill } = found.value
    return done(`${skill.id}: ${skill.summary}`, { skill: { ...skill } })
  },
})

/** Lists the executions of the run, oldest first. */
const executionsOf = async (runId: string, { service }: McpContext) => {
  const query = { skillRunId: runId, limit: MCP_RECEIPTS.max }
  const found = await service['executions.list'](query, { context: { caller: 'mcp' } })
  const listed = found.ok ? [...found.value.executions].reverse() : []
  return {
    executionIds: listed.map(({ executionId }) => executionId),
    dispatched: listed.some(({ dispatchedAt }) => dispatchedAt !== undefined),
  }
}

type RunFields = Readonly<Record<string, unknown>>

/** Adds facts that the failure itself lacks; the frame repeats stdout. */
const explainedBy = ({ exitCode, skillResult, stdout, stderr }: RunFields) => ({
  ...(exitCode === undefined ? {} : { exitCode }),
  ...(skillResult ? { skillResult } : stdout ? { stdout } : {}),
  ...(stderr ? { stderr } : {}),
})

const answered = async (finished: FinishedRun, { deps, confirmation }: ToolCall): Promise<ToolResult> => {
  const { runId, skillId, status, error } = finished
  const { executionIds, dispatched } = await executionsOf(runId, deps)
  const run = shortened(runOutcome(finished), 'the command line prints all of it') as RunFields
  if (status === 'failed' && error) {
    const question = dispatched ? undefined : await confirmation.ask(error)
    if (question) return question
    const details = { ...error.details, runId, executionIds, ...explainedBy(run) }
    return failed({ ...error, details }, { executionId: executionIds.at(-1), dispatched })
  }
  const ending = error === undefined ? '' : `: ${error.message}`
  return done(`${skillId}: ${status}${ending}\nrun ${runId}`, { status, runId, executionIds, run: { ...run } })
}

const run = tool({
  name: 'skills_run',
  description: 'Run a skill with its arguments; status says whether its verification was proved.',
  annotations: ACTS,
  async run({ id, args = [], timeoutMs, expectContains, device }, call) {
    const { deps, signal } = call
    const { deviceId, leaseId } = targetOf(device, deps)
    const input = {
      skillId: id,
      args,
      ...(deviceId === undefined ? {} : { deviceId }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(expectContains === undefined ? {} : { expectContains }),
    }
    const options = { context: contextOf(call, leaseId), signal, onProgress: showProgress(call, 'skill-run') }
    const result = await deps.service['skills.run'](input, options)
    // No host says that it began: what is known of it is in the error.
    if (!result.ok) return failed(result.error, { dispatched: dispatchedIn(result.error) })
    return answered(result.value, call)
  },
})

export const SKILL_TOOLS: readonly Tool[] = [search, get, run]
