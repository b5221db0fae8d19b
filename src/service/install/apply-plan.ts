/** Applies a plan: one process at a time for a home, and only if there is something to do. */
import { join } from 'node:path'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { InstallReport } from '../../contracts/install.ts'
import { HOME_MODE } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { withLock } from '../../runtime/files/with-lock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { namesIn } from './authoring.ts'
import { applyChange, type Change } from './changes.ts'
import { entryAt, type Plan } from './plan.ts'
import { physicalPath } from './safe-folder.ts'

interface ApplyPlanOptions {
  home: string
  clock: Clock
  /** Called again under the lock: another process may have done it meanwhile. */
  plan(): Plan
  isDryRun: boolean
}

export type PlanResult = { ok: true; report: InstallReport } | { ok: false; error: ErrorObject }

const LOCK_NAME = 'install.lock'

const emptyReport = (): InstallReport => ({
  wrote: [],
  updated: [],
  removed: [],
  unchanged: [],
  skipped: [],
  refused: [],
  warnings: [],
})

const listOf = ({ make, over }: Change): 'wrote' | 'updated' | 'removed' => {
  if (make.kind === 'nothing' || make.kind === 'no-directory') return 'removed'
  return over === undefined && make.kind !== 'owner-only' ? 'wrote' : 'updated'
}

const startOf = ({ unchanged, skipped, warnings }: Plan): InstallReport => ({
  ...emptyReport(),
  unchanged,
  skipped,
  warnings: [...warnings],
})

const note = (report: InstallReport, change: Change): void => {
  const list = report[listOf(change)]
  if (!list.includes(change.path)) list.push(change.path)
}

/** A directory goes if everything in it goes. */
const willBeEmpty = (path: string, removed: readonly string[]): boolean =>
  namesIn(path).every(name => removed.includes(join(path, name)))

const planned = (plan: Plan): InstallReport => {
  const report = startOf(plan)
  for (const change of plan.changes) {
    if (change.make.kind !== 'no-directory' || willBeEmpty(change.path, report.removed)) note(report, change)
  }
  return report
}

const done = (plan: Plan): InstallReport => {
  const report = startOf(plan)
  for (const change of plan.changes) {
    const { path } = change
    const reason = applyChange(change)
    if (reason !== undefined && change.isOptional) report.warnings.push(`${path}: ${reason}`)
    else if (reason !== undefined) report.refused.push({ path, reason })
    else if (change.make.kind !== 'no-directory' || !entryAt(path)) note(report, change)
  }
  return report
}

/** The home is made before its lock can be taken. */
const withoutHome = (plan: Plan, written: string): Plan => {
  const home = physicalPath(written).path
  const isAbove = ({ path, make }: Change) =>
    make.kind === 'directory' && (path === home || home.startsWith(join(path, '/')))
  return { ...plan, changes: plan.changes.filter(change => !isAbove(change)) }
}

const inTheWay = ({ conflicts }: Plan): PlanResult => {
  const reasons = conflicts.map(({ path, reason }) => `${path} ${reason}`).join('; ')
  return {
    ok: false,
    error: failure('AUTHORING_SKILLS_CONFLICT', `Nothing was written: ${reasons}.`, {
      details: { conflicts },
      hint: 'Move or rename what is in the way, and run the command again.',
    }),
  }
}

const failed = (reason: string): PlanResult => ({
  ok: false,
  error: failure('INSTALL_FAILED', `Nothing was written: ${reason}.`),
})

export const applyPlan = async ({ home, clock, plan, isDryRun }: ApplyPlanOptions): Promise<PlanResult> => {
  try {
    const first = withoutHome(plan(), home)
    if (first.conflicts.length > 0) return inTheWay(first)
    if (isDryRun || first.changes.length === 0) return { ok: true, report: planned(first) }
    makeFolder(home, HOME_MODE)
    const locked = await withLock<PlanResult>({ path: join(home, LOCK_NAME), clock }, () => {
      const again = withoutHome(plan(), home)
      return again.conflicts.length > 0 ? inTheWay(again) : { ok: true, report: done(again) }
    })
    return locked.ok ? locked.value : failed(locked.problem)
  } catch (error) {
    return failed(messageOf(error))
  }
}
