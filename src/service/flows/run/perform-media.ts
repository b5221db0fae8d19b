/** Commands that make files: screenshots, their comparison, and videos of the screen. */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import { HOME_MODE, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import { checkOutput, readOutput, writeOutput } from '../../../device/files/output-file.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { codeOf, messageOf } from '../../../runtime/message-of.ts'
import type { LiveAttempt } from './attempt.ts'
import {
  elementLookup,
  type FlowCommandContext,
  foundOrFailed,
  MARGIN_MS,
  matcherOf,
  noAssertion,
  type Perform,
  passed,
  waitFor,
} from './commands.ts'
import { comparePictures } from './compare-pictures.ts'
import { CommandFailed, failed, flowErrorOf } from './failure.ts'
import { keepCopy, keptFile, outputPath } from './output-path.ts'

const PNG = '.png'
const MP4 = '.mp4'

/** The disk or the process is at its end, whatever the flow has named. */
const OF_HOST: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']

export const writing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const code = OF_HOST.includes(codeOf(error)) ? 'EVIDENCE_CAPTURE_FAILED' : 'FILE_REFUSED'
    throw failed(code, `The file ${path} cannot be written: ${messageOf(error)}.`)
  }
}

/** Takes the picture into the folder of the run. */
const picture = async (
  context: FlowCommandContext,
  name: string,
  cropOn: FlowSelector | undefined,
): Promise<string> => {
  const path = keptFile(context.attempt.folder, context.index, `${basename(name, PNG)}${PNG}`)
  await writing(path, async () => makeFolder(dirname(path), HOME_MODE))
  if (!cropOn) {
    passed(await context.call([{ type: 'take_screenshot', params: { path } }], { timeoutMs: MARGIN_MS }))
    return path
  }
  const ms = elementLookup(context)
  const steps = [waitFor(cropOn, ms), { type: 'take_screenshot', params: { path, matcher: matcherOf(cropOn) } }]
  foundOrFailed(await context.call(steps, { timeoutMs: ms + MARGIN_MS }), cropOn, ms)
  return path
}

/** Throws CommandFailed for a path that leads elsewhere. */
export const recordingPath = (attempt: Pick<LiveAttempt, 'outputFolder' | 'secrets'>, path: string): string =>
  outputPath(attempt, path, MP4)

const videoAt = ({ outputFolder: folder, runFolder: ownerOnlyIn }: LiveAttempt, path: string) =>
  ({ folder, path, kind: 'video', ownerOnlyIn }) as const

/** Their paths below the folder of the run. */
const keptFiles = ({ attempt }: FlowCommandContext, files: readonly string[]) => ({
  files: files.map(file => relative(attempt.runFolder, file)),
})

const differencePath = (path: string) => `${path.slice(0, -extname(path).length)}_diff${PNG}`

type MediaCommand = 'takeScreenshot' | 'assertScreenshot' | 'startRecording' | 'stopRecording'

export const MEDIA = {
  async takeScreenshot({ path, cropOn }, context) {
    const folder = context.attempt.outputFolder
    const target = outputPath(context.attempt, path, PNG)
    const output = { folder, path: target, kind: 'picture', ownerOnlyIn: context.attempt.runFolder } as const
    await writing(target, () => checkOutput(output))
    const kept = await picture(context, path, cropOn)
    await writing(target, () => writeOutput(output, { file: kept }))
    return { ...keptFiles(context, [kept]), written: [target] }
  },
  async assertScreenshot({ path, thresholdPercentage, cropOn }, context) {
    const { outputFolder: folder, runFolder: ownerOnlyIn } = context.attempt
    const reference = outputPath(context.attempt, path, PNG)
    const expected = await readOutput({ folder, path: reference }).catch(() => undefined)
    if (!expected)
      throw failed('FILE_NOT_FOUND', `There is no picture ${reference} to compare with; takeScreenshot makes one.`)
    await context.reads(reference, expected)
    const kept = await picture(context, path, cropOn)
    const compared = await comparePictures(expected, await readFile(kept)).catch(error => {
      throw failed('FILE_REFUSED', `The pictures cannot be compared: ${messageOf(error)}.`)
    })
    if (compared.kind === 'size')
      throw noAssertion(`The screen has ${compared.actual} pixels, the picture ${reference} ${compared.expected}.`)
    if (compared.samePercent >= thresholdPercentage) return keptFiles(context, [kept])
    const difference = differencePath(reference)
    const keptDifference = differencePath(kept)
    const drawn = await compared.difference()
    await writing(difference, () => writeOutput({ folder, path: difference, kind: 'picture', ownerOnlyIn }, drawn))
    await writeFile(keptDifference, drawn, { mode: STATE_FILE_MODE })
    const same = Math.floor(compared.samePercent * 100) / 100
    throw noAssertion(
      `The screen is to ${same} % as in ${reference}, wanted are ${thresholdPercentage} %; ${difference} shows where it differs.`,
      keptFiles(context, [kept, keptDifference]),
    )
  },
  async startRecording({ path }, { attempt, signal }) {
    const target = recordingPath(attempt, path)
    await writing(target, () => checkOutput(videoAt(attempt, target)))
    const error = await attempt.phones.startRecording(attempt.deviceId, attempt.flowRunId, signal)
    if (error) throw new CommandFailed(flowErrorOf(error))
    attempt.state.recordingPath = target
  },
  async stopRecording(_, context) {
    const { attempt } = context
    const target = attempt.state.recordingPath
    const stopped = await attempt.phones.stopRecording(attempt.deviceId, attempt.flowRunId)
    if (!stopped.ok) throw new CommandFailed(flowErrorOf(stopped.error))
    attempt.state.recordingPath = undefined
    const named = target ?? join(attempt.outputFolder, `${stopped.recordingId}${MP4}`)
    const kept: string[] = []
    const written: string[] = []
    for (const [at, file] of stopped.files.entries()) {
      const path = at === 0 ? named : `${named.slice(0, -MP4.length)}-${at + 1}${MP4}`
      const keptCopy = keptFile(attempt.folder, context.index, basename(path))
      await writing(path, () => writeOutput(videoAt(attempt, path), { file }))
      await writing(keptCopy, () => keepCopy(file, keptCopy))
      kept.push(keptCopy)
      written.push(path)
    }
    return { ...keptFiles(context, kept), written }
  },
} satisfies { [Name in MediaCommand]: Perform<Name> }
