/** The script of the pages of GET /docs: the search, and the list of pages, which is folded up on a narrow screen. */
import { type Hit, type Section, search } from './docs-search.ts'

let sections: Promise<readonly Section[]> | undefined

const LOAD_MS = 15_000

const fetchSections = async (): Promise<readonly Section[]> => {
  const response = await fetch('/docs/search.json', { signal: AbortSignal.timeout(LOAD_MS) })
  if (!response.ok) throw new Error(`The search index cannot be read (status ${response.status}). Try again.`)
  return response.json() as Promise<readonly Section[]>
}

/** Loaded when it is first needed; after a failure it is loaded again. */
const loadSections = (): Promise<readonly Section[]> => {
  sections ??= fetchSections().catch(error => {
    sections = undefined
    throw error
  })
  return sections
}

const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const hitLink = ({ address, title, heading, excerpt }: Hit) =>
  element(
    'li',
    {},
    element(
      'a',
      { href: address },
      element('b', {}, heading),
      ...(heading === title ? [] : [element('small', {}, title)]),
      element('span', {}, excerpt),
    ),
  )

const addSearch = (place: HTMLElement) => {
  const input = element('input', { type: 'search', placeholder: 'Search (/)', autocomplete: 'off' })
  input.setAttribute('aria-label', 'Search the documentation')
  const results = element('ul', { className: 'results', hidden: true })
  const status = element('p', { className: 'results-status', hidden: true })
  status.setAttribute('role', 'status')
  place.append(input, status, results)

  const close = () => {
    results.hidden = true
    status.hidden = true
  }
  const show = async () => {
    const query = input.value.trim()
    if (query === '') return close()
    const hits = await loadSections().then(
      all => search(all, query),
      (error: Error) => error,
    )
    if (input.value.trim() !== query) return
    const isList = Array.isArray(hits)
    status.textContent = isList ? (hits.length === 0 ? `Nothing is found for "${query}".` : '') : hits.message
    status.hidden = status.textContent === ''
    results.replaceChildren(...(isList ? hits.map(hitLink) : []))
    results.hidden = !isList || hits.length === 0
  }

  const links = () => [...results.querySelectorAll('a')]
  const move = (by: number) => {
    const all = links()
    const at = all.indexOf(document.activeElement as HTMLAnchorElement)
    const next = at + by
    if (next < 0) input.focus()
    else all[Math.min(next, all.length - 1)]?.focus()
  }
  input.addEventListener('input', () => void show())
  input.addEventListener('focus', () => void show())
  place.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      close()
      input.blur()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && document.activeElement === input) links()[0]?.click()
  })
  results.addEventListener('click', close)
  document.addEventListener('pointerdown', event => {
    if (event.target instanceof Node && !place.contains(event.target)) close()
  })
  document.addEventListener('keydown', event => {
    const isShortcut = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isShortcut || document.activeElement instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
}

/** The list is open where there is no script: nothing else could open it on a wide screen. */
const foldPages = (pages: HTMLDetailsElement) => {
  const wide = matchMedia('(min-width: 56rem)')
  const follow = () => {
    pages.open = wide.matches
  }
  wide.addEventListener('change', follow)
  follow()
}

const place = document.getElementById('search')
if (place) addSearch(place)
const pages = document.querySelector<HTMLDetailsElement>('details.pages')
if (pages) foldPages(pages)
