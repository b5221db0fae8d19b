/** The chosen step, large: its screens with the touch on them, and any two screens of the trace compared. */
import { useState } from 'preact/hooks'
import { frameName } from '../devices/frame-screen.tsx'
import type { Film, Frame, StepView } from '../devices/frames.ts'
import { canSlide, LineDifference, SideBySide, SlideOver, TouchedScreen } from '../devices/screen-compare.tsx'
import { StepDetails } from './step-details.tsx'

type Mode = 'screens' | 'slide' | 'lines'

const MODES: readonly (readonly [Mode, string])[] = [
  ['screens', 'Side by side'],
  ['slide', 'Slider'],
  ['lines', 'Changes'],
]

interface FrameChoiceProps {
  name: string
  film: Film
  chosen: Frame | undefined
  onChoose(index: number | undefined): void
}

const FrameChoice = ({ name, film, chosen, onChoose }: FrameChoiceProps) => (
  <label class="frame-choice">
    <span>{name}</span>
    <select
      value={chosen?.index ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
    >
      <option value="">none</option>
      {film.frames.map(frame => (
        <option key={frame.index} value={frame.index}>
          {frameName(frame, film.steps)}
        </option>
      ))}
    </select>
  </label>
)

const NoScreen = ({ view }: { view: StepView }) => (
  <div class="no-screens">
    <p>{view.step.state === 'not-run' ? 'This step did not run.' : 'No screen was recorded beside this step.'}</p>
    <p class="muted">
      Screens come from snapshot and take_screenshot steps, and from svc snapshot and svc screenshot shortly before or
      after.
    </p>
  </div>
)

/** Where a step is in doubt or found nothing, a screen of a later execution is all that tells. */
const placeOf = ({ step, isActing, execution }: StepView, after: Frame | undefined): string => {
  const isLater = after?.neighbour !== undefined && after.neighbour === execution.after
  if (isLater && (step.state === 'unknown' || !isActing)) return 'Seen next'
  return isActing ? (after ? 'After' : 'Before') : 'Seen'
}

const Screens = ({
  view,
  film,
  before,
  after,
  mode,
}: {
  view: StepView
  film: Film
  before: Frame | undefined
  after: Frame | undefined
  mode: Mode
}) => {
  const touching = view.isActing || !after ? view : undefined
  if (before && after && before.index !== after.index) {
    const props = {
      before,
      after,
      views: film.steps,
      touching: before.index === view.before?.index ? touching : undefined,
    }
    if (mode === 'lines') return <LineDifference {...props} />
    if (mode === 'slide' && canSlide(before) && canSlide(after)) return <SlideOver {...props} />
    return <SideBySide {...props} />
  }
  const frame = after ?? before
  if (!frame) return <NoScreen view={view} />
  const place = placeOf(view, after)
  const isTouched = !view.isActing || frame === view.before
  return (
    <div class="pair">
      <div class="pair-half">
        <p class="pair-name">
          <b>{place}</b> <span class="muted">{frameName(frame, film.steps)}</span>
        </p>
        <TouchedScreen
          frame={frame}
          label={`${place}: ${frameName(frame, film.steps)}`}
          touching={isTouched ? view : undefined}
        />
      </div>
    </div>
  )
}

export const StepStage = ({ view, film }: { view: StepView; film: Film }) => {
  const [mode, setMode] = useState<Mode>('screens')
  const [chosen, choose] = useState<{ position: number; before?: number | undefined; after?: number | undefined }>()
  // A look changes nothing, so its own screen stands alone.
  const ownPair = { before: view.isActing ? view.before?.index : undefined, after: view.after?.index }
  const { before: from, after: to } = chosen?.position === view.position ? chosen : ownPair
  const [before, after] = [from, to].map(index => (index === undefined ? undefined : film.frames[index]))
  const pick = (side: 'before' | 'after') => (index: number | undefined) =>
    choose({ position: view.position, before: from, after: to, [side]: index })
  const isPair = before !== undefined && after !== undefined && before.index !== after.index
  return (
    <section class="card step-stage" aria-label={`Step ${view.number}`}>
      <div class="stage-screens">
        {film.frames.length > 1 && (
          <div class="stage-controls">
            <fieldset class="buttons" aria-label="How two screens are shown">
              {MODES.map(([name, label]) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={isPair && mode === name}
                  disabled={!isPair}
                  onClick={() => setMode(name)}
                >
                  {label}
                </button>
              ))}
            </fieldset>
            <FrameChoice name="Before" film={film} chosen={before} onChoose={pick('before')} />
            <FrameChoice name="After" film={film} chosen={after} onChoose={pick('after')} />
          </div>
        )}
        <Screens view={view} film={film} before={before} after={after} mode={mode} />
      </div>
      <StepDetails view={view} />
    </section>
  )
}
