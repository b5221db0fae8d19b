/** The pictures of a trace: those that can be shown, as links or as data, and a word in the place of the others. */
import { TRACE_PICTURES_BYTES_MAX } from '../contracts/limits.ts'
import type { Trace, TraceStep } from '../contracts/viewer.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import { pictureProblem, readPicture } from './pictures.ts'

type Shown = { picture: string } | { problem: string }
type Show = (receipt: StoredReceipt, step: TraceStep & { screen: { picture: string } }) => Promise<Shown>

const hasPicture = (step: TraceStep): step is TraceStep & { screen: { picture: string } } =>
  step.screen?.picture !== undefined

const mapPictures = async (journal: Journal, trace: Trace, show: Show): Promise<Trace> => {
  const executions: Trace['executions'] = []
  for (const execution of trace.executions) {
    const receipt = execution.timeline.some(hasPicture) ? journal.receipt(execution.executionId) : undefined
    const timeline: TraceStep[] = []
    for (const step of execution.timeline) {
      if (!hasPicture(step)) {
        timeline.push(step)
        continue
      }
      const { screen: _, ...rest } = step
      const shown = receipt ? await show(receipt, step) : { problem: 'The receipt is no longer kept.' }
      if ('picture' in shown) timeline.push({ ...rest, screen: shown })
      else timeline.push({ ...rest, data: { ...rest.data, picture: shown.problem } })
    }
    executions.push({ ...execution, timeline })
  }
  return { ...trace, executions }
}

export const withPictureLinks = (journal: Journal, trace: Trace): Promise<Trace> =>
  mapPictures(journal, trace, async (receipt, { id, screen }) => {
    const problem = await pictureProblem(receipt, id)
    return problem === undefined ? { picture: screen.picture } : { problem }
  })

export const withPictureData = (journal: Journal, trace: Trace): Promise<Trace> => {
  let left = TRACE_PICTURES_BYTES_MAX
  return mapPictures(journal, trace, async (receipt, { id }) => {
    const read = await readPicture(receipt, id)
    if (!read.ok) return read
    if (read.png.byteLength > left) {
      return { problem: `Left out: the pictures of one file have at most ${TRACE_PICTURES_BYTES_MAX} bytes.` }
    }
    left -= read.png.byteLength
    return { picture: `data:image/png;base64,${read.png.toString('base64')}` }
  })
}
