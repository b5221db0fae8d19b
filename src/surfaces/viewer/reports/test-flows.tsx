/** The flows of a test run as a table, filtered by how they ended and by text. */
import { useState } from 'preact/hooks'
import { flowError, isFlaky, lastAttempt, outcomeOf, tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { TestFlow, TestRun } from '../../../contracts/flows/test-run.ts'
import { duration } from '../format.ts'
import { open } from '../parts.tsx'
import { FlowBadge } from './test-marks.tsx'

type Filter = 'all' | 'not passed' | 'flaky' | 'passed'

const FILTERS: Readonly<Record<Filter, (flow: TestFlow) => boolean>> = {
  all: () => true,
  'not passed': flow => !['passed', 'skipped'].includes(outcomeOf(flow)),
  flaky: isFlaky,
  passed: flow => outcomeOf(flow) === 'passed',
}

const FILTER_NAMES = Object.keys(FILTERS) as Filter[]

interface FlowRowProps {
  flow: TestFlow
  href: string
  unjudged: string
}

const FlowRow = ({ flow, href, unjudged }: FlowRowProps) => {
  const last = lastAttempt(flow)
  const error = flowError(flow)
  const deviceId = last?.deviceId ?? flow.deviceId
  return (
    <tr data-flow={flow.name} onClick={open(href)}>
      <td class="cell-outcome">
        <FlowBadge flow={flow} unjudged={unjudged} />
      </td>
      <td class="cell-what">
        <a href={href}>{flow.name}</a>
        {error && outcomeOf(flow) !== 'passed' && (
          <p class="test-why">
            <b class="mono">{error.code}</b> {error.message}
          </p>
        )}
        {flow.reason !== undefined && <p class="test-why muted">{flow.reason}</p>}
      </td>
      <td data-label="file" class="muted">
        {flow.flow}
      </td>
      <td data-label="on">{deviceId}</td>
      <td data-label="attempts" class="number">
        {flow.attempts.length > 1 ? flow.attempts.length : ''}
      </td>
      <td data-label="took" class="number">
        {last?.endedAt === undefined ? '' : duration(tookMs(last))}
      </td>
    </tr>
  )
}

const COLUMNS = [
  ['Verdict', undefined],
  ['Flow', undefined],
  ['File', undefined],
  ['Device', undefined],
  ['Attempts', 'number'],
  ['Took', 'number'],
] as const

export interface FlowTableProps {
  run: TestRun
  /** The place of a flow of the run, from 0. */
  hrefOf(flow: number): string
}

export const FlowTable = ({ run, hrefOf }: FlowTableProps) => {
  const [filter, setFilter] = useState<Filter>('all')
  const [text, setText] = useState('')
  const wanted = text.toLowerCase()
  const shownFlows = run.flows
    .map((flow, index) => ({ flow, index }))
    .filter(({ flow }) => FILTERS[filter](flow))
    .filter(({ flow }) => `${flow.name} ${flow.flow} ${flow.tags.join(' ')}`.toLowerCase().includes(wanted))
  return (
    <>
      <form class="filters wide" onSubmit={event => event.preventDefault()}>
        <fieldset class="buttons" aria-label="Which flows are shown">
          {FILTER_NAMES.map(name => (
            <button key={name} type="button" aria-pressed={filter === name} onClick={() => setFilter(name)}>
              {name} <span class="muted">{run.flows.filter(FILTERS[name]).length}</span>
            </button>
          ))}
        </fieldset>
        <label>
          <span>Filter</span>
          <input
            type="search"
            value={text}
            placeholder="name, file, tag"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </form>
      <div class="table-box">
        <table class="table stacked" aria-label="Flows">
          <thead>
            <tr>
              {COLUMNS.map(([name, kind]) => (
                <th key={name} scope="col" class={kind}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shownFlows.map(({ flow, index }) => (
              <FlowRow
                key={index}
                flow={flow}
                href={hrefOf(index)}
                unjudged={run.state === 'running' || run.state === 'planning' ? 'running' : 'interrupted'}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shownFlows.length === 0 && <p class="empty muted">No flow matches.</p>}
    </>
  )
}
