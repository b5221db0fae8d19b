/** The devices that are connected, and those that the journal knows. */
import { useEffect, useState } from 'preact/hooks'
import type { DevicesResponse } from '../../contracts/device.ts'
import { isBusy, workOf } from './actors-view.tsx'
import { get, problemIn } from './api.ts'
import { Badge } from './badge.tsx'
import { DEVICE } from './device-look.ts'
import { actors } from './live.ts'
import { hrefOf } from './route.ts'
import { useStore } from './store.ts'

export const DeviceList = ({ picked }: { picked: string | undefined }) => {
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
  const serials = [
    ...new Set([...listed.map(({ serial }) => serial), ...known.map(({ id }) => id.slice(DEVICE.length))]),
  ]
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
