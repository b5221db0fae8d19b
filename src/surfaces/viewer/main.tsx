/** The viewer's page: its head, its sections, and the question for the token where the server needs one. */
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { ActorsView } from './actors/actors-view.tsx'
import { locked } from './api.ts'
import { DevicesView } from './devices/devices-view.tsx'
import { ExecutionsView } from './executions/executions-view.tsx'
import { RunsView } from './executions/runs-view.tsx'
import { count } from './format.ts'
import { connection, head, stayConnected } from './live.ts'
import { OverviewView } from './overview-view.tsx'
import { TokenForm } from './parts.tsx'
import { TestRunsView } from './reports/test-runs-view.tsx'
import { hrefOf, route, type Section } from './route.ts'

const SECTIONS: readonly (readonly [Section, string])[] = [
  ['overview', 'Overview'],
  ['executions', 'Executions'],
  ['skill-runs', 'Skill runs'],
  ['test-runs', 'Test runs'],
  ['devices', 'Devices'],
  ['actors', 'Actors'],
]

const SAID = { connecting: 'connecting', live: 'live', waiting: 'reconnecting' } as const

const Head = () => {
  const { section } = route.value
  const state = connection.value
  return (
    <header class="top">
      <a class="brand" href="#/overview">
        svc <span>inspector</span>
      </a>
      <nav aria-label="Sections">
        {SECTIONS.map(([name, label]) => (
          <a key={name} href={hrefOf(name)} aria-current={name === section ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <span class={`connection ${state}`} role="status">
        <span class="dot" aria-hidden="true" />
        {SAID[state]}
        <span class="mono muted seq" title="the newest record">
          seq {count(head.value)}
        </span>
      </span>
    </header>
  )
}

const VIEWS = {
  overview: OverviewView,
  executions: ExecutionsView,
  'skill-runs': RunsView,
  'test-runs': TestRunsView,
  devices: DevicesView,
  actors: ActorsView,
}

const Page = () => {
  const { section, id, seq } = route.value
  const newest = head.value
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.seq = String(section === 'actors' && id !== undefined && seq !== undefined ? seq : newest)
  }, [section, id, seq, newest])
  useEffect(() => {
    const [, label] = SECTIONS.find(([name]) => name === section) ?? []
    document.title = `${id ?? label} · svc inspector`
  }, [section, id])
  const View = VIEWS[section]
  return (
    <>
      <Head />
      {locked.value ? <TokenForm /> : <View />}
    </>
  )
}

const root = document.getElementById('root')
if (root) {
  root.replaceChildren()
  render(<Page />, root)
  void stayConnected(new AbortController().signal)
}
