/** One moment of an actor beside its chart: the event, the context after it, its body, and another moment to compare with. */
import { useEffect, useState } from 'preact/hooks'
import type { RecordBodyResponse } from '../../contracts/doors/viewer.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { hasChart } from '../../contracts/records/machines.ts'
import type { History } from './actors/history.ts'
import { encoded, useAnswer } from './api.ts'
import { clockTime, duration } from './format.ts'
import { JsonView } from './json-view.tsx'

export interface Difference {
  path: string
  before: unknown
  after: unknown
}

const leaves = (value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return into.set(path, value)
  for (const [key, member] of Object.entries(value)) leaves(member, `${path}/${key}`, into)
  return into
}

const isSame = (a: unknown, b: unknown) => Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b)

export const differences = (before: unknown, after: unknown): readonly Difference[] => {
  const left = leaves(before, '', new Map())
  const right = leaves(after, '', new Map())
  return [...new Set([...left.keys(), ...right.keys()])]
    .map(path => ({ path, before: left.get(path), after: right.get(path) }))
    .filter(({ before: was, after: is }) => !isSame(was, is))
}

type Tab = 'context' | 'event' | 'body' | 'compare'

const contextOf = (history: History, index: number): unknown => history.snapshotAt(index)?.context

/** Bodies stay on the server until somebody looks at one; a file has none. */
const Body = ({ actor, seq }: Pick<JournalRecord, 'actor' | 'seq'>) => {
  const { answer, problem } = useAnswer<RecordBodyResponse>(`/actors/${encoded(actor)}/records/${seq}/body`)
  if (problem) return <p class="problem">{problem.message}</p>
  return answer ? <JsonView value={answer.body} /> : <p class="muted">Reading…</p>
}

const Context = ({ history, index }: { history: History; index: number }) => {
  if (!hasChart(history)) return <JsonView value={history.records[index]?.event} />
  // The earlier one first: the later one is a step from there.
  const before = contextOf(history, index - 1)
  const context = contextOf(history, index)
  if (context === undefined) {
    const isComing = history.folded.value > 0 || history.records[0]?.n === 0
    return <p class="muted">{isComing ? 'Folding…' : 'Unknown: the records before this one are no longer kept.'}</p>
  }
  const changed = before === undefined ? undefined : new Set(differences(before, context).map(({ path }) => path))
  return <JsonView value={context} {...(changed ? { changed } : {})} />
}

const shownValue = (value: unknown) => (value === undefined ? '—' : JSON.stringify(value))

interface CompareProps {
  history: History
  index: number
  other: number | undefined
}

const Compare = ({ history, index, other }: CompareProps) => {
  const [was, is] = [other === undefined ? undefined : history.records[other], history.records[index]]
  if (!was || !is || other === undefined) {
    return <p class="muted">Press “Mark A” at one moment, then move to another.</p>
  }
  const found = differences(contextOf(history, other), contextOf(history, index))
  return (
    <div class="compare">
      <table>
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col">A · seq {was.seq}</th>
            <th scope="col">seq {is.seq}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">time</th>
            <td>{clockTime(was.at)}</td>
            <td>
              {clockTime(is.at)} ({is.at < was.at ? '−' : '+'}
              {duration(Math.abs(is.at - was.at))})
            </td>
          </tr>
          <tr class={was.to === is.to ? '' : 'differs'}>
            <th scope="row">state</th>
            <td>{was.to}</td>
            <td>{is.to}</td>
          </tr>
          <tr>
            <th scope="row">event</th>
            <td>{was.event.type}</td>
            <td>{is.event.type}</td>
          </tr>
          {found.map(({ path, before, after }) => (
            <tr key={path} class="differs">
              <th scope="row">{path === '' ? 'context' : path.slice(1).replaceAll('/', '.')}</th>
              <td>{shownValue(before)}</td>
              <td>{shownValue(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p class="muted">The contexts are equal.</p>}
    </div>
  )
}

export interface MomentProps extends CompareProps {
  /** A file has no server to ask for bodies. */
  hasBodies: boolean
}

export const Moment = ({ history, index, other, hasBodies }: MomentProps) => {
  const [tab, setTab] = useState<Tab>('context')
  const record = history.records[index]
  const tabs: readonly Tab[] = hasBodies ? ['context', 'event', 'body', 'compare'] : ['context', 'event', 'compare']
  useEffect(() => {
    if (other !== undefined) setTab('compare')
  }, [other])
  return (
    <section class="card moment" aria-label="Moment">
      <div class="tabs" role="tablist" aria-label="What to show of this moment">
        {tabs.map(name => (
          <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
            {name === 'body' ? 'Envelope' : name[0]?.toUpperCase() + name.slice(1)}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div class="moment-body" role="tabpanel" aria-label={tab} tabIndex={0}>
        {!record && <p class="muted">No record.</p>}
        {record && tab === 'context' && <Context history={history} index={index} />}
        {record && tab === 'event' && <JsonView value={record.event} />}
        {record && tab === 'body' && record.digest !== null && (
          <Body key={record.seq} actor={record.actor} seq={record.seq} />
        )}
        {record && tab === 'body' && record.digest === null && (
          <p class="muted">The journal keeps no body for this record.</p>
        )}
        {record && tab === 'compare' && <Compare history={history} index={index} other={other} />}
      </div>
    </section>
  )
}
