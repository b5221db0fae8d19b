/** Executions as a table with filters, and the details of the one that was picked. */
import { useState } from 'preact/hooks'
import { LIST_LIMIT } from '../../../contracts/limits/limits.ts'
import { listLimitNote } from '../limit-notes.ts'
import { useExecutions } from '../live.ts'
import { Empty, ReadProblem } from '../parts.tsx'
import { replaceFilters, route } from '../route.ts'
import { TracePage } from '../traces/trace-page.tsx'
import { ExecutionTable } from './execution-table.tsx'

const PAGE = 100
const PAGE_MAX = LIST_LIMIT.max

const FILTERS = [
  ['deviceId', 'Device'],
  ['code', 'Code'],
  ['operatorPackage', 'Operator'],
  ['skillRunId', 'Skill run'],
] as const

const STATES = ['waiting', 'accepted', 'dispatched', 'settled', 'interrupted']

type Filters = Readonly<Record<string, string>>

const FilterForm = ({ filters, onChange }: { filters: Filters; onChange(filters: Filters): void }) => {
  // Executions that arrive draw the form again, while something is typed that is no filter yet.
  const [drafts, setDrafts] = useState<Filters>({})
  return (
    <form class="filters wide" onSubmit={event => event.preventDefault()}>
      {FILTERS.map(([key, label]) => (
        <label key={key}>
          <span>{label}</span>
          <input
            value={drafts[key] ?? filters[key] ?? ''}
            onInput={({ currentTarget }) => setDrafts({ ...drafts, [key]: currentTarget.value })}
            spellcheck={false}
            placeholder="any"
            onChange={({ currentTarget }) => {
              setDrafts({})
              onChange({ ...filters, [key]: currentTarget.value.trim() })
            }}
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
}

const isSet = ([, value]: readonly [string, string]) => value !== ''

const queryOf = (filters: Filters, limit: number) =>
  new URLSearchParams([...Object.entries(filters).filter(isSet), ['limit', String(limit)]])

/** Where the filters would fill the first screen. */
const NARROW = '(max-width: 760px)'

const Executions = () => {
  const { filters } = route.value
  const [limit, setLimit] = useState(PAGE)
  const { answer: found, problem, retry } = useExecutions(queryOf(filters, limit).toString())
  const note = found && listLimitNote(found, PAGE_MAX)
  const isFiltered = Object.entries(filters).some(isSet)
  return (
    <main class="page">
      <h1>Executions</h1>
      <details class="filter-box" open={isFiltered || !matchMedia(NARROW).matches}>
        <summary>Filter</summary>
        <FilterForm filters={filters} onChange={replaceFilters} />
      </details>
      {problem && <ReadProblem problem={problem} onRetry={retry} />}
      {!found && !problem && <p class="empty muted">Reading the executions…</p>}
      {found && found.count > 0 && <ExecutionTable executions={found.executions} label="Executions" />}
      {found?.count === 0 && isFiltered && (
        <div class="empty">
          <p class="muted">No execution matches.</p>
          <button type="button" onClick={() => replaceFilters({})}>
            Show all
          </button>
        </div>
      )}
      {found?.count === 0 && !isFiltered && (
        <Empty commands={['svc snapshot']}>
          Nothing has been executed yet. Every command that uses a phone is listed here, such as:
        </Empty>
      )}
      {note !== undefined && <p class="note">{note}</p>}
      {found?.older && found.count === limit && limit < PAGE_MAX && (
        <button type="button" onClick={() => setLimit(Math.min(PAGE_MAX, limit * 2))}>
          Show more
        </button>
      )}
    </main>
  )
}

export const ExecutionsView = () => {
  const { id } = route.value
  return id === undefined ? <Executions /> : <TracePage section="executions" id={id} />
}
