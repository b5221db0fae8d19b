/** Executions and skill runs as tables with filters, and the details of the one that was picked. */
import { useEffect, useState } from 'preact/hooks'
import type {
  ExecutionSummariesResponse,
  ExecutionSummary,
  Trace,
  TraceResponse,
  ViewedActor,
} from '../../contracts/viewer.ts'
import { type ApiProblem, download, encoded, get, problemIn } from './api.ts'
import { Badge } from './badge.tsx'
import { dateTime, duration, shortId } from './format.ts'
import { actors, connection, onTransition } from './live.ts'
import { hrefOf, route } from './route.ts'
import { useStore } from './store.ts'
import { batched } from './time.ts'
import { TraceView } from './trace-view.tsx'

const PAGE = 100
const PAGE_MAX = 1_000
const REFRESH_MS = 400

/** Read again when something about an execution was recorded. */
const useExecutions = (query: string): { found: readonly ExecutionSummary[] | undefined; problem: ApiProblem | undefined } => {
  const [found, setFound] = useState<readonly ExecutionSummary[] | undefined>(undefined)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    const read = () =>
      void get<ExecutionSummariesResponse>(`/inspector/executions?${query}`, left.signal).then(
        ({ executions }) => {
          setFound(executions)
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
  <form class="filters wide" role="search" onSubmit={event => event.preventDefault()}>
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

const open = (href: string) => (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('a')) return
  location.hash = href
}

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

const Head = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map(column => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
)

const queryOf = (filters: Filters, limit: number) =>
  new URLSearchParams([...Object.entries(filters).filter(([, value]) => value !== ''), ['limit', String(limit)]])

const Executions = () => {
  const [filters, setFilters] = useState<Filters>({})
  const [limit, setLimit] = useState(PAGE)
  const { found, problem } = useExecutions(queryOf(filters, limit).toString())
  return (
    <main class="page">
      <h1>Executions</h1>
      <FilterForm filters={filters} onChange={setFilters} />
      {problem && <p class="problem">{problem.message}</p>}
      <div class="table-box">
        <table class="table">
          <Head columns={COLUMNS} />
          <tbody>
            {found?.map(execution => (
              <ExecutionRow key={execution.executionId} execution={execution} />
            ))}
          </tbody>
        </table>
      </div>
      {found?.length === 0 && <p class="empty muted">No execution matches.</p>}
      {found && found.length === limit && limit < PAGE_MAX && (
        <button type="button" onClick={() => setLimit(Math.min(PAGE_MAX, limit * 2))}>
          Show more
        </button>
      )}
    </main>
  )
}

const PREFIX = 'skill-run:'

const RunRow = ({ actor }: { actor: ViewedActor }) => {
  const runId = actor.id.slice(PREFIX.length)
  const href = hrefOf('skill-runs', runId)
  return (
    <tr data-skill-run={runId} onClick={open(href)}>
      <td class="mono">
        <a href={href}>{shortId(runId)}</a>
      </td>
      <td>{actor.work.skillId}</td>
      <td>{actor.work.deviceId}</td>
      <td>
        <Badge text={actor.state} />
      </td>
      <td class="mono">{dateTime(actor.updatedAt)}</td>
    </tr>
  )
}

const Runs = () => {
  const all = useStore(actors)
  const [text, setText] = useState('')
  const runs = [...all.values()]
    .filter(({ machine }) => machine === 'skill-run')
    .filter(({ id, state, work }) => `${id} ${state} ${work.skillId} ${work.deviceId}`.includes(text))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
  return (
    <main class="page">
      <h1>Skill runs</h1>
      <form class="filters wide" role="search" onSubmit={event => event.preventDefault()}>
        <label>
          <span>Filter</span>
          <input
            value={text}
            placeholder="skill, device, state, id"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </form>
      <div class="table-box">
        <table class="table">
          <Head columns={['Run', 'Skill', 'Device', 'State', 'Last event']} />
          <tbody>
            {runs.map(actor => (
              <RunRow key={actor.id} actor={actor} />
            ))}
          </tbody>
        </table>
      </div>
      {runs.length === 0 && <p class="empty muted">No skill run yet. Start one with svc skills run.</p>}
    </main>
  )
}

const Picked = ({ path, name }: { path: string; name: string }) => {
  const [trace, setTrace] = useState<Trace | undefined>(undefined)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    let current: Trace | undefined
    const read = () =>
      void get<TraceResponse>(`${path}/trace`, left.signal).then(
        ({ trace: found }) => {
          current = found
          setTrace(found)
        },
        error => {
          if (!left.signal.aborted) setProblem(problemIn(error))
        },
      )
    const soon = batched(REFRESH_MS, () => !left.signal.aborted && read())
    // An execution that is over stays what it was; a run goes on through the executions of its device.
    const isOver = () =>
      current?.kind === 'execution' && current.executions.every(({ settledAt }) => settledAt !== undefined)
    const leave = onTransition(({ actor: moved, machine }) => {
      const isOurs = moved === current?.actor || (current?.kind === 'skill-run' && machine === 'device')
      if (isOurs && !isOver()) soon()
    })
    read()
    return () => {
      leave()
      left.abort()
    }
  }, [path])
  if (problem) return <p class="problem empty">{problem.message}</p>
  if (!trace) return <p class="empty muted">Reading…</p>
  return (
    <>
      <div class="actions-row">
        <button type="button" onClick={() => void download(`${path}/trace.html`, name).catch(error => setProblem(problemIn(error)))}>
          Export as HTML
        </button>
      </div>
      <TraceView trace={trace} isLinked={true} />
    </>
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
      <Picked
        key={id}
        path={`/executions/${encoded(id)}`}
        name={`execution-${id}.html`}
      />
    </main>
  )
}

export const RunsView = () => {
  const { id } = useStore(route)
  if (id === undefined) return <Runs />
  return (
    <main class="page">
      <a class="back" href={hrefOf('skill-runs')}>
        ‹ All skill runs
      </a>
      <Picked key={id} path={`/skill-runs/${encoded(id)}`} name={`skill-run-${id}.html`} />
    </main>
  )
}
