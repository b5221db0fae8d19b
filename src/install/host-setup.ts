/** `svc host setup`: the guide in the home, and the block that leads agents to it. */
import { dirname, join } from 'node:path'
import { SHARED_GUIDE_BYTES_MAX, STATE_FILE_MODE } from '../contracts/limits.ts'
import { withBridge, withoutBridge } from './bridge.ts'
import { entryAt, readRegular } from './entry.ts'
import { type GuideOptions, guideOwner, guideText } from './guide.ts'
import { missingAbove } from './hosts.ts'
import type { Edited } from './marked-block.ts'
import { emptyPlan, missingFolders, type Plan, privately } from './plan.ts'
import { physicalPath } from './safe-folder.ts'

export interface HostSetupPlaces {
  /** `~/.svc`. */
  home: string
  userHome: string
}

export interface HostSetupOptions extends HostSetupPlaces {
  guide: GuideOptions
}

export const guidePath = (home: string): string => join(home, 'AGENTS.md')
export const sharedGuidePath = (userHome: string): string => join(userHome, '.agents', 'AGENTS.md')

const KEPT = {
  foreign: 'was not written by svc: kept as it is',
  edited: 'changed by somebody: kept as it is; move it away for a new one',
}

const planGuide = ({ home, guide }: HostSetupOptions): Plan => {
  const plan = emptyPlan()
  const physical = physicalPath(home)
  if (!physical.ok) return { ...plan, conflicts: [{ path: physical.path, reason: physical.problem }] }
  const path = guidePath(physical.path)
  const text = guideText(guide)
  const entry = entryAt(path)
  const before = entry && readRegular(path, SHARED_GUIDE_BYTES_MAX)?.toString('utf8')
  const owner = guideOwner(before ?? '')
  const changes = [...privately(physical.path), ...(owner === 'foreign' ? [] : privately(path))]
  if (before === text) return { ...plan, unchanged: [path], changes }
  if (entry && owner !== 'ours') return { ...plan, skipped: [{ path, reason: KEPT[owner] }], changes }
  const make = { kind: 'file', bytes: Buffer.from(text), mode: STATE_FILE_MODE } as const
  return {
    ...plan,
    changes: [
      ...missingFolders(missingAbove(dirname(path))),
      ...privately(physical.path),
      { path, make, over: entry?.identity },
    ],
  }
}

/** One character a byte: whatever the encoding of the file is, what we do not touch comes out as it was. */
const BYTES = 'latin1'

const blockLines = (home: string): string[] => [
  '## svc: Android devices',
  '',
  `To use an Android device or emulator, run \`svc\`. Read \`${guidePath(home)}\` first.`,
  'Find skills with `svc skills search <keyword>`, `svc skills for-app <package>` and `svc skills list`;',
  'run one with `svc skills run <skill_id>`.',
]

/** Every trouble with a file that is not ours is a warning: the rest of the setup does not depend on it. */
const planShared = (userHome: string, change: (text: string) => Edited): Plan => {
  const plan = emptyPlan()
  const folder = physicalPath(dirname(sharedGuidePath(userHome)))
  const path = sharedGuidePath(userHome)
  const entry = folder.ok && folder.exists ? entryAt(join(folder.path, 'AGENTS.md')) : undefined
  if (!folder.ok || !entry) return plan
  const leave = (reason: string): Plan => ({ ...plan, skipped: [{ path, reason }], warnings: [`${path}: ${reason}`] })
  if (entry.kind !== 'file') return leave(`is a ${entry.kind === 'link' ? 'symbolic link' : entry.kind}, left alone`)
  const text = readRegular(path, SHARED_GUIDE_BYTES_MAX)?.toString(BYTES)
  if (text === undefined) return leave(`cannot be read, or is longer than ${SHARED_GUIDE_BYTES_MAX} bytes`)
  const changed = change(text)
  if (!changed.ok) return leave(changed.reason)
  const at = join(folder.path, 'AGENTS.md')
  if (changed.text === text) return { ...plan, unchanged: [at] }
  const make = { kind: 'file', bytes: Buffer.from(changed.text, BYTES), mode: entry.mode } as const
  return { ...plan, changes: [{ path: at, make, over: entry.identity, isOptional: true }] }
}

/** A home with other than ASCII characters is written in UTF-8, as everything around it most often is. */
const asBytes = (line: string) => Buffer.from(line, 'utf8').toString(BYTES)

export const planHostSetup = (options: HostSetupOptions): Plan => {
  const { home, userHome } = options
  const guide = planGuide(options)
  const bridge = planShared(userHome, text => withBridge(text, blockLines(home).map(asBytes)))
  return {
    changes: [...guide.changes, ...bridge.changes],
    unchanged: [...guide.unchanged, ...bridge.unchanged],
    skipped: [...guide.skipped, ...bridge.skipped],
    conflicts: guide.conflicts,
    warnings: bridge.warnings,
  }
}

/** The guide, if it is as we wrote it, and the block. */
export const planHostRemoval = ({ home, userHome }: HostSetupPlaces): Plan => {
  const plan = planShared(userHome, withoutBridge)
  plan.unchanged = []
  const physical = physicalPath(home)
  const path = guidePath(physical.path)
  const entry = physical.ok ? entryAt(path) : undefined
  if (!entry) return plan
  const owner = guideOwner(readRegular(path, SHARED_GUIDE_BYTES_MAX)?.toString('utf8') ?? '')
  if (owner === 'ours') plan.changes.push({ path, make: { kind: 'nothing' }, over: entry.identity })
  else plan.skipped.push({ path, reason: KEPT[owner] })
  return plan
}
