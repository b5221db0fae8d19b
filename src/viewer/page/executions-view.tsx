/** Executions as a table with filters, and the details of the one that was picked. */
import { useEffect, useState } from 'preact/hooks'
import { LIST_LIMIT } from '../../contracts/limits.ts'
import type { ExecutionSummariesResponse, ExecutionSummary } from '../../contracts/viewer.ts'
import { type ApiProblem, encoded, get, problemIn } from './api.ts'
import { Badge } from './badge.tsx'
import { listCut } from './cuts.ts'
import { dateTime, duration, shortId } from './format.ts'
import { connection, onTransition } from './live.ts'
import { hrefOf, route } from './route.ts'
import { LatestRuns } from './runs-view.tsx'
import { useStore } from './store.ts'
import { Head, open } from './table.tsx'
import { batched } from './time.ts'
import { Traced } from './traced.tsx'

const PAGE = 100
const PAGE_MAX = LIST_LIMIT.max
const REFRESH_MS = 400

/** Read again when something about an execution was recorded. */
const useExecutions = (
  query: string,
): { found: ExecutionSummariesResponse | undefined; problem: ApiProblem | undefined } => {
  const [found, setFound] = useState<ExecutionSummariesResponse | undefined>(undefined)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    const read = () =>
      void get<ExecutionSummariesResponse>(`/inspector/executions?${query}`, left.signal).then(
        response => {
          setFound(response)
          setProblem(undefined)
        },
        error => {
          if (!left.signal.aborted) setProblem(problemIn(error))
        },
      )
    const soon = batched(REFRESH_MS, () => !left.signal.aborted && read())
    const leave = onTransition(({ machine }) => machine === 'device' && soon())
    const leaveConnection = connection.subscribe(() => connection.get() === 'live' && soon())
    read()
    return () => {
      leave()
      leaveConnection()
      left.abort()
    }
  }, [query])
  return { found, problem }
}

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
  const { found, problem } = useExecutions(queryOf(filters, limit).toString())
  const cut = found && listCut(found, PAGE_MAX)
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
      {cut !== undefined && <p class="note">{cut}</p>}
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
  const { id } = useStore(route)
  if (id === undefined) return <Executions />
  return (
    <main class="page">
      <a class="back" href={hrefOf('executions')}>
        ‹ All executions
      </a>
      <Traced key={id} path={`/executions/${encoded(id)}`} name={`execution-${id}.html`} />
    </main>
  )
}
