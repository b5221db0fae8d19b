/** `svc uninstall`: what the installer made and nobody has changed. Skills, journal and everything else stay. */
import { join } from 'node:path'
import { planStale, storeIn, VERSION_FILE } from './authoring.ts'
import { planCompletionRemoval } from './completion-files.ts'
import { entryAt } from './entry.ts'
import { planHostRemoval } from './host-setup.ts'
import { groupHosts, type Host } from './hosts.ts'
import { emptyPlan, joined, type Plan } from './plan.ts'
import { readRecord, recordPath } from './record.ts'
import { physicalPath } from './safe-folder.ts'

export interface UninstallOptions {
  /** `~/.svc`. */
  home: string
  userHome: string
  hosts: readonly Host[]
}

const planAuthoringRemoval = (home: string, hosts: readonly Host[]): Plan => {
  const plan = emptyPlan()
  const store = storeIn(home)
  const { groups, problems } = groupHosts(hosts)
  plan.warnings.push(...problems.map(({ path, reason }) => `${path} ${reason}; it was not looked at`))
  for (const { path } of groups) if (path !== store) planStale(plan, path, store, [])
  planStale(plan, store, store, [])
  const version = join(store, VERSION_FILE)
  const entry = entryAt(version)
  if (entry?.kind === 'file') plan.changes.push({ path: version, make: { kind: 'nothing' }, over: entry.identity })
  if (entryAt(store)) plan.changes.push({ path: store, make: { kind: 'no-directory' } })
  return plan
}

const planRecordRemoval = (home: string, folders: readonly string[]): Plan => {
  const plan = emptyPlan()
  const path = recordPath(home)
  const entry = entryAt(path)
  // The innermost first. One that is not empty stays.
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    const found = physicalPath(folder)
    if (found.ok && found.exists && found.path === folder) {
      plan.changes.push({ path: folder, make: { kind: 'no-directory' } })
    }
  }
  if (entry?.kind === 'file') plan.changes.push({ path, make: { kind: 'nothing' }, over: entry.identity })
  return plan
}

export const planUninstall = ({ home: written, userHome, hosts }: UninstallOptions): Plan => {
  const physical = physicalPath(written)
  if (!physical.ok || !physical.exists) return planHostRemoval({ home: written, userHome })
  const home = physical.path
  const record = readRecord(home)
  const known = new Set(hosts.map(({ dir }) => dir))
  const recorded = record.hosts.filter(dir => !known.has(dir)).map((dir): Host => ({ host: 'codex', dir }))
  return joined(
    planAuthoringRemoval(home, [...hosts, ...recorded]),
    planHostRemoval({ home, userHome }),
    planCompletionRemoval(record.completions),
    planRecordRemoval(home, record.folders),
  )
}
