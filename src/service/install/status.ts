/** `svc authoring-skills list` and `status`: what is in the store, and how the folder of each agent stands to it. */
import { basename, join } from 'node:path'
import type { AuthoringHost, AuthoringList, AuthoringStatus } from '../../contracts/install.ts'
import { type AuthoringOptions, isLinkTo, planAuthoring, storeIn } from './authoring.ts'
import { groupHosts, type Host, type HostGroup } from './hosts.ts'
import { ownershipOf, SKILL_FILE } from './packages.ts'
import { entryAt, type Plan } from './plan.ts'
import { physicalPath } from './safe-folder.ts'

/** The packages of this build that are in the store. */
export const listAuthoring = ({ home, bundle }: AuthoringOptions): AuthoringList => {
  const store = storeIn(home)
  const skills = bundle.packages
    .filter(({ name }) => {
      const entry = entryAt(join(store, name))
      return entry !== undefined && ownershipOf(entry, name).kind !== 'foreign'
    })
    .map(({ name }) => ({ name, skillPath: join(store, name, SKILL_FILE) }))
  return { skills, count: skills.length, installedDir: store }
}

/** The worst that is true of any of its entries. Text that somebody changed is of no version of ours: stale. */
const stateOf = (plan: Plan, group: HostGroup, names: readonly string[]): AuthoringHost['state'] => {
  const below = (path: string) => path === group.path || path.startsWith(join(group.path, '/'))
  if (plan.conflicts.some(({ path }) => below(path))) return 'conflict'
  const changes = plan.changes.filter(({ path }) => below(path))
  const missing = changes.filter(
    ({ path, make, over }) => over === undefined && names.includes(basename(path)) && make.kind !== 'directory',
  )
  if (missing.length > 0 || !group.exists) return 'missing'
  return changes.length > 0 || plan.skipped.some(({ path }) => below(path)) ? 'stale' : 'ok'
}

/** A link whose package in the store is not there leads nowhere. */
const isBroken = ({ path }: HostGroup, store: string, names: readonly string[]): boolean =>
  names.some(
    name =>
      isLinkTo(entryAt(join(path, name)), join(path, name), join(store, name)) && !physicalPath(join(path, name)).ok,
  )

const hostRow = (
  options: AuthoringOptions,
  plan: Plan,
  groups: readonly HostGroup[],
  { host, dir }: Host,
): AuthoringHost => {
  const names = options.bundle.packages.map(({ name }) => name)
  const group = groups.find(({ hosts }) => hosts.some(each => each.host === host && each.dir === dir))
  if (!group) return { host, dir, representation: host === 'agents' ? 'copy' : 'symlink', state: 'conflict' }
  const store = storeIn(options.home)
  const { representation } = group
  const state = stateOf(plan, group, names)
  return { host, dir, representation, state: state === 'ok' && isBroken(group, store, names) ? 'missing' : state }
}

export const authoringStatus = (options: AuthoringOptions): AuthoringStatus => {
  const plan = planAuthoring({ ...options, isUpdate: false })
  const { groups } = groupHosts(options.hosts)
  return { ...listAuthoring(options), hosts: options.hosts.map(host => hostRow(options, plan, groups, host)) }
}
