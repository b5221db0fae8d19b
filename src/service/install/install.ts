/** Plans an installation and its removal before the first write, in the same way for --dry-run and for a real run. */
import { join } from 'node:path'
import { type AuthoringOptions, planAuthoring, planStale, storeIn, VERSION_FILE } from './authoring.ts'
import { planCompletionRemoval } from './completion-files.ts'
import { type HostSetupOptions, planHostRemoval, planHostSetup } from './host-setup.ts'
import { groupHosts, type Host } from './hosts.ts'
import { emptyPlan, entryAt, joinPlans, type Plan } from './plan.ts'
import { planRecord, readRecord, recordPath } from './record.ts'
import { physicalPath } from './safe-folder.ts'

interface InstallOptions {
  authoring?: AuthoringOptions | undefined
  hostSetup?: HostSetupOptions | undefined
}

/** Folders that are made outside of the home, to go again with an uninstall. */
const withRecord = (plan: Plan, home: string, { authoring }: InstallOptions): Plan => {
  const made = plan.changes.flatMap(({ path, make }) => (make.kind === 'directory' ? [path] : []))
  const outside = made.filter(
    path => path !== home && !path.startsWith(join(home, '/')) && !home.startsWith(join(path, '/')),
  )
  const hosts = authoring?.hosts.map(({ dir }) => dir) ?? []
  return { ...plan, changes: [...plan.changes, ...planRecord(home, { folders: outside, hosts })] }
}

export const planInstall = (options: InstallOptions): Plan => {
  const { authoring, hostSetup } = options
  const home = authoring?.home ?? hostSetup?.home
  const plan = joinPlans(
    authoring ? planAuthoring(authoring) : emptyPlan(),
    hostSetup ? planHostSetup(hostSetup) : emptyPlan(),
  )
  const physical = home === undefined ? undefined : physicalPath(home)
  return physical?.ok ? withRecord(plan, physical.path, options) : plan
}

interface UninstallOptions {
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
  return joinPlans(
    planAuthoringRemoval(home, [...hosts, ...recorded]),
    planHostRemoval({ home, userHome }),
    planCompletionRemoval(record.completions),
    planRecordRemoval(home, record.folders),
  )
}
