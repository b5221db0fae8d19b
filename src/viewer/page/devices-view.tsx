/** Devices: what each was last seen to show, node by node, and a look at it while nobody else works with it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DevicesResponse } from '../../contracts/device.ts'
import type { DeviceScreenResponse } from '../../contracts/viewer.ts'
import { hasArea } from '../../operator/engine/bounds.ts'
import { walk } from '../../operator/engine/match.ts'
import type { UiNode, UiTree } from '../../operator/engine/ui-tree.ts'
import { isBusy, workOf } from './actors-view.tsx'
import { type ApiProblem, encoded, get, problemIn } from './api.ts'
import { Badge } from './badge.tsx'
import { age } from './format.ts'
import { actors, connection, onTransition } from './live.ts'
import { execute, NodePanel } from './node-panel.tsx'
import { hrefOf, route } from './route.ts'
import { Screen, treeOf } from './screen.tsx'
import { SnapshotTree } from './snapshot-tree.tsx'
import { useNow, useStore } from './store.ts'
import { later, now } from './time.ts'

const DEVICE = 'device:'
const OWN = 'inspector'

/** Whoever sends one command after another is not to find the device taken in between. */
const QUIET_MS = 2_000

/** Why nothing may be sent: somebody else has the device, or a skill is at work with it. */
const useRefusal = (serial: string): string | undefined =>
  useStore(actors, all => {
    const device = all.get(DEVICE + serial)
    if (device && isBusy(device)) return `Busy with ${workOf(device)}.`
    for (const actor of all.values()) {
      const isOfOthers = actor.work.deviceId !== undefined && actor.work.deviceId !== serial
      if (actor.machine === 'skill-run' && isBusy(actor) && !isOfOthers) return `A skill run is at work: ${workOf(actor)}.`
    }
    return undefined
  })

/** The innermost node at a point; of those that overlap, the one drawn last. */
const nodeAt = (tree: UiTree, x: number, y: number): UiNode | undefined => {
  let found: UiNode | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const { node } of walk(tree.roots)) {
    const { left, top, right, bottom } = node.bounds
    if (!hasArea(node.bounds) || x < left || x >= right || y < top || y >= bottom) continue
    const area = (right - left) * (bottom - top)
    if (area <= smallest) {
      found = node
      smallest = area
    }
  }
  return found
}

/** The screen as recorded, read again when an execution of the device has ended. */
const useScreen = (serial: string): DeviceScreenResponse => {
  const [screen, setScreen] = useState<DeviceScreenResponse>({ ok: true })
  useEffect(() => {
    const left = new AbortController()
    const read = () =>
      void get<DeviceScreenResponse>(`/inspector/devices/${encoded(serial)}`, left.signal).then(setScreen, () => {})
    const leave = onTransition(({ actor, to }) => actor === DEVICE + serial && to === 'idle' && read())
    const leaveConnection = connection.subscribe(() => connection.get() === 'live' && read())
    read()
    return () => {
      leave()
      leaveConnection()
      left.abort()
    }
  }, [serial])
  return screen
}

const CAPTURE = [
  { id: 'tree', type: 'snapshot' },
  { id: 'picture', type: 'take_screenshot' },
]

interface Capture {
  isBusy: boolean
  problem: ApiProblem | undefined
  capture(): Promise<void>
}

const useCapture = (serial: string): Capture => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  return {
    isBusy: busy,
    problem,
    async capture() {
      setBusy(true)
      try {
        await execute(serial, `${OWN}-look-${now()}`, CAPTURE)
        setProblem(undefined)
      } catch (error) {
        setProblem(problemIn(error))
      }
      setBusy(false)
    },
  }
}

/** While it is on, a look after each execution of others, once the device has been left alone for a moment. */
const useLive = (serial: string, isOn: boolean, refused: string | undefined, { capture }: Capture) => {
  const device = useStore(actors, all => all.get(DEVICE + serial))
  const isOurs = device?.work.commandId?.startsWith(`${OWN}-look-`) === true
  useEffect(() => {
    if (!isOn || refused !== undefined || isOurs) return undefined
    return later(QUIET_MS, () => void capture())
  }, [isOn, refused, isOurs, device?.seq])
}

const Picked = ({ serial }: { serial: string }) => {
  const { snapshot, picture } = useScreen(serial)
  const refused = useRefusal(serial)
  const looking = useCapture(serial)
  const [isLive, setLive] = useState(false)
  useLive(serial, isLive, refused, looking)
  const time = useNow()
  const tree = useMemo(() => treeOf(snapshot?.xml), [snapshot?.xml])
  const [hovered, hover] = useState<UiNode | undefined>(undefined)
  const [picked, pick] = useState<UiNode | undefined>(undefined)
  useEffect(() => {
    hover(undefined)
    pick(undefined)
  }, [tree])
  // A picture that is older than the tree shows another screen.
  const isFresh = picture !== undefined && (!snapshot || picture.at >= snapshot.at)
  const screen = { ...(isFresh ? { picture: picture.url } : {}) }
  const outlined = hovered ?? picked
  const seenAt = Math.max(snapshot?.at ?? 0, isFresh ? picture.at : 0)
  const isBlank = !tree && !isFresh
  return (
    <article class="detail device" aria-label={serial}>
      <header class="detail-head">
        <h1>{serial}</h1>
        <span class="muted grow">{seenAt > 0 ? `seen ${age(Math.max(0, time - seenAt))} ago` : ''}</span>
        <a href={hrefOf('actors', DEVICE + serial)}>Statechart</a>
        <label class="switch" title={`Looks ${QUIET_MS / 1_000} s after each execution, while nobody else has the device`}>
          <input type="checkbox" checked={isLive} onChange={({ currentTarget }) => setLive(currentTarget.checked)} />
          Live picture
        </label>
        <button type="button" disabled={looking.isBusy || refused !== undefined} onClick={() => void looking.capture()}>
          {looking.isBusy ? 'Looking…' : 'Look now'}
        </button>
      </header>
      {refused !== undefined && !looking.isBusy && (
        <p class="note">{refused} Nothing is sent to this device meanwhile.</p>
      )}
      {looking.problem && <p class="problem">{looking.problem.message}</p>}
      {isBlank && (
        <p class="empty muted">No screen of this device is recorded. “Look now” takes a snapshot and a screenshot.</p>
      )}
      <div class="device-stage">
        {!isBlank && (
          <section class="card device-picture" aria-label="Screen">
            <Screen
              screen={screen}
              tree={tree}
              label={`Screen of ${serial}`}
              outline={outlined?.bounds}
              {...(tree ? { onPoint: (x, y) => hover(nodeAt(tree, x, y)), onPick: () => hovered && pick(hovered) } : {})}
            />
            {!isFresh && tree && <p class="muted">Drawn from the snapshot: no screenshot is as new.</p>}
          </section>
        )}
        {tree && (
          <div class="side">
            <section class="card tree-card" aria-label="Snapshot">
              <SnapshotTree tree={tree} hovered={hovered} picked={picked} onHover={hover} onPick={pick} />
            </section>
            {outlined && (
              <NodePanel
                tree={tree}
                node={picked ?? outlined}
                serial={serial}
                refused={looking.isBusy ? 'The page is looking.' : refused}
                perform={actions => execute(serial, `${OWN}-try-${now()}`, [...actions, ...CAPTURE])}
              />
            )}
          </div>
        )}
      </div>
    </article>
  )
}

/** Those that are connected, and those that the journal knows. */
const List = ({ picked }: { picked: string | undefined }) => {
  const all = useStore(actors)
  const [listed, setListed] = useState<DevicesResponse['devices']>([])
  const [problem, setProblem] = useState<string | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    get<DevicesResponse>('/devices', left.signal).then(
      ({ devices }) => setListed(devices),
      error => !left.signal.aborted && setProblem(problemIn(error).message),
    )
    return () => left.abort()
  }, [])
  const known = [...all.values()].filter(({ machine }) => machine === 'device')
  const serials = [...new Set([...listed.map(({ serial }) => serial), ...known.map(({ id }) => id.slice(DEVICE.length))])]
  return (
    <nav class="list" aria-label="Devices">
      {problem !== undefined && <p class="problem">{problem}</p>}
      {serials.length === 0 && problem === undefined && <p class="empty muted">No device is connected.</p>}
      <ul class="plain">
        {serials.sort().map(serial => {
          const actor = all.get(DEVICE + serial)
          const state = listed.find(device => device.serial === serial)?.state
          return (
            <li key={serial}>
              <a
                class={`actor ${serial === picked ? 'picked' : ''}`}
                href={hrefOf('devices', serial)}
                data-device={serial}
                aria-current={serial === picked ? 'true' : undefined}
              >
                <span class={`dot ${actor && isBusy(actor) ? 'busy' : 'calm'}`} aria-hidden="true" />
                <span class="actor-main">
                  <span class="actor-name">{serial}</span>
                </span>
                <span class="actor-since">
                  <Badge text={state ?? 'not connected'} />
                </span>
                <span class="actor-state mono">{actor?.state ?? ''}</span>
                <span class="actor-work muted">{actor && isBusy(actor) ? workOf(actor) : ''}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

export const DevicesView = () => {
  const { id } = useStore(route)
  return (
    <div class={`split ${id === undefined ? 'at-list' : 'at-detail'}`}>
      <List picked={id} />
      <main>
        {id !== undefined && (
          <a class="back" href={hrefOf('devices')}>
            ‹ All devices
          </a>
        )}
        {id === undefined ? <p class="empty muted">Pick a device to see its screen.</p> : <Picked key={id} serial={id} />}
      </main>
    </div>
  )
}
