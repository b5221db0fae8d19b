/** Names before ids: what an execution did, the device of a daemon, the skill of a run; and how a state is judged. */
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ExecutionSummary, ViewedActor } from '../../contracts/doors/viewer.ts'
import { shortId } from './format.ts'

/** Each tone has a colour, a shape and a word. */
export type Tone = 'good' | 'busy' | 'wait' | 'doubt' | 'bad' | 'calm'

export const DEVICE_PREFIX = 'device:'
export const RUN_PREFIX = 'skill-run:'
export const RECORDING_PREFIX = 'recording:'

export const executionTitle = ({ title, commandId }: Pick<ExecutionSummary, 'title' | 'commandId'>): string =>
  title ?? commandId

/** The key of a daemon is the device that it was started for, in base64url behind a prefix. */
const deviceOfKey = (key: string): string => {
  const encoded = /^id-([\w-]+)$/.exec(key)?.[1]
  if (encoded === undefined) return key
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, letter => letter.charCodeAt(0)))
  } catch {
    return key
  }
}

const bareId = ({ id, machine }: Pick<ViewedActor, 'id' | 'machine'>): string =>
  id.startsWith(`${machine}:`) ? id.slice(machine.length + 1) : id

/** A run is known by its skill, a daemon by its device. */
export const nameOf = (actor: ViewedActor): string => {
  const id = bareId(actor)
  if (actor.machine === 'skill-run') return actor.work.skillId ?? shortId(id)
  if (actor.machine !== 'daemon') return shortId(id)
  return id === 'default' ? 'default device' : deviceOfKey(id)
}

export const isBusy = ({ tags }: Pick<ViewedActor, 'tags'>): boolean => tags.includes(IN_FLIGHT)

const reservationWords = ({ work: { deviceId, sessionId } }: ViewedActor): string =>
  [
    ...(deviceId === undefined ? [] : [`of ${deviceId}`]),
    ...(sessionId === undefined ? [] : [`for session ${shortId(sessionId)}`]),
  ].join(' ')

/** Names the session, or the lease, that has reserved the device. */
export const holderOf = (reservation: ViewedActor): string => {
  const { sessionId, note, keptBy } = reservation.work
  const named = sessionId === undefined ? `lease ${shortId(bareId(reservation))}` : `session ${shortId(sessionId)}`
  const owner = keptBy === undefined ? named : `${keptBy} (${named})`
  return note === undefined ? owner : `${owner}: ${note}`
}

/** The reservation that keeps everybody else from the device. */
export const reservationOf = (actors: ReadonlyMap<string, ViewedActor>, serial: string): ViewedActor | undefined =>
  [...actors.values()].find(
    ({ machine, state, work }) => machine === 'reservation' && state.startsWith('held') && work.deviceId === serial,
  )

export const workOf = (actor: ViewedActor): string => {
  const { work, machine } = actor
  if (machine === 'reservation') return reservationWords(actor)
  if (machine === 'skill-run' || machine === 'session') return work.deviceId === undefined ? '' : `on ${work.deviceId}`
  // The executions of a device tell its last work.
  if (machine === 'device' && !isBusy(actor)) return ''
  const { title, commandId, executionId, skillRunId } = work
  const main = title ?? commandId ?? (executionId && shortId(executionId)) ?? ''
  return machine === 'device' && skillRunId ? `${main} · run ${shortId(skillRunId)}` : main
}

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/^waiting$/, 'wait'],
  [/interrupted|unknown|unclear|indeterminate|doubt|overdue|lost/, 'doubt'],
  [/fail|broken|stuck|denied|offline|unauthorized|no permissions/, 'bad'],
  [
    /^(success|succeeded|settled|verified|ok|saved|device|running|resting\.running|provisioned|answered|known\.owned|inside\.serving)$/,
    'good',
  ],
  [/^(accepted|dispatched|active|running|busy|working|requested|sending|starting)/, 'busy'],
  [/^[A-Z][A-Z0-9_]+$/, 'bad'],
]

/** The tone of a word that the system uses: a state, a code, or the status of a step. */
export const toneOf = (word: string): Tone => TONES.find(([pattern]) => pattern.test(word))?.[1] ?? 'calm'

export const actorTone = ({ state, tags }: Pick<ViewedActor, 'state' | 'tags'>): Tone => {
  const tone = toneOf(state)
  return isBusy({ tags }) && tone !== 'doubt' && tone !== 'bad' ? 'busy' : tone
}

export interface Judged {
  tone: Tone
  word: string
}

/** How an execution stands, in one word; the code where it failed. */
export const standingOf = ({ state, code, inDoubt }: Pick<ExecutionSummary, 'state' | 'code' | 'inDoubt'>): Judged => {
  if (state === 'waiting') return { tone: 'wait', word: 'waiting' }
  if (state === 'accepted') return { tone: 'busy', word: 'accepted' }
  if (state === 'dispatched') return { tone: 'busy', word: 'running' }
  if (inDoubt) return { tone: 'doubt', word: code ?? 'unknown outcome' }
  if (code === 'success') return { tone: 'good', word: 'success' }
  return { tone: 'bad', word: code ?? state }
}
