/**
 * A trace with its pictures as links or as data, as one HTML file that opens from disk with nothing left to fetch,
 * and as a part of an HTML report of a test run.
 */

import type { NeighbourScreen, Trace, TraceExecution, TraceStep } from '../../contracts/doors/viewer.ts'
import { defined } from '../../contracts/json/json.ts'
import { TRACE_PICTURES_BYTES_MAX } from '../../contracts/limits/limits.ts'
import { type StandaloneHtml, standaloneHtml } from '../../runtime/files/standalone-html.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { type Asset, type Assets, loadAssets } from './assets.ts'
import { pictureProblem, readPicture } from './pictures.ts'
import { traceOne } from './trace.ts'

/** Empty texts where the page was not built. */
export const loadReportPage = (viewerFolder: string | undefined): { script: string; style: string } => {
  const assets = viewerFolder === undefined ? undefined : loadAssets(viewerFolder)
  const textOf = (name: string) => assets?.get(name)?.content.toString() ?? ''
  return { script: textOf('report.js'), style: textOf('app.css') }
}

/** Undefined for an execution that the journal does not have. */
export const readReportTrace = async (journal: Journal, executionId: string): Promise<TraceExecution | undefined> => {
  const receipt = journal.receipt(executionId)
  if (!receipt) return undefined
  const { executions } = await withPictureData(journal, { executions: [traceOne(journal, receipt).execution] })
  return executions[0]
}

type PictureStep = TraceStep & { screen: { picture: string } }
type LoadPicture = (
  receipt: StoredReceipt,
  step: { id: string; position: number; picture: string },
) => Promise<{ picture: string } | { problem: string }>

const hasPicture = (step: TraceStep): step is PictureStep => step.screen?.picture !== undefined

/** A neighbour without its picture is still a neighbour if it has a text. */
const mapNeighbour = async (journal: Journal, neighbour: NeighbourScreen | undefined, load: LoadPicture) => {
  if (neighbour?.picture === undefined || !neighbour.step) return neighbour
  const { picture, step, ...rest } = neighbour
  const receipt = journal.receipt(neighbour.executionId)
  const loaded = receipt && (await load(receipt, { ...step, picture }))
  if (loaded && 'picture' in loaded) return { ...rest, step, picture: loaded.picture }
  return rest.xml === undefined && rest.lines === undefined ? undefined : rest
}

/** A trace, or the executions of one. */
type Executions = Pick<Trace, 'executions'>

const mapPictures = async <T extends Executions>(journal: Journal, trace: T, load: LoadPicture): Promise<T> => {
  const executions: Trace['executions'] = []
  for (const execution of trace.executions) {
    const receipt = execution.timeline.some(hasPicture) ? journal.receipt(execution.executionId) : undefined
    const timeline: TraceStep[] = []
    for (const [position, step] of execution.timeline.entries()) {
      if (!hasPicture(step)) {
        timeline.push(step)
        continue
      }
      const { screen: _, ...rest } = step
      const loaded = receipt
        ? await load(receipt, { id: step.id, position, picture: step.screen.picture })
        : { problem: 'The journal no longer keeps the receipt of this execution.' }
      if ('picture' in loaded) timeline.push({ ...rest, screen: loaded })
      else timeline.push({ ...rest, data: { ...rest.data, picture: loaded.problem } })
    }
    const { before, after, ...known } = execution
    const neighbours = {
      before: await mapNeighbour(journal, before, load),
      after: await mapNeighbour(journal, after, load),
    }
    executions.push({ ...known, ...defined(neighbours), timeline })
  }
  return { ...trace, executions }
}

export const withPictureLinks = (journal: Journal, trace: Trace): Promise<Trace> =>
  mapPictures(journal, trace, async (receipt, { id, position, picture }) => {
    const problem = await pictureProblem(receipt, { id, position })
    return problem === undefined ? { picture } : { problem }
  })

const withPictureData = <T extends Executions>(journal: Journal, trace: T): Promise<T> => {
  let left = TRACE_PICTURES_BYTES_MAX
  return mapPictures(journal, trace, async (receipt, { id, position }) => {
    const read = await readPicture(receipt, { id, position })
    if (!read.ok) return read
    if (read.png.byteLength > left) {
      return {
        problem: `The picture is left out: the pictures of one file may have at most ${TRACE_PICTURES_BYTES_MAX} bytes.`,
      }
    }
    left -= read.png.byteLength
    return { picture: `data:image/png;base64,${read.png.toString('base64')}` }
  })
}

const textOf = (asset: Asset | undefined): string => asset?.content.toString() ?? ''

export const traceHtml = async (journal: Journal, trace: Trace, assets: Assets): Promise<StandaloneHtml> => {
  const chart = textOf(assets.get(`${trace.machine}.svg`))
  return standaloneHtml({
    title: `svc: ${trace.kind} ${trace.id}`,
    style: textOf(assets.get('app.css')),
    script: textOf(assets.get('trace.js')),
    data: [['trace', { trace: await withPictureData(journal, trace), chart }]],
  })
}
