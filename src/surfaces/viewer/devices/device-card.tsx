/** A device as a card: its last recorded screen, what it does now, and who waits for it. Nothing is sent to it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ExecutionSummary, ViewedActor } from '../../../contracts/doors/viewer.ts'
import { age } from '../format.ts'
import { actors } from '../live.ts'
import { Badge, Mark } from '../marks.tsx'
import { actorTone, executionTitle, holderOf, isBusy, reservationOf, standingOf, workOf } from '../names.ts'
import { hrefOf } from '../route.ts'
import { useScreen } from './device-capture.ts'
import { Screen, treeOf } from './screen.tsx'

/** True from the moment the element comes near the visible part of the page: cards below it ask for no screen. */
const useWasSeen = () => {
  const element = useRef<HTMLDivElement>(null)
  const [wasSeen, setSeen] = useState(false)
  useEffect(() => {
    if (wasSeen || !element.current) return undefined
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setSeen(true), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [wasSeen])
  return { element, wasSeen }
}

const LastScreen = ({ serial }: { serial: string }) => {
  const { snapshot, picture } = useScreen(serial)
  const tree = useMemo(() => treeOf(snapshot?.xml), [snapshot?.xml])
  const isFresh = picture !== undefined && (!snapshot || picture.at >= snapshot.at)
  if (!tree && !isFresh) return <p class="no-screen muted">No screen recorded</p>
  return (
    <Screen
      screen={isFresh ? { picture: picture.url } : {}}
      tree={tree}
      label={`Last recorded screen of ${serial}`}
      isSmall
    />
  )
}

export interface DeviceCardProps {
  serial: string
  /** Undefined for a device that has never executed anything. */
  actor: ViewedActor | undefined
  /** Its newest execution, as far as the page knows. */
  last?: ExecutionSummary | undefined
  waiting: number
  time: number
  /** The state in which it is connected; undefined where the page has asked nobody. */
  connection?: string | undefined
}

const Doing = ({ actor, last, time }: Pick<DeviceCardProps, 'actor' | 'last' | 'time'>) => {
  if (actor && isBusy(actor)) {
    return (
      <>
        <span class="card-doing">{workOf(actor) || actor.state}</span>
        <span class="muted">for {age(Math.max(0, time - actor.since))}</span>
      </>
    )
  }
  if (!last) return <span class="muted">nothing executed yet</span>
  const { tone, word } = standingOf(last)
  return (
    <>
      <span class="card-doing">{executionTitle(last)}</span>
      <span class={`tone-text ${tone}`}>
        <Mark tone={tone} /> {word}
      </span>{' '}
      <span class="muted">{age(Math.max(0, time - (last.settledAt ?? last.acceptedAt)))} ago</span>
    </>
  )
}

const Reserved = ({ reservation, time }: { reservation: ViewedActor; time: number }) => (
  <span class="muted" data-reserved-by={reservation.id}>
    reserved by {holderOf(reservation)} for {age(Math.max(0, time - reservation.since))}
  </span>
)

export const DeviceCard = ({ serial, actor, last, waiting, time, connection }: DeviceCardProps) => {
  const { element, wasSeen } = useWasSeen()
  const isAtWork = actor !== undefined && isBusy(actor)
  const tone = actor ? actorTone(actor) : 'calm'
  const reservation = reservationOf(actors.value, serial)
  const isAway = connection !== undefined && connection !== 'device'
  // A phone that is gone takes nothing, so only one that is connected is free.
  const unused = connection === undefined ? 'idle' : isAway ? undefined : 'free'
  const resting = reservation === undefined ? unused : 'reserved'
  const standing = isAtWork ? 'busy' : tone === 'calm' ? resting : (actor?.state ?? resting)
  return (
    <a class="card device-card" href={hrefOf('devices', serial)} data-device-card={serial}>
      <div class="card-screen" ref={element}>
        {wasSeen && <LastScreen serial={serial} />}
      </div>
      <div class="card-text">
        <span class="card-name">{serial}</span>
        <span class="card-badges">
          {standing !== undefined && <Badge text={standing} tone={tone} />}
          {isAway && <Badge text={connection} />}
          {waiting > 0 && <Badge text={`${waiting} waiting`} tone="wait" />}
        </span>
        <Doing actor={actor} last={last} time={time} />
        {reservation && <Reserved reservation={reservation} time={time} />}
      </div>
    </a>
  )
}
