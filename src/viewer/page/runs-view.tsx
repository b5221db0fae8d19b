/** Skill runs as a table, and the details of the one that was picked. */
import { useState } from 'preact/hooks'
import type { ViewedActor } from '../../contracts/viewer.ts'
import { OlderActors } from './actors-view.tsx'
import { dateTime, shortId } from './format.ts'
import { actors } from './live.ts'
import { Badge, Head, open } from './parts.tsx'
import { hrefOf, route } from './route.ts'
import { TracePage } from './trace-page.tsx'

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

const runsOf = (all: ReadonlyMap<string, ViewedActor>, text: string): readonly ViewedActor[] =>
  [...all.values()]
    .filter(({ machine }) => machine === 'skill-run')
    .filter(({ id, state, work }) => `${id} ${state} ${work.skillId} ${work.deviceId}`.includes(text))
    .sort((a, b) => (a.id < b.id ? 1 : -1))

const RunsTable = ({ runs }: { runs: readonly ViewedActor[] }) => (
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
)

const LATEST = 10

/** Beside the executions: what they may belong to. */
export const LatestRuns = () => {
  const runs = runsOf(actors.value, '')
  if (runs.length === 0) return null
  return (
    <section aria-label="Skill runs">
      <h2>
        Latest skill runs <a href={hrefOf('skill-runs')}>All {runs.length}</a>
      </h2>
      <RunsTable runs={runs.slice(0, LATEST)} />
    </section>
  )
}

const Runs = () => {
  const [text, setText] = useState('')
  const runs = runsOf(actors.value, text)
  return (
    <main class="page">
      <h1>Skill runs</h1>
      <form class="filters wide" onSubmit={event => event.preventDefault()}>
        <label>
          <span>Filter</span>
          <input
            value={text}
            placeholder="skill, device, state, id"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </form>
      <OlderActors />
      <RunsTable runs={runs} />
      {runs.length === 0 && <p class="empty muted">No skill run yet. Start one with svc skills run.</p>}
    </main>
  )
}

export const RunsView = () => {
  const { id } = route.value
  return id === undefined ? <Runs /> : <TracePage section="skill-runs" id={id} />
}
