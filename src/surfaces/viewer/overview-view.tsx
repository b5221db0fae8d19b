/** The overview: what runs and waits now, what is in doubt, every phone with its last screen, and what failed lately. */
import type { ExecutionSummary, ViewedActor } from '../../contracts/doors/viewer.ts'
import { OlderActors } from './actors/actors-view.tsx'
import { DeviceCard } from './devices/device-card.tsx'
import { age, duration } from './format.ts'
import { actors, connection, useExecutions } from './live.ts'
import { Badge, Mark } from './marks.tsx'
import { actorTone, executionTitle, nameOf, RUN_PREFIX, standingOf, type Tone, workOf } from './names.ts'
import { LATEST, noFailures, type Overview, overviewOf, serialOf } from './overview-data.ts'
import { CopyButton, Empty, ReadProblem, WaitingLine } from './parts.tsx'
import { executionsHref, hrefOf } from './route.ts'
import { useNow } from './time.ts'

const DOUBTS_READ = 20
const RUNS_SHOWN = 6

const Tile = ({ tone, count, name, href }: { tone: Tone; count: number; name: string; href: string }) => (
  <li>
    <a class={`card tile ${count > 0 ? tone : 'none'}`} href={href}>
      <Mark tone={tone} />
      <b class="tile-count">{count}</b>
      <span>{name}</span>
    </a>
  </li>
)

const linkOf = ({ machine, id, work }: ViewedActor): string => {
  if (machine === 'device' && work.executionId !== undefined) return hrefOf('executions', work.executionId)
  return machine === 'skill-run' ? hrefOf('skill-runs', id.slice(RUN_PREFIX.length)) : hrefOf('actors', id)
}

const KINDS: Readonly<Record<string, string>> = {
  'skill-run': 'skill',
  emulator: 'emulator',
  provision: 'new emulator',
  recording: 'recording',
  session: 'session',
}

const titleOfWork = (actor: ViewedActor): string =>
  actor.machine === 'device' ? workOf(actor) || actor.state : nameOf(actor)

const placeOfWork = (actor: ViewedActor): string =>
  actor.machine === 'device'
    ? serialOf(actor)
    : [KINDS[actor.machine], actor.work.deviceId].filter(Boolean).join(' on ')

const AtWork = ({ actor, time }: { actor: ViewedActor; time: number }) => (
  <li>
    <a class="line" href={linkOf(actor)}>
      <Mark tone="busy" alone />
      <span class="line-main">{titleOfWork(actor)}</span>
      <span class="line-time">{duration(Math.max(0, time - actor.since))}</span>
      <span class="line-more muted">
        {placeOfWork(actor)} · {actor.state}
      </span>
    </a>
  </li>
)

const Now = ({ overview: { atWork, waiting }, time }: { overview: Overview; time: number }) => {
  const places = new Map<string, number>()
  return (
    <section class="card panel" aria-labelledby="overview-now">
      <h2 id="overview-now">Now</h2>
      {atWork.length + waiting.length === 0 && <p class="muted panel-empty">Nothing runs, and nobody waits.</p>}
      <ul class="lines">
        {atWork.map(actor => (
          <AtWork key={actor.id} actor={actor} time={time} />
        ))}
        {waiting.map(execution => {
          const place = (places.get(execution.deviceId) ?? 0) + 1
          places.set(execution.deviceId, place)
          return <WaitingLine key={execution.executionId} execution={execution} place={place} time={time} />
        })}
      </ul>
    </section>
  )
}

const Doubts = ({ doubts, time }: { doubts: readonly ExecutionSummary[]; time: number }) =>
  doubts.length === 0 ? null : (
    <section class="card panel doubts" aria-labelledby="overview-doubts">
      <h2 id="overview-doubts">In doubt</h2>
      <p class="muted">Sent to the phone, and no answer came back: look at the screen before you repeat anything.</p>
      <ul class="lines">
        {doubts.map(execution => (
          <li key={execution.executionId} class="with-action">
            <a class="line" href={hrefOf('executions', execution.executionId)}>
              <Mark tone="doubt" alone />
              <span class="line-main">{executionTitle(execution)}</span>
              <span class="line-time">{age(Math.max(0, time - execution.acceptedAt))} ago</span>
              <span class="line-more muted">
                {execution.deviceId} · {standingOf(execution).word}
              </span>
            </a>
            <CopyButton
              name="Copy command"
              text={`svc executions resume ${execution.executionId}`}
              title="Copies the command that says which steps are in doubt"
            />
          </li>
        ))}
      </ul>
    </section>
  )

const Phones = ({ overview, time }: { overview: Overview; time: number }) => (
  <section aria-labelledby="overview-phones">
    <h2 id="overview-phones">
      Phones <a href={hrefOf('devices')}>All connected</a>
    </h2>
    <div class="cards">
      {overview.devices.map(actor => {
        const serial = serialOf(actor)
        const waiting = overview.waiting.filter(({ deviceId }) => deviceId === serial).length
        return (
          <DeviceCard
            key={actor.id}
            serial={serial}
            actor={actor}
            last={overview.lastOf.get(serial)}
            waiting={waiting}
            time={time}
          />
        )
      })}
    </div>
  </section>
)

const Failures = ({
  failures,
  count,
  time,
}: {
  failures: readonly ExecutionSummary[]
  count: number
  time: number
}) => (
  <section class="card panel" aria-labelledby="overview-failures">
    <h2 id="overview-failures">Latest failures</h2>
    {failures.length === 0 && <p class="muted panel-empty">{noFailures(count)}</p>}
    <ul class="lines">
      {failures.map(execution => (
        <li key={execution.executionId}>
          <a class="line" href={hrefOf('executions', execution.executionId)}>
            <Mark tone="bad" alone />
            <span class="line-main">{executionTitle(execution)}</span>
            <span class="line-time">{age(Math.max(0, time - execution.acceptedAt))} ago</span>
            <span class="line-more muted">
              <b class="mono">{execution.code}</b> on {execution.deviceId}
            </span>
          </a>
        </li>
      ))}
    </ul>
  </section>
)

const ActorLines = ({ name, items, more }: { name: string; items: readonly ViewedActor[]; more: string }) => (
  <section class="card panel" aria-label={name}>
    <h2>
      {name} <a href={more}>All</a>
    </h2>
    <ul class="lines">
      {items.map(actor => (
        <li key={actor.id}>
          <a class="line" href={linkOf(actor)}>
            <Mark tone={actorTone(actor)} alone />
            <span class="line-main">{nameOf(actor)}</span>
            <span class="line-time">
              <Badge text={actor.state} tone={actorTone(actor)} />
            </span>
            <span class="line-more muted">{actor.work.deviceId ?? workOf(actor)}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
)

const Welcome = () => (
  <Empty commands={['svc devices', 'svc snapshot', 'svc simulate']}>
    Nothing has used a phone yet. List the phones, take a snapshot of one, or simulate one without hardware:
  </Empty>
)

/** An end of an execution may have left a doubt; a request may have resolved one. */
const mayChangeDoubts = (event: string) => /interrupted|passed|cancelled|requested|failed/.test(event)

export const OverviewView = () => {
  const time = useNow()
  const latest = useExecutions(`limit=${LATEST}`)
  const interrupted = useExecutions(`state=interrupted&limit=${DOUBTS_READ}`, mayChangeDoubts)
  const overview = overviewOf(actors.value, latest.answer?.executions ?? [], interrupted.answer?.executions ?? [])
  const { atWork, waiting, doubts, failedCount, failures, runs, emulators, devices } = overview
  const isRead = latest.answer !== undefined && connection.value !== 'connecting'
  const isEmpty = isRead && actors.value.size === 0 && latest.answer?.count === 0
  return (
    <main class="page overview">
      <h1 class="heard">Overview</h1>
      {latest.problem && <ReadProblem problem={latest.problem} onRetry={latest.retry} />}
      {!isRead && !latest.problem && <p class="empty muted">Reading what runs…</p>}
      {isEmpty && <Welcome />}
      {isRead && !isEmpty && (
        <>
          <ul class="tiles" aria-label="Counts">
            <Tile tone="busy" count={atWork.length} name="at work" href={hrefOf('actors')} />
            <Tile tone="wait" count={waiting.length} name="waiting" href={executionsHref({ state: 'waiting' })} />
            <Tile tone="doubt" count={doubts.length} name="in doubt" href={executionsHref({ state: 'interrupted' })} />
            <Tile
              tone="bad"
              count={failedCount}
              name={`failed of the latest ${latest.answer?.count ?? 0}`}
              href={hrefOf('executions')}
            />
          </ul>
          <OlderActors />
          <div class="overview-grid">
            <div class="panels phones">
              {devices.length > 0 && <Phones overview={overview} time={time} />}
              <Failures failures={failures} count={overview.latestCount} time={time} />
            </div>
            <div class="panels urgent">
              <Doubts doubts={doubts} time={time} />
              <Now overview={overview} time={time} />
              {runs.length > 0 && (
                <ActorLines name="Skill runs" items={runs.slice(0, RUNS_SHOWN)} more={hrefOf('skill-runs')} />
              )}
              {emulators.length > 0 && <ActorLines name="Emulators" items={emulators} more={hrefOf('actors')} />}
            </div>
          </div>
        </>
      )}
    </main>
  )
}
