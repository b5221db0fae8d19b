/** Actors: the live list, and the one that was picked with its chart and its timeline. */
import { computed, useComputed } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ViewedActor } from '../../../contracts/doors/viewer.ts'
import { VIEWER_ACTORS_MAX } from '../../../contracts/limits/limits.ts'
import { DeviceRecording } from '../devices/video.tsx'
import { age } from '../format.ts'
import { actors, areOlder, connection, onTransition, transitions } from '../live.ts'
import { Badge, Mark } from '../marks.tsx'
import { actorTone, DEVICE_PREFIX, nameOf, RECORDING_PREFIX, RUN_PREFIX, type Tone, workOf } from '../names.ts'
import { CopyableId } from '../parts.tsx'
import { hrefOf, replaceRoute, route } from '../route.ts'
import { Rows } from '../rows.tsx'
import { useNow } from '../time.ts'
import { Timeline } from '../traces/timeline.tsx'
import type { Highlight } from './chart.ts'
import { type LiveHistory, openHistory } from './history.ts'

const ROW = 58
const ORDER = [
  'device',
  'session',
  'reservation',
  'skill-run',
  'emulator',
  'provision',
  'recording',
  'daemon',
  'dispatch',
]

const NEWEST_FIRST = ['session', 'reservation', 'skill-run', 'dispatch']

const rank = ({ machine }: ViewedActor) => (ORDER.includes(machine) ? ORDER.indexOf(machine) : ORDER.length)

/** Devices stay where they are; of what comes and goes the newest is first. */
const ordered = (all: Iterable<ViewedActor>): readonly ViewedActor[] =>
  [...all].sort((a, b) => {
    if (a.machine !== b.machine) return rank(a) - rank(b)
    if (NEWEST_FIRST.includes(a.machine)) return b.id < a.id ? -1 : 1
    return a.id < b.id ? -1 : 1
  })

interface ActorRowProps {
  actor: ViewedActor
  isPicked: boolean
  ageText: string
}

/** The same row is not drawn again: there may be hundreds, and one of them moves. */
const ActorRow = ({ actor, isPicked, ageText }: ActorRowProps) =>
  useMemo(() => <ActorLink actor={actor} isPicked={isPicked} ageText={ageText} />, [actor, isPicked, ageText])

const ActorLink = ({ actor, isPicked, ageText }: ActorRowProps) => (
  <a
    class={`actor ${isPicked ? 'picked' : ''}`}
    href={hrefOf('actors', actor.id)}
    data-actor={actor.id}
    aria-current={isPicked ? 'true' : undefined}
  >
    <Mark tone={actorTone(actor)} />
    <span class="actor-main">
      <span class="actor-name" title={actor.id}>
        {nameOf(actor)}
      </span>
      <span class="chip">{actor.machine}</span>
    </span>
    <span class="actor-since muted" title={`in this state since ${SINCE.format(actor.since)}`}>
      {ageText}
    </span>
    <span class="actor-state mono">{actor.state}</span>
    <span class="actor-work muted">{workOf(actor)}</span>
  </a>
)

/** Built once: making one costs more than all the rest of a row. */
const SINCE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Notes that the list of actors ends although the journal goes on. */
export const OlderActors = () =>
  areOlder.value ? (
    <p class="note">
      Only the {VIEWER_ACTORS_MAX} actors that moved last are listed. The executions of older ones are under{' '}
      <a href={hrefOf('executions')}>Executions</a>; svc journal export --to &lt;file&gt; writes every record.
    </p>
  ) : null

const List = ({ picked }: { picked: string | undefined }) => {
  const all = actors.value
  const time = useNow()
  const [machine, setMachine] = useState('')
  const [text, setText] = useState('')
  const machines = [...new Set([...all.values()].map(actor => actor.machine))].sort()
  const wanted = text.toLowerCase()
  const shownActors = ordered(all.values()).filter(
    actor =>
      (machine === '' || actor.machine === machine) &&
      (wanted === '' || `${actor.id} ${nameOf(actor)} ${actor.state} ${workOf(actor)}`.toLowerCase().includes(wanted)),
  )
  return (
    <nav class="list" aria-label="Actors">
      <div class="filters">
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter actors"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select aria-label="Machine" value={machine} onChange={({ currentTarget }) => setMachine(currentTarget.value)}>
          <option value="">all machines</option>
          {machines.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {shownActors.length === 0 && (
        <p class="empty muted">
          {all.size === 0 ? 'No actors yet. Run a command, such as svc snapshot.' : 'No actor matches.'}
        </p>
      )}
      <OlderActors />
      <Rows label="Actors" count={shownActors.length} height={ROW} class="actor-rows">
        {index => {
          const actor = shownActors[index]
          return (
            actor && (
              <li key={actor.id}>
                <ActorRow actor={actor} isPicked={actor.id === picked} ageText={age(Math.max(0, time - actor.since))} />
              </li>
            )
          )
        }}
      </Rows>
    </nav>
  )
}

/** The history of the picked actor, read again with each of its transitions and with each new connection. */
const useHistory = (id: string, machine: string): LiveHistory => {
  const history = useMemo(() => openHistory(id, machine), [id, machine])
  useEffect(() => {
    const leave = onTransition(moved => {
      if (!moved || moved.actor === id) history.refresh()
    })
    return () => {
      leave()
      history.close()
    }
  }, [history])
  return history
}

const ActorDetail = ({ actor, seq }: { actor: ViewedActor; seq: number | undefined }) => {
  const history = useHistory(actor.id, actor.machine)
  const last = useComputed(() => transitions.value.get(actor.id)).value
  const newest = history.records[history.size.value - 1]
  const moved = last && last.seq >= (newest?.seq ?? 0) ? { event: last.event, from: last.from } : undefined
  const now: Highlight = {
    machine: actor.machine,
    state: actor.state,
    last: moved ?? (newest && { event: newest.event.type, from: newest.from }),
  }
  const { executionId } = actor.work
  return (
    <article class="detail" aria-label={actor.id}>
      <header class="detail-head">
        <h1>{nameOf(actor)}</h1>
        <span class="chip">{actor.machine}</span>
        <Badge text={actor.state} tone={actorTone(actor)} />
        <span class="muted grow">{workOf(actor)}</span>
        {actor.machine === 'device' && <a href={hrefOf('devices', actor.id.slice(DEVICE_PREFIX.length))}>Screen</a>}
        {actor.machine === 'device' && executionId && <a href={hrefOf('executions', executionId)}>Execution</a>}
        {actor.machine === 'skill-run' && <a href={hrefOf('skill-runs', actor.id.slice(RUN_PREFIX.length))}>Run</a>}
        <CopyableId id={actor.id} />
      </header>
      {actor.machine === 'recording' && (
        <DeviceRecording key={actor.id} serial={actor.id.slice(RECORDING_PREFIX.length)} actor={actor.id} />
      )}
      <Timeline
        key={actor.id}
        history={history}
        seq={seq}
        onSeek={to => replaceRoute('actors', actor.id, { seq: to })}
        now={now}
        hasBodies={true}
        link={to => hrefOf('actors', actor.id, { seq: to })}
      />
    </article>
  )
}

const MARKS: readonly (readonly [Tone, string])[] = [
  ['busy', 'at work'],
  ['good', 'ended well, or serving'],
  ['calm', 'at rest'],
  ['doubt', 'in doubt: nobody knows what became of it'],
  ['bad', 'failed'],
]

const Guide = () => (
  <section class="guide" aria-label="About actors">
    <h1>Actors</h1>
    <p>
      Each phone, session, skill run, emulator and daemon is a state machine, and every step it takes is recorded. Pick
      one to see its statechart, where it is now, and every moment before.
    </p>
    <ul class="guide-marks">
      {MARKS.map(([tone, meaning]) => (
        <li key={tone}>
          <Mark tone={tone} /> {meaning}
        </li>
      ))}
    </ul>
  </section>
)

const pickedActor = computed(() => actors.value.get(route.value.id ?? ''))

export const ActorsView = () => {
  const { id, seq } = route.value
  const actor = pickedActor.value
  const isListed = connection.value === 'live'
  return (
    <div class={`split ${id === undefined ? 'at-list' : 'at-detail'}`}>
      <List picked={id} />
      <main>
        {id !== undefined && (
          <a class="back" href={hrefOf('actors')}>
            ‹ All actors
          </a>
        )}
        {actor && <ActorDetail key={actor.id} actor={actor} seq={seq} />}
        {!actor && id !== undefined && isListed && (
          <p class="empty">
            No actor has the id {id}, or it moved too long ago to be listed. <a href={hrefOf('actors')}>All actors</a>
          </p>
        )}
        {!actor && id !== undefined && !isListed && <p class="empty muted">Reading the actors…</p>}
        {id === undefined && <Guide />}
      </main>
    </div>
  )
}
