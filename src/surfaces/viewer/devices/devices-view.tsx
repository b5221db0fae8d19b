/** Devices: the list, each as a card with its last known screen, and the one that was picked. */
import type { DevicesResponse } from '../../../contracts/device/device.ts'
import type { ViewedActor } from '../../../contracts/doors/viewer.ts'
import { type ApiProblem, useAnswer } from '../api.ts'
import { actors, connection, useExecutions } from '../live.ts'
import { Badge, Mark } from '../marks.tsx'
import { actorTone, DEVICE_PREFIX, isBusy, workOf } from '../names.ts'
import { LATEST, overviewOf } from '../overview-data.ts'
import { Empty, ReadProblem } from '../parts.tsx'
import { hrefOf, route } from '../route.ts'
import { useNow } from '../time.ts'
import { DeviceCard } from './device-card.tsx'
import { DeviceDetail } from './device-detail.tsx'

interface KnownDevice {
  serial: string
  actor: ViewedActor | undefined
  /** The device as it is connected now; undefined for one that is not. */
  state: string | undefined
}

const devicesOf = (
  all: ReadonlyMap<string, ViewedActor>,
  connected: DevicesResponse | undefined,
): readonly KnownDevice[] => {
  const states = new Map(connected?.devices.map(({ serial, state }) => [serial, state]))
  const used = [...all.values()]
    .filter(({ machine }) => machine === 'device')
    .map(({ id }) => id.slice(DEVICE_PREFIX.length))
  return [...new Set([...states.keys(), ...used])]
    .sort()
    .map(serial => ({ serial, actor: all.get(DEVICE_PREFIX + serial), state: states.get(serial) }))
}

const NO_DEVICE = 'No device is connected, and none was used before. Connect one, or simulate one without hardware:'

interface DeviceListProps {
  devices: readonly KnownDevice[]
  isRead: boolean
  problem: ApiProblem | undefined
  onRetry(): void
  picked: string | undefined
}

const DeviceList = ({ devices, isRead, problem, onRetry, picked }: DeviceListProps) => (
  <nav class="list" aria-label="Devices">
    {problem && <ReadProblem problem={problem} onRetry={onRetry} />}
    {devices.length === 0 && !problem && !isRead && <p class="empty muted">Looking for devices…</p>}
    {devices.length === 0 && isRead && <Empty commands={['svc simulate --adb']}>{NO_DEVICE}</Empty>}
    <ul class="plain">
      {devices.map(({ serial, actor, state }) => (
        <li key={serial}>
          <a
            class={`actor ${serial === picked ? 'picked' : ''}`}
            href={hrefOf('devices', serial)}
            data-device={serial}
            aria-current={serial === picked ? 'true' : undefined}
          >
            <Mark tone={actor ? actorTone(actor) : 'calm'} />
            <span class="actor-main">
              <span class="actor-name">{serial}</span>
            </span>
            <span class="actor-since">
              {(state !== undefined || isRead) && (
                <Badge
                  text={state === 'device' ? 'connected' : (state ?? 'not connected')}
                  tone={state === 'device' ? 'good' : state === undefined ? 'calm' : 'bad'}
                />
              )}
            </span>
            <span class="actor-state mono">{actor?.state ?? ''}</span>
            <span class="actor-work muted">{actor && isBusy(actor) ? workOf(actor) : ''}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const DeviceCards = ({ devices }: { devices: readonly KnownDevice[] }) => {
  const time = useNow()
  const { answer: latest } = useExecutions(`limit=${LATEST}`)
  const { lastOf, waiting } = overviewOf(actors.value, latest?.executions ?? [], [])
  return (
    <>
      <h1 class="heard">Devices</h1>
      <div class="cards">
        {devices.map(({ serial, actor, state }) => (
          <DeviceCard
            key={serial}
            serial={serial}
            actor={actor}
            last={lastOf.get(serial)}
            waiting={waiting.filter(({ deviceId }) => deviceId === serial).length}
            time={time}
            connection={state ?? 'not connected'}
          />
        ))}
      </div>
    </>
  )
}

const Unknown = ({ serial, devices }: { serial: string; devices: readonly KnownDevice[] }) => (
  <div class="empty">
    <h1>No device {serial}</h1>
    <p class="muted">
      No device with this id is connected, and none has ever executed anything here.{' '}
      {devices.length > 0 ? 'Pick one of the list.' : 'svc devices lists what is connected.'}
    </p>
  </div>
)

export const DevicesView = () => {
  const { id } = route.value
  const { answer, problem, retry } = useAnswer<DevicesResponse>('/devices')
  const devices = devicesOf(actors.value, answer)
  const isRead = answer !== undefined
  const isKnown = devices.some(({ serial }) => serial === id)
  // Nothing is said to be unknown before both lists are here.
  const isUnknown = !isKnown && isRead && connection.value === 'live'
  return (
    <div class={`split ${id === undefined ? 'at-list' : 'at-detail'}`}>
      <DeviceList devices={devices} isRead={isRead} problem={problem} onRetry={retry} picked={id} />
      <main>
        {id !== undefined && (
          <a class="back" href={hrefOf('devices')}>
            ‹ All devices
          </a>
        )}
        {id === undefined && <DeviceCards devices={devices} />}
        {id !== undefined && isUnknown && <Unknown serial={id} devices={devices} />}
        {id !== undefined && isKnown && <DeviceDetail key={id} serial={id} />}
        {id !== undefined && !isKnown && !isUnknown && <p class="empty muted">Looking for {id}…</p>}
      </main>
    </div>
  )
}
