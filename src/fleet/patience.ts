/** How long the answer of another host is waited for: as long as its route may take. */
import { ENVELOPE_GRACE_MS, SKILL_TIMEOUT_MS } from '../contracts/limits.ts'

/** To find and open the device, and for the way there and back. */
const AROUND_MS = 30_000
const CAPTURE_MS = 30_000
const OTHER_MS = 60_000
const LONGEST_MS = 2 * 60 * 60_000

const numberIn = (body: unknown, key: string): number | undefined => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[key] : undefined
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
}

export const withinOf = (path: string, body: unknown): number => {
  const work = (): number => {
    if (path === '/execute') {
      const { execution } = (body ?? {}) as { execution?: unknown }
      return (numberIn(execution, 'timeoutMs') ?? CAPTURE_MS) + ENVELOPE_GRACE_MS
    }
    if (path.startsWith('/skills/')) return numberIn(body, 'timeoutMs') ?? SKILL_TIMEOUT_MS
    return path.endsWith('/resume') ? LONGEST_MS : OTHER_MS
  }
  return Math.min(work() + AROUND_MS, LONGEST_MS)
}
