/** Reads the page's route from the hash of its address, and writes it there. */
import { signal } from '@preact/signals'

export type Section = 'actors' | 'executions' | 'skill-runs' | 'devices'

const SECTIONS: readonly Section[] = ['actors', 'executions', 'skill-runs', 'devices']

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const readRoute = (hash: string) => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [name = '', ...rest] = path.split('/')
  const section = SECTIONS.find(one => one === name) ?? 'actors'
  const id = rest.join('/')
  const seq = new URLSearchParams(query).get('seq')
  return {
    section,
    id: id === '' ? undefined : decoded(id),
    /** The moment that the link leads to. */
    seq: seq !== null && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined,
  }
}

export type Route = ReturnType<typeof readRoute>

export const hrefOf = (section: Section, id?: string, seq?: number): string =>
  `#/${section}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${seq === undefined ? '' : `?seq=${seq}`}`

export const route = signal<Route>(readRoute(location.hash))

addEventListener('hashchange', () => {
  route.value = readRoute(location.hash)
})

/** Changes the address without a new entry in the history of the browser. */
export const replaceRoute = (section: Section, id: string, seq: number | undefined): void => {
  history.replaceState(null, '', hrefOf(section, id, seq))
  route.value = { section, id, seq }
}
