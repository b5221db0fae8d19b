/** Reads the policy file each time it is asked, unless it is unchanged. A file that cannot be used is told apart from none. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { POLICY_BYTES_MAX } from '../contracts/limits.ts'
import { Policy } from '../contracts/policy.ts'
import { problemsIn } from './problems.ts'

export type LoadedPolicy =
  /** Nobody wrote one: everything is allowed. */
  | { kind: 'none' }
  | { kind: 'policy'; path: string; policy: Policy }
  /** Denies everything. */
  | { kind: 'broken'; path: string; problem: string }

export interface PolicyFile {
  path: string
  /** By --policy or SVC_POLICY: then it must be there. */
  isNamed: boolean
}

/** SVC_POLICY, else the one of the home. */
export const policyFile = ({
  env,
  home,
}: {
  env: Readonly<Record<string, string | undefined>>
  home: string
}): PolicyFile => {
  const named = env.SVC_POLICY
  return named === undefined || named.trim() === ''
    ? { path: join(home, 'policy.json'), isNamed: false }
    : { path: named, isNamed: true }
}

export type LoadPolicy = () => LoadedPolicy

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
}

const problemOf = (error: unknown): string =>
  READ_PROBLEMS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))

const parse = (text: string): { policy: Policy } | { problem: string } => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { problem: `it is not JSON: ${problemOf(error)}` }
  }
  const result = v.safeParse(Policy, json)
  if (result.success) return { policy: result.output }
  return { problem: problemsIn(result.issues, json) }
}

const read = (path: string): LoadedPolicy => {
  const parsed = parse(readFileSync(path, 'utf8'))
  return 'policy' in parsed ? { kind: 'policy', path, ...parsed } : { kind: 'broken', path, ...parsed }
}

export const createPolicy = ({ path, isNamed }: PolicyFile): LoadPolicy => {
  let known: { mark: string; loaded: LoadedPolicy } | undefined
  return () => {
    try {
      // Asked for every execution: most homes have none. A link that leads nowhere is somebody's policy.
      const link = lstatSync(path, { throwIfNoEntry: false })
      if (!link && !isNamed) {
        known = undefined
        return { kind: 'none' }
      }
      const stat = link?.isFile() ? link : statSync(path)
      const { ino, size, mtimeMs, ctimeMs } = stat
      if (!stat.isFile()) return { kind: 'broken', path, problem: 'it is not a file' }
      const mark = [ino, size, mtimeMs, ctimeMs].join()
      if (known?.mark === mark) return known.loaded
      const loaded: LoadedPolicy =
        size > POLICY_BYTES_MAX
          ? { kind: 'broken', path, problem: `it is longer than ${POLICY_BYTES_MAX} bytes` }
          : read(path)
      known = { mark, loaded }
      return loaded
    } catch (error) {
      known = undefined
      return { kind: 'broken', path, problem: problemOf(error) }
    }
  }
}
