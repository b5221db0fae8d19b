/** Looks up the values that completion offers: in files, in the journal, and at an adb server that already runs. */

import { tcpDevices } from '../../../contracts/device/addresses.ts'
import { KEY_NAMES } from '../../../contracts/executions/key-names.ts'
import { DIRECTIONS, KEYS } from '../../../contracts/json/literals.ts'
import { MATCHER_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { WATCHED_NAMES } from '../../../contracts/records/machines.ts'
import { homeOf } from '../../../runtime/home.ts'
import { once } from '../../../runtime/once.ts'
import type { ScreenNode } from '../../../service/executions/screens/screen.ts'
import type { CommandContext, ValueKind } from '../command.ts'
import type { KnownJournal, KnownScreen } from './values/peek-journal.ts'
import { onOneLine, summaryLine } from './values/shown-text.ts'

export interface Candidate {
  word: string
  summary: string
}

/** The word that is being written, and the flags that stand before it. */
export interface ValueQuestion {
  current: string
  text(flag: string): string | undefined
  /** The skill whose script the word is for. */
  skill?: string | undefined
}

export type LiveValues = (kind: ValueKind, question: ValueQuestion) => Promise<readonly Candidate[]>

/** An adb server that is busy does not keep a person waiting. */
const SERVER_MS = 80
const EXECUTIONS_SHOWN = 20
const ACTORS_SHOWN = 50
const SUMMARY_CHARS = 80

const plain = (words: readonly string[], summary = ''): Candidate[] => words.map(word => ({ word, summary }))

const describe = ({ role, label, id, state }: ScreenNode, hides: 'label' | 'id'): string => {
  const name = hides === 'label' ? id.slice(id.indexOf('/') + 1) : label
  return onOneLine([role, name, ...state].filter(part => part !== '').join(' '), SUMMARY_CHARS)
}

/** The text of a password field is nobody's label. */
const isPassword = ({ state }: ScreenNode) => state.includes('password')

const labelsOn = ({ screen }: KnownScreen): Candidate[] =>
  screen.nodes
    .filter(node => node.label !== '' && node.label.length <= MATCHER_CHARS_MAX && !isPassword(node))
    .map(node => ({ word: node.label, summary: describe(node, 'label') }))

const idsOn = ({ screen }: KnownScreen): Candidate[] =>
  screen.nodes.filter(({ id }) => id !== '').map(node => ({ word: node.id, summary: describe(node, 'id') }))

const rolesOn = ({ screen }: KnownScreen): Candidate[] => {
  const counts = new Map<string, number>()
  for (const { role } of screen.nodes) counts.set(role, (counts.get(role) ?? 0) + 1)
  return [...counts].map(([word, count]) => ({ word, summary: `${count} on the last known screen` }))
}

const refsOn = ({ number, screen }: KnownScreen): Candidate[] =>
  screen.nodes.map((node, index) => ({ word: `@${number}.${index + 1}`, summary: describe(node, 'id') }))

const ON_SCREEN = { label: labelsOn, id: idsOn, role: rolesOn, ref: refsOn } as const

const executionsIn = (journal: KnownJournal, now: number, { current, text }: ValueQuestion): Candidate[] => {
  const deviceId = text('device')
  const newest = journal.executions({ limit: EXECUTIONS_SHOWN, deviceId })
  const candidate = (word: string, found: (typeof newest)[number]) => ({
    word,
    summary: onOneLine(summaryLine(found, now), SUMMARY_CHARS),
  })
  // Counting back is offered to those who have begun to.
  const counted = newest.slice(0, current.startsWith('last~') ? undefined : 1)
  const relative = counted.map((found, back) => candidate(back === 0 ? 'last' : `last~${back}`, found))
  const matching = current === '' ? newest : journal.executions({ limit: EXECUTIONS_SHOWN, deviceId, prefix: current })
  return [...relative, ...matching.map(found => candidate(found.executionId, found))]
}

const TEST_RUN = 'test-run:'

const testRunsIn = (journal: KnownJournal): Candidate[] => {
  const runs = journal
    .actors(ACTORS_SHOWN)
    .filter(({ actor }) => actor.startsWith(TEST_RUN))
    .map(({ actor, to }) => ({ word: actor.slice(TEST_RUN.length), summary: onOneLine(to, SUMMARY_CHARS) }))
  const [newest] = runs
  return newest ? [{ word: 'last', summary: `run ${newest.word}, ${newest.summary}` }, ...runs] : []
}

const RESERVATION = 'reservation:'
const HELD = 'held.ready'

const leasesIn = (journal: KnownJournal): Candidate[] =>
  journal
    .actors(ACTORS_SHOWN)
    .filter(({ actor, to }) => actor.startsWith(RESERVATION) && to === HELD)
    .map(({ actor }) => ({ word: actor.slice(RESERVATION.length), summary: 'reservation' }))

const unique = (candidates: readonly Candidate[]): Candidate[] => {
  const byWord = new Map<string, Candidate>()
  for (const each of candidates) if (!byWord.has(each.word)) byWord.set(each.word, each)
  return [...byWord.values()]
}

export const liveValues = (call: Pick<CommandContext, 'env' | 'cwd' | 'clock'>): LiveValues => {
  const { env, clock } = call
  const loadSkills = once(async () => {
    const { loadRegistry } = await import('../../../service/skills/registry/load.ts')
    return (registry: string | undefined) => {
      const found = loadRegistry({ registry, registryEnv: env.SVC_SKILLS_REGISTRY, cwd: call.cwd, home: homeOf(env) })
      return found.ok ? found.registry.skills : []
    }
  })

  const fromJournal = async <T>(read: (journal: KnownJournal) => readonly T[]): Promise<readonly T[]> => {
    const { openKnownJournal } = await import('./values/peek-journal.ts')
    const journal = openKnownJournal(env)
    try {
      return journal ? read(journal) : []
    } finally {
      journal?.close()
    }
  }

  const devices = async (): Promise<Candidate[]> => {
    const { devicesAtOnce } = await import('../../../service/doctor/devices-at-once.ts')
    const running = await devicesAtOnce({ env, clock, ms: SERVER_MS })
    const listed = running.devices.map(({ serial, state, model = '' }) => ({
      word: serial,
      summary: onOneLine(`${state} ${model}`, SUMMARY_CHARS),
    }))
    return [
      ...listed,
      ...plain(
        tcpDevices(env.SVC_TCP_DEVICES).map(({ serial }) => serial),
        'of SVC_TCP_DEVICES',
      ),
    ]
  }

  const apps = async (registry: string | undefined): Promise<Candidate[]> => {
    const seen = await fromJournal(journal => journal.apps()).catch(() => [])
    const ofSkills = (await loadSkills())(registry).map(({ applicationId }) => applicationId)
    return [...plain(seen, 'on a recent screen'), ...plain(ofSkills, 'has a skill')]
  }

  /** The inputs that the skill declares, as its script takes them. */
  const skillFlags = async (registry: string | undefined, skillId: string | undefined): Promise<Candidate[]> => {
    const found = (await loadSkills())(registry).find(({ id }) => id === skillId)
    const { inputs } = (found as { contract?: { inputs?: unknown } } | undefined)?.contract ?? {}
    if (typeof inputs !== 'object' || inputs === null) return []
    const { flagOf } = await import('../../../service/skills/result/verification.ts')
    return Object.entries(inputs).map(([name, type]) => ({
      word: flagOf(name),
      summary: onOneLine(`input of the skill, ${String(type)}`, SUMMARY_CHARS),
    }))
  }

  const avds = async (): Promise<Candidate[]> => {
    const { avdNames } = await import('../../../service/emulators/avd-files.ts')
    const { avdHome } = await import('../../../service/emulators/sdk.ts')
    return plain(avdNames(avdHome(env)).sort(), 'AVD')
  }

  const lookUp = async (kind: ValueKind, question: ValueQuestion): Promise<readonly Candidate[]> => {
    const { text, current } = question
    switch (kind) {
      case 'device':
        return devices()
      case 'key':
        // All keys at once would fill the terminal.
        return plain(current === '' ? KEYS : KEY_NAMES, 'key')
      case 'direction':
        return plain(DIRECTIONS, 'direction')
      case 'machine':
        return plain(WATCHED_NAMES, 'kind of actor')
      case 'skill':
        return (await loadSkills())(text('registry')).map(({ id, summary }) => ({
          word: id,
          summary: onOneLine(summary, SUMMARY_CHARS),
        }))
      case 'skill-flag':
        return skillFlags(text('registry'), question.skill)
      case 'avd':
        return avds()
      case 'app':
        return apps(text('registry'))
      case 'execution':
        return fromJournal(journal => executionsIn(journal, clock.now(), question))
      case 'test-run':
        return fromJournal(testRunsIn)
      case 'lease':
        return fromJournal(leasesIn)
      case 'actor':
        return fromJournal(journal =>
          journal.actors(ACTORS_SHOWN).map(({ actor, to }) => ({ word: actor, summary: onOneLine(to, SUMMARY_CHARS) })),
        )
      default:
        return fromJournal(journal => {
          const screen = journal.screen(text('device'))
          return screen ? ON_SCREEN[kind](screen) : []
        })
    }
  }

  /** There is no place for an error message: what cannot be looked up has no candidates. */
  return async (kind, question) => unique(await lookUp(kind, question).catch(() => []))
}
