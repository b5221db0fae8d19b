/** Section "Authoring skills": what is to be done in the store and in the folders of each agent. */
import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { DRAFT_NAME } from './changes.ts'
import { groupHosts, type Host, type HostGroup, missingParents } from './hosts.ts'
import { type AuthoringPackage, type Bundle, contentOf, isCurrent, ownershipOf } from './packages.ts'
import { type Entry, emptyPlan, entryAt, MARKER, missingFolders, ownerOnly, type Plan, readRegular } from './plan.ts'
import { readRecord } from './record.ts'
import { physicalPath } from './safe-folder.ts'

export const VERSION_FILE = 'version.txt'
const VERSION_CHARS_MAX = 256

export const storeIn = (home: string): string => join(home, 'bundled-skills')

interface AuthoringPlaces {
  /** `~/.svc`. */
  home: string
  hosts: readonly Host[]
}

export interface AuthoringOptions extends AuthoringPlaces {
  bundle: Bundle
  /** Only where something of ours is already. */
  isUpdate?: boolean
}

/** A link that leads to this very place in the store, however it is written. */
export const isLinkTo = (entry: Entry | undefined, at: string, target: string): boolean => {
  if (entry?.kind !== 'link') return false
  const named = resolve(dirname(at), entry.target)
  if (named === target) return true
  const [real, wanted] = [physicalPath(named), physicalPath(target)]
  return real.ok && wanted.ok && real.path === wanted.path
}

export const namesIn = (path: string): string[] => {
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}

const keptReason = (files: readonly string[]) =>
  `edited since svc wrote it (${files.join(', ')}): left unchanged; move it away to get the text of this version`

/** Text that somebody changed in a folder of ours: the folder alone is closed. */
const keep = (plan: Plan, path: string, files: readonly string[]): void => {
  plan.skipped.push({ path, reason: keptReason(files) })
  plan.changes.push(...ownerOnly(path))
}

const FOREIGN = 'is not from svc'

/** A real folder with the files of a package: in the store, or as a copy. */
const planFolder = (plan: Plan, path: string, each: AuthoringPackage, version: string, isOurLink: boolean): void => {
  const entry = entryAt(path)
  const ownership = entry && !isOurLink ? ownershipOf(entry, each.name) : undefined
  if (ownership?.kind === 'foreign') plan.conflicts.push({ path, reason: FOREIGN })
  else if (ownership?.kind === 'edited') keep(plan, path, ownership.files)
  else if (entry?.kind === 'folder' && isCurrent(entry, each, version)) plan.unchanged.push(path)
  else plan.changes.push({ path, make: { kind: 'folder', files: contentOf(each, version) }, over: entry?.identity })
}

const planLink = (plan: Plan, path: string, target: string, name: string): void => {
  const entry = entryAt(path)
  const ownership = entry && ownershipOf(entry, name)
  const where = entry?.kind === 'link' ? `is a link to ${entry.target} and ${FOREIGN}` : FOREIGN
  if (isLinkTo(entry, path, target)) plan.unchanged.push(path)
  else if (ownership?.kind === 'foreign') plan.conflicts.push({ path, reason: where })
  else if (ownership?.kind === 'edited') keep(plan, path, ownership.files)
  else plan.changes.push({ path, make: { kind: 'link', target }, over: entry?.identity })
}

/** Folders of others are not read through. */
const mayBeOurs = (path: string): boolean => {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts?.isDirectory()) return facts?.isSymbolicLink() === true
  return lstatSync(join(path, MARKER), { throwIfNoEntry: false }) !== undefined
}

/** Plans the removal of our entries that are not among `names`: packages of another version, and remains of a crash. */
export const planStale = (plan: Plan, folder: string, store: string, names: readonly string[]): void => {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const isDraft = DRAFT_NAME.exec(name)?.[1] === 'new'
    const entry = names.includes(name) || !(isDraft || mayBeOurs(path)) ? undefined : entryAt(path)
    if (!entry) continue
    const ownership = ownershipOf(entry, name)
    const isOurs = isDraft || ownership.kind === 'untouched' || isLinkTo(entry, path, join(store, name))
    if (isOurs) plan.changes.push({ path, make: { kind: 'nothing' }, over: entry.identity })
    else if (ownership.kind === 'edited') keep(plan, path, ownership.files)
  }
}

/** True when a group has a package of ours, of any version, as a link to the store or as a copy. */
const isUsed = ({ path }: HostGroup, store: string): boolean =>
  namesIn(path).some(name => {
    const at = join(path, name)
    const entry = mayBeOurs(at) ? entryAt(at) : undefined
    return (
      entry !== undefined && (isLinkTo(entry, at, join(store, name)) || ownershipOf(entry, name).kind !== 'foreign')
    )
  })

const planVersion = (plan: Plan, path: string, version: string): void => {
  const entry = entryAt(path)
  const bytes = Buffer.from(`${version}\n`)
  if (entry && entry.kind !== 'file') plan.conflicts.push({ path, reason: FOREIGN })
  else if (readRegular(path, VERSION_CHARS_MAX)?.equals(bytes)) {
    plan.unchanged.push(path)
    plan.changes.push(...ownerOnly(path))
  } else plan.changes.push({ path, make: { kind: 'file', bytes, mode: STATE_FILE_MODE }, over: entry?.identity })
}

const planStore = (plan: Plan, store: string, { packages, version }: Bundle): void => {
  const facts = lstatSync(store, { throwIfNoEntry: false })
  if (facts && !facts.isDirectory()) {
    plan.conflicts.push({ path: store, reason: `is not a directory and ${FOREIGN}` })
    return
  }
  plan.changes.push(...missingFolders(missingParents(store)), ...ownerOnly(dirname(store)), ...ownerOnly(store))
  for (const each of packages) planFolder(plan, join(store, each.name), each, version, false)
  planVersion(plan, join(store, VERSION_FILE), version)
}

const planGroup = (plan: Plan, group: HostGroup, store: string, bundle: Bundle): void => {
  plan.changes.push(...missingFolders(missingParents(group.path)))
  for (const each of bundle.packages) {
    const at = join(group.path, each.name)
    const target = join(store, each.name)
    if (group.representation === 'symlink') planLink(plan, at, target, each.name)
    else planFolder(plan, at, each, bundle.version, isLinkTo(entryAt(at), at, target))
  }
}

export const planAuthoring = ({ home, hosts, bundle, isUpdate = false }: AuthoringOptions): Plan => {
  const plan = emptyPlan()
  const physical = physicalPath(home)
  if (!physical.ok) return { ...plan, conflicts: [{ path: physical.path, reason: physical.problem }] }
  const store = storeIn(physical.path)
  const names = bundle.packages.map(({ name }) => name)
  planStore(plan, store, bundle)
  const { groups, problems } = groupHosts(hosts)
  plan.conflicts.push(...problems)
  for (const group of groups) {
    // An agent that looks into the store itself needs no link.
    if (group.path === store) continue
    if (!isUpdate || isUsed(group, storeIn(home))) planGroup(plan, group, storeIn(home), bundle)
    planStale(plan, group.path, storeIn(home), names)
  }
  // CODEX_HOME was another one once: a link that was left there leads nowhere by now.
  const earlier = groupHosts(readRecord(physical.path).hosts.map(dir => ({ host: 'codex', dir })))
  const isKnown = (path: string) => path === store || groups.some(group => group.path === path)
  for (const { path } of earlier.groups) if (!isKnown(path)) planStale(plan, path, storeIn(home), names)
  planStale(plan, store, storeIn(home), names)
  return plan
}
