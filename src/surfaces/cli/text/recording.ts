/** `svc record` for people. */
import { join } from 'node:path'
import type { Recording, RecordingSegment } from '../../../contracts/recording.ts'
import { facts, lines, paragraph, table } from './layout.ts'
import { type Page, SIGNS } from './page.ts'

const KILOBYTE = 1_000
const UNITS = ['B', 'kB', 'MB', 'GB'] as const
const MS_PER_SECOND = 1_000

const sizeText = (bytes: number): string => {
  const power = bytes < KILOBYTE ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / KILOBYTE ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}

const lengthText = ({ startedAt, endedAt }: RecordingSegment): string =>
  endedAt === undefined ? '' : `${((endedAt - startedAt) / MS_PER_SECOND).toFixed(1)} s`

const stateText = ({ playable, problem, file }: RecordingSegment): string => {
  if (problem !== undefined) return `${SIGNS.failed} ${problem}`
  if (file === undefined) return 'on the device'
  return playable ? `${SIGNS.ok} saved` : `${SIGNS.warning} saved, cannot be played`
}

const firstFile = ({ folder, segments }: Recording): string | undefined => {
  const file = segments.find(({ file }) => file !== undefined)?.file
  return file === undefined ? undefined : join(folder, file)
}

export const recordingText = (page: Page, { recording }: { recording: Recording | null }): string => {
  if (!recording) return paragraph(page, 'The screen was never recorded. Begin: svc record start')
  const { state, reason, error, segments } = recording
  const known = facts(page, [
    ['recording', recording.recordingId],
    ['device', recording.deviceId],
    ['state', reason === undefined || reason === state ? state : `${state} (${reason.replaceAll('_', ' ')})`],
    ['problem', error?.message ?? ''],
    ['started', new Date(recording.startedAt).toISOString()],
    ['size', sizeText(recording.bytes)],
    ['folder', recording.folder],
    ['video', firstFile(recording)],
    ['watch', firstFile(recording) === undefined ? undefined : 'svc inspect shows it beside what was done'],
  ])
  const rows = table<RecordingSegment>(
    page,
    [
      { title: 'segment', cell: ({ segment }) => String(segment), align: 'right' },
      { title: 'length', cell: lengthText, align: 'right' },
      { title: 'size', cell: ({ bytes }) => (bytes === undefined ? '' : sizeText(bytes)), align: 'right', leaveOut: 1 },
      { title: 'state', cell: stateText, atLeast: 16 },
    ],
    segments,
  )
  return lines(known, ...(segments.length === 0 ? [] : ['', rows]))
}
