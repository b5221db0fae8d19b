/** Skill runs as a table, and the details of the one that was picked. */
import { useState } from 'preact/hooks'
import type { ViewedActor } from '../../../contracts/doors/viewer.ts'
import { OlderActors } from '../actors/actors-view.tsx'
import { dateTime, shortId, shortTime } from '../format.ts'
import { actors } from '../live.ts'
import { Badge } from '../marks.tsx'
import { actorTone, nameOf, RUN_PREFIX } from '../names.ts'
import { Empty, open } from '../parts.tsx'
import { hrefOf, route } from '../route.ts'
import { now } from '../time.ts'
import { TracePage } from '../traces/trace-page.tsx'

const RunRow = ({ actor }: { actor: ViewedActor }) => {
  const runId = actor.id.slice(RUN_PREFIX.length)
  const href = hrefOf('skill-runs', runId)
  const { deviceId } = actor.work
  return (
    <tr data-skill-run={runId} onClick={open(href)}>
      <td class="cell-outcome">
        <Badge text={actor.state} tone={actorTone(actor)} />
      </td>
      <td class="cell-what">
        <a href={href}>{nameOf(actor)}</a>
      </td>
      <td data-label="on">{deviceId !== undefined && <a href={hrefOf('devices', deviceId)}>{deviceId}</a>}</td>
      <td data-label="at" class="number muted" title={dateTime(actor.updatedAt)}>
        {shortTime(actor.updatedAt, now())}
      </td>
      <td data-label="run" class="mono muted" title={runId}>
        {shortId(runId)}
      </td>
    </tr>
  )
}

export const runsOf = (all: ReadonlyMap<string, ViewedActor>, text = ''): readonly ViewedActor[] =>
  [...all.values()]
    .filter(({ machine }) => machine === 'skill-run')
    .filter(({ id, state, work }) => `${id} ${state} ${work.skillId} ${work.deviceId}`.includes(text))
    .sort((a, b) => (a.id < b.id ? 1 : -1))

export const RunsTable = ({ runs }: { runs: readonly ViewedActor[] }) => (
  <div class="table-box">
    <table class="table stacked" aria-label="Skill runs">
      <thead>
        <tr>
          {['State', 'Skill', 'Device', 'Last event', 'Run'].map(name => (
            <th key={name} scope="col" class={name === 'Last event' ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map(actor => (
          <RunRow key={actor.id} actor={actor} />
        ))}
      </tbody>
    </table>
  </div>
)

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
      {runs.length > 0 && <RunsTable runs={runs} />}
      {runs.length === 0 && text !== '' && <p class="empty muted">No skill run matches “{text}”.</p>}
      {runs.length === 0 && text === '' && (
        <Empty commands={['svc skills list', 'svc skills run <skill>']}>No skill has been run yet. Run one:</Empty>
      )}
    </main>
  )
}

export const RunsView = () => {
  const { id } = route.value
  return id === undefined ? <Runs /> : <TracePage section="skill-runs" id={id} />
}
