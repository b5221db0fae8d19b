/** A command that may be proxied, and the selection rules that need no look at any daemon. */
import { isAbsolute } from 'node:path'
import type { ScreenOptions } from '../../../contracts/device/screen.ts'
import type { CommandKind } from '../../../contracts/events/dispatch.ts'
import { isScreenshotType, PATH_KEYS } from '../../../contracts/executions/screenshot-aliases.ts'
import { hostPathsOf } from '../../../contracts/host-paths.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../../contracts/json/literals.ts'
import { BODY_BYTES, ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { asObject } from '../../../runtime/files/small-file.ts'

export interface ProxyCommand {
  kind: CommandKind
  /** The payload as the caller wrote it, validated or not: the daemon validates it either way. */
  execution: unknown
  /** The raw `--device` value. */
  device: string | undefined
  /** Left out when the caller named none: then the daemon chooses one by the device. */
  operatorPackage: string | undefined
  /** Names a route other than /execute that ends in an execution; `execution` is the body then. */
  path?: string | undefined
  /** The run of a skill that asks for this. */
  skillRunId?: string | undefined
  /** The reservation that it belongs to. */
  leaseId?: string | undefined
  /** The caller's wishes about the screen, and how long it waits for a busy device. */
  options?: (ScreenOptions & { waitMs?: number }) | undefined
}

/** Under any name that the path may have: one that is relative must resolve from the caller's directory. */
export const hasRelativePath = (execution: unknown): boolean => {
  const actions = asObject(execution)?.actions
  if (!Array.isArray(actions)) return false
  return actions.some(action => {
    const named = asObject(action) ?? {}
    const { type, params } = named
    const { reads, writes } = hostPathsOf(named)
    if ([...reads, ...writes].some(path => !isAbsolute(path))) return true
    if (!isScreenshotType(type)) return false
    const values = asObject(params) ?? {}
    return PATH_KEYS.some(key => {
      const path = values[key]
      return typeof path === 'string' && !isAbsolute(path)
    })
  })
}

/** Section Limits: the POST is bounded by `timeoutMs + 5000`; by the longest one when the payload names none. */
export const answerWait = ({ execution, options }: Pick<ProxyCommand, 'execution' | 'options'>): number => {
  const { timeoutMs, timeout_ms: alias, waitMs = options?.waitMs } = asObject(execution) ?? {}
  const timeout = timeoutMs ?? alias
  const { max } = EXECUTION_TIMEOUT_MS
  return (
    (Number(waitMs) || 0) +
    (typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, max) : max) +
    ENVELOPE_GRACE_MS
  )
}

export const commandIdOf = (execution: unknown): string | undefined => {
  const { commandId, command_id: alias } = asObject(execution) ?? {}
  const id = commandId ?? alias
  return typeof id === 'string' ? id : undefined
}

/** Undefined for what the daemon would not read. */
export const bodyOf = ({ execution, device, operatorPackage, options, path }: ProxyCommand): Buffer | undefined => {
  if (asObject(execution) === undefined) return undefined
  try {
    const request = {
      execution,
      operatorPackage: operatorPackage ?? DEFAULT_OPERATOR_PACKAGE,
      ...(device?.trim() ? { deviceId: device } : {}),
      ...options,
    }
    const body = Buffer.from(JSON.stringify(path ? execution : request))
    return body.length <= BODY_BYTES ? body : undefined
  } catch {
    // Nested deeper than can be written.
    return undefined
  }
}
