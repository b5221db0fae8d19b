/** A trial that broke a law, as a person reads it: what broke, and what happened in order. */
import { executionOf, type Violation } from '../laws/laws.ts'
import { EPOCH } from './clock.ts'
import type { Trial } from './trial.ts'

interface Line {
  at: number
  text: string
}

const TEXT_CHARS = 240

export const linesOf = ({
  world: { story, deaths, cancels },
}: {
  world: Pick<Trial['world'], 'story' | 'deaths' | 'cancels'>
}): string[] => {
  const lines: Line[] = [
    ...story.log,
    ...deaths.map(({ at, pid }) => ({ at, text: `process ${pid} has died` })),
    ...story.asked.flatMap(({ command, host, began, ended, answer, text }) => [
      { at: began, text: `${command} asked of ${host}` },
      {
        at: ended,
        text: `${command} ${answer.kind}: ${answer.claim} ${answer.code ?? ''} ${answer.claim === 'did' ? '' : text.slice(0, TEXT_CHARS)}`,
      },
    ]),
    ...cancels.map(({ at, executionId }) => ({ at, text: `the cancellation of ${executionId} was answered` })),
    ...story.seen.map(one => ({ at: one.at - EPOCH, text: `phone ${one.phone} got ${one.wireId}` })),
    ...story.ran.flatMap(({ command, executionId, host, acceptedAt, dispatches, ends }) => [
      { at: acceptedAt - EPOCH, text: `${command} accepted by ${host} as ${executionId}; ends: ${ends.join(', ')}` },
      ...dispatches.map(at => ({ at: at - EPOCH, text: `${command} dispatched by ${host}` })),
    ]),
  ]
  return lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${String(at).padStart(8)} ${text}`)
}

export const violationLines = (violations: readonly Violation[], story: Trial['world']['story']): string[] =>
  violations.map(({ law, about, says }) => {
    const command = story.ran.find(({ executionId }) => executionId === executionOf({ wireId: about }))?.command
    return `law ${law}: ${about}${command === undefined ? '' : ` (${command})`}: ${says}`
  })

export const reportOf = (trial: Trial, violations: readonly Violation[]): string =>
  [...violationLines(violations, trial.world.story), '', ...linesOf(trial), ''].join('\n')
