/** The profile of WebDriver sessions: its report, and how its plans are made smaller. */
import { EPOCH } from '../clock.ts'
import { memoryDisk } from '../host/disk.ts'
import { sqliteDisk } from '../host/sqlite-disk.ts'
import type { Profile } from '../plan/profile.ts'
import { withoutParts } from '../plan/shrink.ts'
import { judgeSessions } from './laws.ts'
import { type SessionPlan, sessionPlanOf } from './plan.ts'
import { runSessionPlan, type SessionTrial } from './trial.ts'

const TEXT_CHARS = 200

const linesOf = ({ world: { story, records, taps } }: SessionTrial): string[] => {
  const lines = [
    ...story.log,
    ...story.seen.map(({ at, phone, wireId }) => ({ at: at - EPOCH, text: `phone ${phone} got ${wireId}` })),
    ...records.map(({ at, actor, event: { type, at: _, ...more }, to }) => ({
      at: at - EPOCH,
      text: `${actor} ${type} to ${to} ${JSON.stringify(more).slice(0, TEXT_CHARS)}`,
    })),
  ]
  const tapped = Object.entries(taps).filter(([, count]) => count > 0)
  return [
    ...lines.toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${String(at).padStart(8)} ${text}`),
    `taps: ${JSON.stringify(Object.fromEntries(tapped))}`,
  ]
}

function* simpler(plan: SessionPlan): Generator<SessionPlan> {
  for (const sessions of withoutParts(plan.sessions)) yield { ...plan, sessions }
  for (const faults of withoutParts(plan.faults)) yield { ...plan, faults }
  for (const asks of withoutParts(plan.asks)) yield { ...plan, asks }
  for (const [index, phone] of plan.phones.entries())
    if (phone.faults.length > 0)
      yield { ...plan, phones: plan.phones.map((one, at) => (at === index ? { ...one, faults: [] } : one)) }
  for (const [index, session] of plan.sessions.entries())
    for (const commands of withoutParts(session.commands))
      yield { ...plan, sessions: plan.sessions.map((one, at) => (at === index ? { ...one, commands } : one)) }
}

export const SESSIONS: Profile<SessionPlan> = {
  planOf: sessionPlanOf,
  async tried(plan, { sqlite, onEnd }) {
    const trial = await runSessionPlan(plan, { disk: sqlite ? sqliteDisk : memoryDisk, onEnd })
    const violations = judgeSessions(trial.world)
    const broken = violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says}`)
    return { ...trial, violations, report: () => [...broken, '', ...linesOf(trial), ''].join('\n') }
  },
  simpler,
  faultKinds: ({ faults, phones, sessions }) => [
    ...faults.map(({ kind }) => kind),
    ...phones.flatMap(phone => phone.faults.map(({ do: kind }) => `phone ${kind}`)),
    ...sessions.map(({ end }) => `client ${end.kind}`),
  ],
  sizeOf: ({ sessions, faults }) => `${sessions.length} clients, ${faults.length} faults`,
}
