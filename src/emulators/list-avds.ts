/** The AVDs that `emulator -list-avds` names: some setups keep them where only the emulator looks. */
import { AVD_LIST_MS } from '../contracts/emulator-limits.ts'
import { isAvdName } from './avd-files.ts'
import type { EmulatorDeps } from './deps.ts'
import { runTool } from './run-tool.ts'
import { findTool } from './sdk.ts'

const NEVER = new AbortController().signal

export interface LookOptions {
  signal?: AbortSignal | undefined
  /** Whose process it is, for whoever cleans up after a dead host. */
  requestId?: string
}

/** Nothing when there is no emulator, or when it fails: then the files alone tell. */
export const listedBy = async (
  { env, clock }: EmulatorDeps,
  { signal = NEVER, requestId = 'list' }: LookOptions = {},
): Promise<string[]> => {
  const path = findTool('emulator', env)
  if (path === undefined) return []
  const until = clock.now() + AVD_LIST_MS
  const run = { tool: 'emulator', path, args: ['-list-avds'], env, clock, until, signal, requestId } as const
  const { problem, stdout } = await runTool(run)
  if (problem !== undefined) return []
  // Warnings and crash reports share the stream.
  return stdout
    .split('\n')
    .map(line => line.trim())
    .filter(isAvdName)
}
