/** The laws on recordings: each segment comes to the host once and whole, all of them end, and the phone is cleared. */
import type { Violation } from '../../laws/laws.ts'
import type { RecordingsOfWorld } from './recorded.ts'

/** Law 1: a segment is fetched once. */
const fetchedOnce = ({ actors }: RecordingsOfWorld): Violation[] =>
  actors.flatMap(({ recordingId: about, saved }) =>
    saved
      .filter((segment, at) => saved.indexOf(segment) !== at)
      .map((segment): Violation => ({ law: 1, about, says: `segment ${segment} was fetched more than once` })),
  )

/** Law 3: of each segment there is the file that the phone made, or a word why not. */
const segmentsAreTrue = ({ folders, phones }: RecordingsOfWorld): Violation[] => {
  const made = new Map(phones.flatMap(({ segments }) => Object.entries(segments)))
  return folders.flatMap(({ recordingId: about, manifest, files }) => {
    const segments = manifest?.segments ?? []
    const numbers = segments.map(({ segment }) => segment)
    const onPhone = [...made.keys()].filter(key => key.startsWith(`${about}/`)).map(key => Number(key.split('/')[1]))
    const says = [
      ...(manifest ? [] : ['it has no manifest']),
      ...numbers
        .filter((segment, at) => numbers.indexOf(segment) !== at)
        .map(segment => `segment ${segment} is in the manifest twice`),
      ...onPhone
        .filter(segment => !numbers.includes(segment))
        .map(segment => `segment ${segment} was recorded, and the manifest has no word of it`),
      ...segments.flatMap(({ segment, file, sha256, problem }) => {
        if (file === undefined) return problem === undefined ? [`segment ${segment} has no file and no problem`] : []
        if (files[file] !== sha256) return [`segment ${segment} has another digest than its file`]
        return sha256 === made.get(`${about}/${segment}`) ? [] : [`segment ${segment} is not what the phone recorded`]
      }),
    ]
    return says.map((one): Violation => ({ law: 3, about, says: one }))
  })
}

const OVER = ['saved', 'failed.settled']

/** Law 7: every request about a recording is answered, and in the calm each recording ends. */
const allEnd = ({ asked, actors, folders }: RecordingsOfWorld): Violation[] => [
  ...asked
    .filter(({ what, isOk, answer }) => what === 'end' && !isOk && answer.code !== 'RECORDING_NOT_RUNNING')
    .filter(({ text }) => !isAboutPast(text))
    .map(({ about, text }): Violation => ({ law: 7, about, says: `it was answered ${text}` })),
  ...actors
    .filter(({ state }) => !OVER.includes(state))
    .map(({ recordingId: about, state }): Violation => ({ law: 7, about, says: `it is ${state} in the end` })),
  ...folders
    .filter(({ manifest }) => manifest?.state === 'recording' || manifest?.state === 'stopping')
    .map(
      ({ recordingId: about, manifest }): Violation => ({ law: 7, about, says: `its manifest is ${manifest?.state}` }),
    ),
]

/** A recording that failed says so to whoever asks for its end. */
const isAboutPast = (text: string): boolean => /"code":"RECORDING_(?:FAILED|NOT_RUNNING|NO_SPACE)/.test(text)

/** Law 8: nothing records any more, and no draft is left. */
const phonesCleared = ({ phones, folders }: RecordingsOfWorld): Violation[] => [
  ...phones.flatMap(({ recorders, temporary }, phone) =>
    [...(recorders === 0 ? [] : [`${recorders} programs that record`]), ...temporary].map(
      (what): Violation => ({ law: 8, about: `phone ${phone}`, says: `is left: ${what}` }),
    ),
  ),
  ...folders.flatMap(({ recordingId: about, files }) =>
    Object.keys(files)
      .filter(name => !/^segment-\d+\.mp4$/.test(name))
      .map((name): Violation => ({ law: 8, about, says: `is left: ${name}` })),
  ),
]

export const judgeRecordings = (world: RecordingsOfWorld): Violation[] => [
  ...fetchedOnce(world),
  ...segmentsAreTrue(world),
  ...allEnd(world),
  ...phonesCleared(world),
]
