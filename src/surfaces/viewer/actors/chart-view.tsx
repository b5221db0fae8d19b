/** The statechart of one machine with its active states lit; what the contract says about any part on hover and focus. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { request } from '../api.ts'
import { batched, later, nextTask } from '../time.ts'
import { activeState, applyHighlight, chartElement, type Highlight } from './chart.ts'
import { openViewport, type View, type Viewport } from './chart-viewport.ts'

/** From a server each is read once; a file brings its own. */
const loaded = new Map<string, Promise<string>>()

export const provideChart = (machine: string, svg: string): void => void loaded.set(machine, Promise.resolve(svg))

const chartOf = (machine: string): Promise<string> => {
  const found = loaded.get(machine)
  if (found !== undefined) return found
  const chart = request(`/inspector/files/${encodeURIComponent(machine)}.svg`).then(response => {
    if (!response.ok) throw new Error(`The server has no statechart of ${machine}.`)
    return response.text()
  })
  loaded.set(machine, chart)
  chart.catch(() => loaded.delete(machine))
  return chart
}

const Explanation = ({ text }: { text: string }) => {
  if (text === '') return <p class="explain muted">Hover or focus a state or an arrow to read what it does and why.</p>
  return (
    <div class="explain">
      {text.split('\n\n').map(part => {
        const [first, ...rest] = part.split('\n')
        return (
          <p key={part}>
            <code>{first}</code>
            {rest.map(line => (
              <span key={line} class="why">
                {line}
              </span>
            ))}
          </p>
        )
      })}
    </div>
  )
}

/** A step of the buttons and keys. */
const ZOOM_STEP = 1.25

const KEYS: Readonly<Record<string, (viewport: Viewport) => void>> = {
  '+': viewport => viewport.zoomBy(ZOOM_STEP),
  // The same key without Shift.
  '=': viewport => viewport.zoomBy(ZOOM_STEP),
  '-': viewport => viewport.zoomBy(1 / ZOOM_STEP),
  '0': viewport => viewport.showWhole(),
}

const onKey = (event: KeyboardEvent, viewport: Viewport | undefined) => {
  const act = KEYS[event.key]
  // With Ctrl or Cmd the browser zooms the page.
  if (!act || !viewport || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  act(viewport)
}

interface ToolsProps {
  view: View
  viewport(): Viewport | undefined
}

const Tools = ({ view, viewport }: ToolsProps) => (
  <fieldset class="chart-tools" aria-label="Zoom and position">
    <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => viewport()?.zoomBy(1 / ZOOM_STEP)}>
      −
    </button>
    <output aria-label="Zoom">{Math.round(view.scale * 100)} %</output>
    <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => viewport()?.zoomBy(ZOOM_STEP)}>
      +
    </button>
    <button
      type="button"
      aria-pressed={view.isWhole}
      title="Show the whole chart (0)"
      onClick={() => viewport()?.showWhole()}
    >
      Fit
    </button>
    <button
      type="button"
      aria-pressed={view.isFollowing}
      title="Go to the active state and follow it"
      onClick={() => viewport()?.goToActive()}
    >
      Active state
    </button>
  </fieldset>
)

/** The active state, with the sentence that says what it is: told while nothing else is pointed at. */
const nameIn = (chart: SVGSVGElement, highlight: Highlight): string =>
  activeState(chart, highlight)?.getAttribute('aria-label') ?? ''

export const ChartView = ({ highlight }: { highlight: Highlight }) => {
  const { machine } = highlight
  const box = useRef<HTMLElement>(null)
  const chart = useRef<SVGSVGElement | undefined>(undefined)
  const viewport = useRef<Viewport | undefined>(undefined)
  const present = useRef(highlight)
  present.current = highlight
  const [view, setView] = useState<View | undefined>(undefined)
  const [explained, explain] = useState('')
  const [active, setActive] = useState('')
  const [problem, setProblem] = useState('')

  useEffect(() => {
    let isWanted = true
    explain('')
    setProblem('')
    const load = async () => {
      const made = chartElement(await chartOf(machine))
      await nextTask()
      if (!isWanted || !box.current) return
      applyHighlight(made, present.current)
      setActive(nameIn(made, present.current))
      box.current.replaceChildren(made)
      chart.current = made
      viewport.current = openViewport({
        box: box.current,
        chart: made,
        activeState: () => activeState(made, present.current),
        onChange: setView,
      })
    }
    load().catch((error: Error) => {
      if (isWanted) setProblem(error.message)
    })
    return () => {
      isWanted = false
      viewport.current?.close()
      viewport.current = undefined
      chart.current = undefined
      box.current?.replaceChildren()
      setView(undefined)
    }
  }, [machine])
  useEffect(() => {
    const element = box.current
    if (!element) return
    // In a task of its own: a size that changes while sizes are told is an error of the page.
    const soon = batched(0, () => viewport.current?.resize())
    const observer = new ResizeObserver(soon)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!chart.current) return
    applyHighlight(chart.current, present.current)
    setActive(nameIn(chart.current, present.current))
    // In a task of its own: where things are is known after a layout.
    later(0, () => viewport.current?.follow())
  }, [highlight.state, highlight.last?.event, highlight.last?.from, highlight.other])

  const onPoint = ({ target }: Event) => {
    const named = target instanceof Element ? target.closest('[aria-label]:not(svg)') : null
    const text = named?.closest('svg') ? (named.getAttribute('aria-label') ?? '') : ''
    if (text !== explained) explain(text)
  }
  return (
    <section
      class="card chart-card"
      aria-label={`Statechart of ${machine}`}
      onKeyDown={event => onKey(event, viewport.current)}
    >
      {view && <Tools view={view} viewport={() => viewport.current} />}
      <section
        class="chart-box"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus
        tabIndex={0}
        aria-label="Picture; arrow keys move it, + and - zoom, 0 shows it whole"
        onPointerOver={onPoint}
        onFocusIn={onPoint}
      />
      {problem !== '' && <p class="problem">{problem}</p>}
      <p class="chart-legend">The way of a success is green.</p>
      <Explanation text={explained === '' ? active : explained} />
    </section>
  )
}
