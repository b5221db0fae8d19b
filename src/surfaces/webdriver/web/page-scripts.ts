/** JavaScript of a suite in the page of the context, which is what execute/sync and execute/async are for. */
import { PAGE_SCRIPT_CHARS_MAX, PAGE_SCRIPT_MS } from '../../../contracts/limits/page-limits.ts'
import { invalid } from '../protocol/arguments.ts'
import type { LiveSession } from '../session/live-session.ts'
import { runPageScript } from './page-calls.ts'
import { withHandles, withIds } from './script-values.ts'

export interface Script {
  readonly script: string
  readonly args: readonly unknown[]
  readonly isAsync: boolean
}

export const runScript = async (session: LiveSession, { script, args, isAsync }: Script): Promise<unknown> => {
  const written = JSON.stringify(withHandles(session, args))
  if (script.length + written.length > PAGE_SCRIPT_CHARS_MAX)
    throw invalid(
      `The script and its arguments have ${script.length + written.length} characters, and at most ${PAGE_SCRIPT_CHARS_MAX} can be sent.`,
    )
  const timeoutMs = Math.min(session.timeouts.script, PAGE_SCRIPT_MS.max)
  return withIds(session, await runPageScript(session, { script, args: written, isAsync, timeoutMs }))
}
