/** The steps of a trace: a list, and beside it the chosen one with its screens; keys move from one to the next. */
import { useEffect, useRef } from 'preact/hooks'
import type { Film } from '../devices/frames.ts'
import { StepList } from './step-list.tsx'
import { StepStage } from './step-stage.tsx'

export interface StepsSectionProps {
  film: Film
  chosen: number
  onChoose(position: number): void
  isLinked: boolean
  isRun: boolean
  isWaiting: boolean
}

const WAITS = 'It waits for its device, and nothing has been sent yet. Its steps are recorded when its turn has come.'

/** Elements that use these keys themselves. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable], [role="slider"], [role="tree"], [role="tablist"], .chart-box, .rows, .step-list, .film'

const NEXT = new Set(['j', 'ArrowRight'])
const PREVIOUS = new Set(['k', 'ArrowLeft'])

/** Undefined for a key that moves nowhere. */
const targetOf = (key: string, at: number, count: number): number | undefined => {
  if (count === 0) return undefined
  if (NEXT.has(key)) return Math.min(count - 1, at + 1)
  if (PREVIOUS.has(key)) return Math.max(0, at - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

const LIST_KEYS: Readonly<Record<string, string>> = { ArrowDown: 'j', ArrowUp: 'k' }

/** j, k and the arrows to the sides move from anywhere on the page; all arrows, Home and End within list and film. */
export const useStepKeys = (count: number, chosen: number, onChoose: (position: number) => void): void => {
  const latest = useRef({ count, chosen, onChoose })
  latest.current = { count, chosen, onChoose }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof Element ? event.target : undefined
      const list = target?.closest<HTMLElement>('.step-list, .film')
      if (!list && (target?.closest(OWN_KEYS) || event.key === 'Home' || event.key === 'End')) return
      const key = (list && LIST_KEYS[event.key]) ?? event.key
      const { chosen: at, count: all, onChoose: choose } = latest.current
      const to = targetOf(key, at, all)
      if (to === undefined) return
      event.preventDefault()
      choose(to)
      // The focus follows within the list once the row is drawn.
      if (list)
        requestAnimationFrame(() =>
          list.querySelector<HTMLElement>('[aria-current="step"]')?.focus({ preventScroll: true }),
        )
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

export const Steps = ({ film, chosen, onChoose, isLinked, isRun, isWaiting }: StepsSectionProps) => {
  useStepKeys(film.steps.length, chosen, onChoose)
  const view = film.steps[chosen]
  return (
    <section aria-labelledby="steps-heading">
      <h2 id="steps-heading">
        {isRun ? 'What it did on the device' : 'Steps'}
        {film.steps.length > 1 && (
          <span class="key-hint muted">
            <kbd>←</kbd> <kbd>→</kbd> or <kbd>j</kbd> <kbd>k</kbd> to move
          </span>
        )}
      </h2>
      {!view && <p class="muted">{isWaiting ? WAITS : 'Nothing was sent to a device.'}</p>}
      {view && (
        <div class="step-layout">
          <StepList film={film} chosen={chosen} onChoose={onChoose} isLinked={isLinked} isRun={isRun} />
          <StepStage view={view} film={film} />
        </div>
      )}
    </section>
  )
}
