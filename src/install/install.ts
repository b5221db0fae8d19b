/** The parts of `svc install` as plans: authoring skills, host setup, and what remembers that they were made. */
import { join } from 'node:path'
import { type AuthoringOptions, planAuthoring } from './authoring.ts'
import { type HostSetupOptions, planHostSetup } from './host-setup.ts'
import { emptyPlan, joined, type Plan } from './plan.ts'
import { planRecord } from './record.ts'
import { physicalPath } from './safe-folder.ts'

export interface InstallOptions {
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
  const plan = joined(
    authoring ? planAuthoring(authoring) : emptyPlan(),
    hostSetup ? planHostSetup(hostSetup) : emptyPlan(),
  )
  const physical = home === undefined ? undefined : physicalPath(home)
  return physical?.ok ? withRecord(plan, physical.path, options) : plan
}
