/** Executions as a table with filters, and the details of the one that was picked. */
import { useState } from 'preact/hooks'
import { LIST_LIMIT } from '../../contracts/limits.ts'
import type { ExecutionSummariesResponse, ExecutionSummary } from '../../contracts/viewer.ts'
import { useAnswer } from './api.ts'
import { dateTime, duration, shortId } from './format.ts'
import { listLimitNote } from './limit-notes.ts'
import { onTransition } from './live.ts'
import { Badge, Head, open } from './parts.tsx'
import { hrefOf, route } from './route.ts'
import { LatestRuns } from './runs-view.tsx'
import { batched } from './time.ts'
import { TracePage } from './trace-page.tsx'

const PAGE = 100
const PAGE_MAX = LIST_LIMIT.max
const REFRESH_MS = 400

/** Read again when something about an execution was recorded. */
const useExecutions = (query: string) =>
  useAnswer<ExecutionSummariesResponse>(`/inspector/executions?${query}`, read => {
    const soon = batched(REFRESH_MS, read)
    return onTransition(moved => {
      if (!moved || moved.machine === 'device') soon()
    })
  })

const FILTERS = [
  ['deviceId', 'Device'],
  ['code', 'Code'],
  ['operatorPackage', 'Operator'],
  ['skillRunId', 'Skill run'],
] as const

const STATES = ['accepted', 'dispatched', 'settled', 'interrupted']

type Filters = Readonly<Record<string, string>>

const FilterForm = ({ filters, onChange }: { filters: Filters; onChange(filters: Filters): void }) => (
  <form class="filters wide" onSubmit={event => event.preventDefault()}>
    {FILTERS.map(([key, label]) => (
      <label key={key}>
        <span>{label}</span>
        <input
          value={filters[key] ?? ''}
          spellcheck={false}
          placeholder="any"
          onChange={({ currentTarget }) => onChange({ ...filters, [key]: currentTarget.value.trim() })}
        />
      </label>
    ))}
    <label>
      <span>State</span>
      <select
        value={filters.state ?? ''}
        onChange={({ currentTarget }) => onChange({ ...filters, state: currentTarget.value })}
      >
        <option value="">any</option>
        {STATES.map(state => (
          <option key={state}>{state}</option>
        ))}
      </select>
    </label>
  </form>
)

const ExecutionRow = ({ execution }: { execution: ExecutionSummary }) => {
  const { executionId, deviceId, commandId, state, code, operatorPackage, skillRunId, acceptedAt, settledAt, steps } =
    execution
  const href = hrefOf('executions', executionId)
  return (
    <tr data-execution={executionId} onClick={open(href)}>
      <td class="mono">
        <a href={href}>{dateTime(acceptedAt)}</a>
      </td>
      <td>{deviceId}</td>
      <td class="cut">{commandId}</td>
      <td>
        <Badge text={state} />
      </td>
      <td>{code !== undefined && <Badge text={code} />}</td>
      <td class="cut">{operatorPackage}</td>
      <td class="number">{settledAt === undefined ? '…' : duration(Math.max(0, settledAt - acceptedAt))}</td>
      <td class="cut muted" title={steps.join(', ')}>
        {steps.join(', ')}
      </td>
      <td class="mono">
        {skillRunId !== undefined && <a href={hrefOf('skill-runs', skillRunId)}>{shortId(skillRunId)}</a>}
      </td>
    </tr>
  )
}

const COLUMNS = ['Accepted', 'Device', 'Command', 'State', 'Code', 'Operator', 'Took', 'Steps', 'Skill run']

const queryOf = (filters: Filters, limit: number) =>
  new URLSearchParams([...Object.entries(filters).filter(([, value]) => value !== ''), ['limit', String(limit)]])

const Executions = () => {
  const [filters, setFilters] = useState<Filters>({})
  const [limit, setLimit] = useState(PAGE)
  const { answer: found, problem } = useExecutions(queryOf(filters, limit).toString())
  const note = found && listLimitNote(found, PAGE_MAX)
  return (
    <main class="page">
      <h1>Executions</h1>
      <FilterForm filters={filters} onChange={setFilters} />
      {problem && <p class="problem">{problem.message}</p>}
      <div class="table-box">
        <table class="table">
          <Head columns={COLUMNS} />
          <tbody>
            {found?.executions.map(execution => (
              <ExecutionRow key={execution.executionId} execution={execution} />
            ))}
          </tbody>
        </table>
      </div>
      {found?.count === 0 && <p class="empty muted">No execution matches.</p>}
      {note !== undefined && <p class="note">{note}</p>}
      {found?.older && found.count === limit && limit < PAGE_MAX && (
        <button type="button" onClick={() => setLimit(Math.min(PAGE_MAX, limit * 2))}>
          Show more
        </button>
      )}
      <LatestRuns />
    </main>
  )
}

export const ExecutionsView = () => {
  const { id } = route.value
  return id === undefined ? <Executions /> : <TracePage section="executions" id={id} />
}
