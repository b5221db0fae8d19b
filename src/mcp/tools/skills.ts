/** The tools that find and run skills. */
import type { ErrorObject } from '../../contracts/error.ts'
import { MCP_RECEIPTS, MCP_SKILLS } from '../../contracts/mcp-limits.ts'
import { getSkill } from '../../skills/registry/find.ts'
import type { FinishedRun } from '../../skills/run/finished-run.ts'
import { runOutcome } from '../../skills/run/run-answer.ts'
import { searchSkills } from '../../skills/search/search.ts'
import { done, failed, shortened } from '../answers.ts'
import type { McpDeps } from '../deps.ts'
import { transitionText } from '../progress.ts'
import { ACTS, LOOKS_LOCALLY, type Tool, type ToolCall, type ToolResult, tool } from '../tool.ts'

const search = tool({
  name: 'skills_search',
  description: 'Find skills (scripts for repeatable tasks) by words, app package or intent, best first.',
  annotations: LOOKS_LOCALLY,
  async run({ query, app, intent, limit = MCP_SKILLS.default }, { deps }) {
    const loaded = deps.skills.load()
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
    const loaded = deps.skills.load()
    if (!loaded.ok) return failed(loaded.error)
    const found = getSkill(loaded.registry, id)
    if (!found.ok) return failed(found.error)
    const { skill } = found.output
    return done(`${skill.id}: ${skill.summary}`, { skill: { ...skill } })
  },
})

/** Lists the executions of the run, oldest first. */
const executionsOf = async (runId: string, { executions }: McpDeps) => {
  const listed = [...(await executions.receipts({ skillRunId: runId, limit: MCP_RECEIPTS.max }))].reverse()
  return {
    executionIds: listed.map(({ executionId }) => executionId),
    dispatched: listed.some(({ dispatchedAt }) => dispatchedAt !== undefined),
  }
}

type Outcome = Readonly<Record<string, unknown>>

/** Adds facts that the failure itself lacks; the frame repeats stdout. */
const explainedBy = ({ exitCode, skillResult, stdout, stderr }: Outcome) => ({
  ...(exitCode === undefined ? {} : { exitCode }),
  ...(skillResult ? { skillResult } : stdout ? { stdout } : {}),
  ...(stderr ? { stderr } : {}),
})

/** Undefined where that is unknown. */
const dispatchedIn = ({ details }: ErrorObject): boolean | undefined => {
  const said = details?.dispatched
  return said === undefined ? false : typeof said === 'boolean' ? said : undefined
}

const answered = async (finished: FinishedRun, { deps, confirmation }: ToolCall): Promise<ToolResult> => {
  const { runId, skillId, status, error } = finished
  // No host says that it began: what is known of it is in the error.
  if (runId === '' && error) return failed(error, { dispatched: dispatchedIn(error) })
  const { executionIds, dispatched } = await executionsOf(runId, deps)
  const run = shortened(runOutcome(finished), 'svc skills run prints all of it') as Outcome
  if (status === 'failed' && error) {
    const question = dispatched ? undefined : await confirmation.ask(error)
    if (question) return question
    const details = { ...error.details, runId, executionIds, ...explainedBy(run) }
    return failed({ ...error, details }, { executionId: executionIds.at(-1), dispatched })
  }
  const said = error === undefined ? '' : `: ${error.message}`
  return done(`${skillId}: ${status}${said}\nrun ${runId}`, { status, runId, executionIds, run: { ...run } })
}

/** The reason of the abort lets the run say who ended it. */
const cancelledBy = (signal: AbortSignal): AbortSignal => {
  const cancel = new AbortController()
  const abort = () => cancel.abort('the MCP client')
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return cancel.signal
}

const run = tool({
  name: 'skills_run',
  description: 'Run a skill with its arguments; status says whether its verification was proved.',
  annotations: ACTS,
  async run({ id, args = [], timeoutMs, expectContains, device }, call) {
    const { deps, signal, progress, confirmation } = call
    const finished = await deps.skills.run({
      skillId: id,
      deviceId: device?.trim() ? device : deps.deviceId,
      args,
      timeoutMs,
      expectContains,
      operatorPackage: deps.operatorPackage,
      cancel: cancelledBy(signal),
      caller: 'mcp',
      askedBy: deps.skillRunId,
      confirmed: confirmation.confirmed,
      onRun(runId) {
        const actor = `skill-run:${runId}`
        progress.watch(record => (record.actor === actor ? transitionText(record) : undefined))
      },
      onForwarded: host => progress.tell(`skill-run.asked: host ${host}`),
    })
    return answered(finished, call)
  },
})

export const SKILL_TOOLS: readonly Tool[] = [search, get, run]
