/** Values that no client should send in the place of a number or a short text, and a server that must not mind them. */
import { expect } from 'vitest'

export const HOSTILE_VALUES: readonly unknown[] = [
  ...[1e308, -1e308, -1, 0.5, 1e-320, Number.MAX_SAFE_INTEGER + 1, true, [1], {}],
  ...['NaN', 'Infinity', '1e308', '-1', '', '0x10', '9'.repeat(100_000)],
]

/** No request of the others has work left that holds the server up. */
const PING_MS = 10_000

export const quickPing = async (url: string): Promise<void> => {
  const reply = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(PING_MS) })
  expect(reply.status).toBe(200)
  await reply.text()
}
