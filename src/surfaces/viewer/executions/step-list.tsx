/** The steps as a list, and as a film of the screens between them; keys walk both, and choosing one shows it large. */
import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { FrameScreen, frameName, isEarlier } from '../devices/frame-screen.tsx'
import type { Film, Frame, StepView } from '../devices/frames.ts'
import { Badge, Mark } from '../marks.tsx'
import { executionTitle, standingOf, toneOf } from '../names.ts'
import { hrefOf } from '../route.ts'
import { timeOf } from './step-details.tsx'

export interface StepsProps {
  film: Film
  chosen: number
  onChoose(position: number): void
}

/** Brings the chosen element into sight by scrolling its box, and never the page. */
const useInSight = (chosen: number, axis: 'x' | 'y') => {
  const box = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const element = box.current?.querySelector<HTMLElement>('[aria-current="step"]')
    if (!box.current || !element) return
    const [outer, inner] = [box.current.getBoundingClientRect(), element.getBoundingClientRect()]
    if (axis === 'x') box.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
    else if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.current.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2)
  }, [chosen, axis])
  return box
}

interface StepRowProps {
  view: StepView
  isChosen: boolean
  onChoose(): void
}

const StepRow = ({ view: { step, number }, isChosen, onChoose }: StepRowProps) => (
  <li class={`step ${step.state} ${isChosen ? 'chosen' : ''}`}>
    <button type="button" aria-current={isChosen ? 'step' : undefined} tabIndex={isChosen ? 0 : -1} onClick={onChoose}>
      <span class="step-number mono muted">{number}</span>
      <Mark tone={toneOf(step.state === 'not-run' ? 'idle' : step.state)} />
      <span class="step-words">{step.title}</span>
      <span class="step-time muted">
        {step.state === 'succeeded' ? timeOf(step).replace(/ \(segment.*/, '') : step.state.replace('-', ' ')}
      </span>
      {step.error && <span class="step-code mono">{step.error.code}</span>}
    </button>
  </li>
)

/** Steps of one execution follow each other, so the first of each begins a group. */
const beginsGroup = ({ execution }: StepView, before: StepView | undefined) => execution !== before?.execution

export const StepList = ({
  film: { steps },
  chosen,
  onChoose,
  isRun,
  isLinked,
}: StepsProps & { isRun: boolean; isLinked: boolean }) => {
  const box = useInSight(chosen, 'y')
  return (
    <ol class="card step-list" aria-label="Steps" ref={box}>
      {steps.map((view, position) => {
        const { execution } = view
        const { tone, word } = standingOf(execution)
        return (
          <Fragment key={position}>
            {isRun && beginsGroup(view, steps[position - 1]) && (
              <li class="step-group">
                {isLinked ? (
                  <a href={hrefOf('executions', execution.executionId)}>{executionTitle(execution)}</a>
                ) : (
                  <span>{executionTitle(execution)}</span>
                )}
                <Badge text={word} tone={tone} />
              </li>
            )}
            <StepRow view={view} isChosen={position === chosen} onChoose={() => onChoose(position)} />
          </Fragment>
        )
      })}
    </ol>
  )
}

type FilmItem = { kind: 'frame'; frame: Frame; step: number | undefined } | { kind: 'step'; view: StepView }

/** A frame stands where its first step does; what acted stands between the frames. */
const itemsOf = ({ frames, steps }: Film): readonly FilmItem[] => {
  const items: FilmItem[] = []
  const pending = [...frames]
  const pushFrame = (frame: Frame | undefined) => {
    if (frame) items.push({ kind: 'frame', frame, step: frame.steps[0] })
  }
  for (const view of steps) {
    while (pending[0] && pending[0].index <= (view.before?.index ?? -1)) pushFrame(pending.shift())
    if (view.isActing) items.push({ kind: 'step', view })
    else if (pending[0]?.steps[0] === view.position) pushFrame(pending.shift())
  }
  for (const frame of pending) pushFrame(frame)
  return items
}

const FilmFrame = ({ frame, film, chosen, onChoose }: StepsProps & { frame: Frame }) => {
  const view = film.steps[chosen]
  const isOwn = frame.steps.includes(chosen)
  const side =
    view?.isActing && frame.index === view.before?.index ? 'before' : frame.index === view?.after?.index ? 'after' : ''
  const { neighbour, steps } = frame
  const [first] = steps
  const place = neighbour ? (isEarlier(neighbour, film.steps) ? 'earlier' : 'later') : film.steps[first ?? 0]?.number
  const name = frameName(frame, film.steps)
  return (
    <li class={`film-frame ${isOwn ? 'chosen' : ''} ${view?.isActing ? side : ''}`}>
      <button
        type="button"
        title={name}
        aria-label={name}
        aria-current={isOwn ? 'step' : undefined}
        tabIndex={isOwn ? 0 : -1}
        disabled={first === undefined}
        onClick={() => first !== undefined && onChoose(first)}
      >
        <FrameScreen frame={frame} label="" isSmall />
      </button>
      <span class="film-name muted">{view?.isActing && side !== '' ? side : place}</span>
    </li>
  )
}

export const FilmStrip = (props: StepsProps) => {
  const { film, chosen, onChoose } = props
  const box = useInSight(chosen, 'x')
  if (film.frames.length === 0) return null
  return (
    <ol class="film" aria-label="Film of the screens" ref={box}>
      {itemsOf(film).map(item =>
        item.kind === 'frame' ? (
          <FilmFrame key={`f${item.frame.index}`} frame={item.frame} {...props} />
        ) : (
          <li key={`s${item.view.position}`} class={`film-step ${item.view.position === chosen ? 'chosen' : ''}`}>
            <button
              type="button"
              title={item.view.step.title}
              aria-label={`Step ${item.view.number}: ${item.view.step.title}, ${item.view.step.state}`}
              aria-current={item.view.position === chosen ? 'step' : undefined}
              tabIndex={item.view.position === chosen ? 0 : -1}
              onClick={() => onChoose(item.view.position)}
            >
              <Mark tone={toneOf(item.view.step.state === 'not-run' ? 'idle' : item.view.step.state)} />
              <span class="mono">{item.view.number}</span>
              <span class="film-words" aria-hidden="true">
                {item.view.step.title}
              </span>
            </button>
          </li>
        ),
      )}
    </ol>
  )
}
