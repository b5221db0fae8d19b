/** The shapes that the library takes from the platform, so that its declarations need no types of Node or of browsers. */

/** An `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export type JsonRecord = { [key: string]: unknown }

/** Undefined for a text that is no JSON object. */
export const readObject = (text: string): JsonRecord | undefined => {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const asRecord = (value: unknown): JsonRecord | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined

/** Without the fields that are undefined. */
export const definedFields = (fields: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
