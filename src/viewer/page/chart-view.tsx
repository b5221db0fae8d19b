/** The statechart of one machine with its active states lit; what the contract says about any part on hover and focus. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { request } from './api.ts'
import { applyHighlight, chartElement, type Highlight, scaleToFit, showActive } from './chart.ts'
import { batched, later, nextTask } from './time.ts'

/** From a server each is read once; a file brings its own. */
const loaded = new Map<string, Promise<string>>()

export const provideChart = (machine: string, svg: string): void => void loaded.set(machine, Promise.resolve(svg))

const chartOf = (machine: string): Promise<string> => {
  const found = loaded.get(machine)
  if (found !== undefined) return found
  const asked = request(`/inspector/files/${encodeURIComponent(machine)}.svg`).then(response => {
    if (!response.ok) throw new Error(`The server has no statechart of ${machine}.`)
    return response.text()
  })
  loaded.set(machine, asked)
  asked.catch(() => loaded.delete(machine))
  return asked
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

export const ChartView = ({ highlight }: { highlight: Highlight }) => {
  const { machine } = highlight
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<SVGSVGElement | undefined>(undefined)
  const present = useRef(highlight)
  present.current = highlight
  const [explained, explain] = useState('')
  const [problem, setProblem] = useState('')

  const show = () => {
    if (!chart.current) return
    applyHighlight(chart.current, present.current)
    // In a task of its own: where things are is known after a layout.
    later(0, () => {
      if (chart.current && box.current) showActive(box.current, chart.current, present.current)
    })
  }
  useEffect(() => {
    let isWanted = true
    chart.current = undefined
    explain('')
    setProblem('')
    const load = async () => {
      const made = chartElement(await chartOf(machine))
      await nextTask()
      if (!isWanted || !box.current) return
      scaleToFit(box.current, made)
      applyHighlight(made, present.current)
      box.current.replaceChildren(made)
      chart.current = made
      show()
    }
    load().catch((error: Error) => {
      if (isWanted) setProblem(error.message)
    })
    return () => {
      isWanted = false
    }
  }, [machine])
  useEffect(() => {
    const element = box.current
    if (!element) return
    // In a task of its own: a size that changes while sizes are told is an error of the page.
    const soon = batched(0, () => chart.current && scaleToFit(element, chart.current))
    const observer = new ResizeObserver(soon)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(show, [highlight.state, highlight.last?.event, highlight.last?.from, highlight.other])

  const onPoint = ({ target }: Event) => {
    const named = target instanceof Element ? target.closest('[aria-label]:not(svg)') : null
    const text = named?.closest('svg') ? (named.getAttribute('aria-label') ?? '') : ''
    if (text !== explained) explain(text)
  }
  return (
    <section class="card chart-card" aria-label={`Statechart of ${machine}`}>
      <div class="chart-box" ref={box} onPointerOver={onPoint} onFocusIn={onPoint} />
      {problem !== '' && <p class="problem">{problem}</p>}
      <Explanation text={explained} />
    </section>
  )
}
