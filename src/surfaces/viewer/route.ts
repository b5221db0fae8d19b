/** Reads the page's route from the hash of its address, and writes it there. */
import { signal } from '@preact/signals'

export type Section = 'overview' | 'executions' | 'skill-runs' | 'test-runs' | 'devices' | 'actors'

const SECTIONS: readonly Section[] = ['overview', 'executions', 'skill-runs', 'test-runs', 'devices', 'actors']

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parts of an address that filter the list of executions. */
const FILTERS = ['deviceId', 'code', 'operatorPackage', 'skillRunId', 'state'] as const

export const readRoute = (hash: string) => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [name = '', ...rest] = path.split('/')
  const section = SECTIONS.find(one => one === name) ?? 'overview'
  const id = rest.join('/')
  const search = new URLSearchParams(query)
  const numberIn = (name: string): number | undefined => {
    const value = search.get(name)
    return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined
  }
  return {
    section,
    id: id === '' ? undefined : decoded(id),
    /** The moment that the link leads to. */
    seq: numberIn('seq'),
    /** The step of a trace that the link leads to, from 1. */
    step: numberIn('step'),
    /** The flow of a test run, and its attempt, from 1. */
    flow: numberIn('flow'),
    attempt: numberIn('attempt'),
    /** The filter of a list. */
    filters: Object.fromEntries(FILTERS.flatMap(name => (search.get(name) ? [[name, search.get(name) ?? '']] : []))),
  }
}

export type Route = ReturnType<typeof readRoute>

/** The part of a page that a link leads to. */
export interface Place {
  seq?: number | undefined
  step?: number | undefined
  flow?: number | undefined
  attempt?: number | undefined
}

const PLACES = ['seq', 'step', 'flow', 'attempt'] as const

const queryOf = (place: Place): string =>
  PLACES.flatMap(name => (place[name] === undefined ? [] : [`${name}=${place[name]}`])).join('&')

export const hrefOf = (section: Section, id?: string, place: Place = {}): string => {
  const query = queryOf(place)
  return `#/${section}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`
}

export const route = signal<Route>(readRoute(location.hash))

addEventListener('hashchange', () => {
  route.value = readRoute(location.hash)
})

export const executionsHref = (filters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return `#/executions${query === '' ? '' : `?${query}`}`
}

/** Changes the address without a new entry in the history of the browser. */
export const replaceRoute = (section: Section, id: string, { seq, step }: Place): void => {
  history.replaceState(null, '', hrefOf(section, id, { seq, step }))
  route.value = readRoute(location.hash)
}

export const replaceFilters = (filters: Readonly<Record<string, string>>): void => {
  history.replaceState(null, '', executionsHref(filters))
  route.value = readRoute(location.hash)
}
