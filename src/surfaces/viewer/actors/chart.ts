/** A statechart on the page: its picture, the states that are lit in it, and the arrow that was taken last. */
import { cssClass } from '../../../../statecharts/css-class.ts'

export interface Highlight {
  machine: string
  /** Dotted, as in a record. */
  state: string
  /** The transition that led to the state. */
  last?: { event: string; from: string } | undefined
  /** The state of another moment to compare with. */
  other?: string | undefined
}

/** A state and everything around it, the innermost first. */
export const enclosingStates = (path: string): readonly string[] => {
  const names = path === '' ? [] : path.split('.')
  return names.map((_, index) => names.slice(0, names.length - index).join('.'))
}

/** Turns the hover title from the generator into the name of the element: every reader and every key can get to it. */
const nameOf = (group: Element): string => {
  const title = [...group.children].find(child => child.localName === 'title')
  title?.remove()
  return title?.textContent ?? ''
}

/** The picture of our own generator as elements of this page. */
export const chartElement = (svg: string): SVGSVGElement => {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const chart = document.importNode(parsed, true) as unknown as SVGSVGElement
  chart.setAttribute('role', 'group')
  for (const group of chart.querySelectorAll('g.state, g.arrow, g.edge')) {
    const name = nameOf(group)
    if (name === '') continue
    group.setAttribute('aria-label', name)
    // The rows on an arrow say again what the arrow says.
    const isPart = group.classList.contains('edge') && group.parentElement?.closest('g.arrow')
    if (isPart) continue
    group.setAttribute('role', 'img')
    group.setAttribute('tabindex', '0')
  }
  return chart
}

const TO = '-to-'

interface Move {
  from: string
  to: string
}

/** Keeps those edges of one source for one event that lead where the record says, or stay where it stayed. */
const leadingTo = (found: readonly Element[], edge: string, machine: string, { from, to }: Move) => {
  const ends = ['', ...enclosingStates(to)].map(path =>
    cssClass(machine, path).slice('state-'.length + machine.length + 1),
  )
  const wanted = new Set(ends.map(end => `${edge}${TO}${end}`))
  const exact = found.filter(element => [...element.classList].some(name => wanted.has(name)))
  if (exact.length > 0 || from !== to) return exact
  return found.filter(element => ![...element.classList].some(name => name.startsWith(edge + TO)))
}

/** The innermost state that has an edge for the event has taken it; those of the root are tried last. */
export const takenEdges = (chart: Element, { machine, state, last }: Highlight): readonly Element[] => {
  if (!last) return []
  for (const source of [...enclosingStates(last.from), '']) {
    const edge = cssClass(machine, source, last.event)
    const found = [...chart.getElementsByClassName(edge)]
    const taken = leadingTo(found, edge, machine, { from: last.from, to: state })
    if (taken.length > 0) return taken
  }
  return []
}

const stateAt = (chart: Element, path: string) => chart.querySelector(`[data-state="${CSS.escape(path)}"]`) ?? undefined

/** The innermost active state that the picture has. */
export const activeState = (chart: Element, { state }: Highlight): Element | undefined =>
  enclosingStates(state)
    .map(path => stateAt(chart, path))
    .find(element => element !== undefined)

export const applyHighlight = (chart: Element, highlight: Highlight): void => {
  for (const element of chart.querySelectorAll('.active')) {
    element.classList.remove('active')
    element.removeAttribute('data-active')
    element.removeAttribute('data-last')
  }
  for (const element of chart.querySelectorAll('.compared')) element.classList.remove('compared')
  for (const path of enclosingStates(highlight.state)) {
    const element = stateAt(chart, path)
    element?.classList.add('active')
    element?.setAttribute('data-active', '')
  }
  const [other] = highlight.other === undefined ? [] : enclosingStates(highlight.other)
  if (other !== undefined) stateAt(chart, other)?.classList.add('compared')
  for (const element of takenEdges(chart, highlight)) {
    element.classList.add('active')
    element.setAttribute('data-last', '')
  }
}
