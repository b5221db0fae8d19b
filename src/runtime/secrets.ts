/** Values that nobody may read later: in everything that is kept or told, a token stands in their place. */
import { createHmac, randomBytes } from 'node:crypto'
import type { KnownSecret } from '../contracts/request-context.ts'

export interface Secrets {
  /** Remembers a value under a name until the returned function is called. An empty value is no secret. */
  add(name: string, value: string): () => void
  /** The token of a value, also of one that is not remembered. */
  tokenOf(name: string, value: string): string
  /** The remembered ones, for a host of the fleet that carries out what holds their tokens. */
  list(): readonly KnownSecret[]
  /** Remembers what another host has given tokens to, until the returned function is called. */
  borrow(secrets: readonly KnownSecret[]): () => void
  /** Puts tokens in the place of values. */
  conceal(text: string): string
  /** Puts values in the place of tokens. */
  reveal(text: string): string
  /** The same for every value in JSON; the same object where there is nothing to replace. */
  concealAll<T>(json: T): T
  revealAll<T>(json: T): T
  /** True while at least one value is remembered. */
  readonly isNeeded: boolean
}

const DIGEST_CHARS = 12

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** A lone surrogate has no form there. */
const inUrl = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    return value
  }
}

/** A value as it stands in a text, in XML, in JSON and in a URL. */
const spellings = (value: string): readonly string[] => [
  ...new Set([
    value,
    value.replace(/[&<>"']/g, found => XML[found] ?? found),
    value.replace(/[&<>"]/g, found => XML[found] ?? found),
    JSON.stringify(value).slice(1, -1),
    inUrl(value),
    inUrl(value).replace(/[!'()*]/g, found => `%${found.charCodeAt(0).toString(16).toUpperCase()}`),
  ]),
]

/** The values of these keys are words of svc itself, in which a common secret must not be found. */
const WORDS_OF_SVC: ReadonlySet<string> = new Set([
  ...['type', 'actionType', 'status', 'code', 'errorCode', 'verdict', 'kind', 'state', 'stage', 'id', 'executionId'],
  ...['flowRunId', 'testRunId', 'deviceId', 'operatorPackage', 'expectedFormat', 'terminalSource', 'source', 'role'],
])

const mapTexts = (json: unknown, change: (text: string) => string): unknown => {
  if (typeof json === 'string') return change(json)
  if (Array.isArray(json)) {
    const changed = json.map(each => mapTexts(each, change))
    return changed.some((each, at) => each !== json[at]) ? changed : json
  }
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json)
  const changed = entries.map(([key, value]) => [key, WORDS_OF_SVC.has(key) ? value : mapTexts(value, change)] as const)
  const isSame = changed.every(([, value], at) => value === entries[at]?.[1])
  return isSame ? json : Object.fromEntries(changed)
}

/** Tokens are keyed digests: nobody can try values against a token that was kept. */
export const createSecrets = (homeKey?: () => Uint8Array): Secrets => {
  const ownKey = randomBytes(32)
  const key = homeKey ?? (() => ownKey)
  /** By token, with how many have remembered it: an execution borrows what its own process knows already. */
  const counts = new Map<string, { secret: KnownSecret; count: number }>()
  let known: readonly KnownSecret[] = []
  let spelled: readonly (readonly [spelling: string, token: string])[] = []
  const refresh = () => {
    known = [...counts.values()].map(({ secret }) => secret)
    // Longer ones first: a secret may hold another one.
    spelled = known
      .flatMap(({ value, token }) => spellings(value).map(spelling => [spelling, token] as const))
      .sort(([one], [other]) => other.length - one.length)
  }
  const digest = (value: string) => createHmac('sha256', key()).update(value).digest('hex').slice(0, DIGEST_CHARS)
  const conceal = (text: string) => spelled.reduce((now, [spelling, token]) => now.replaceAll(spelling, token), text)
  const reveal = (text: string) => known.reduce((now, { value, token }) => now.replaceAll(token, value), text)
  const all =
    (change: (text: string) => string) =>
    <T>(json: T): T =>
      known.length === 0 ? json : (mapTexts(json, change) as T)
  const tokenOf = (name: string, value: string) => `[secret ${name} ${digest(value)}]`
  const remember = (secrets: readonly KnownSecret[]) => {
    const own = secrets.filter(({ value }) => value !== '')
    for (const secret of own) {
      const { count = 0 } = counts.get(secret.token) ?? {}
      counts.set(secret.token, { secret, count: count + 1 })
    }
    refresh()
    let isForgotten = false
    return () => {
      if (isForgotten) return
      isForgotten = true
      for (const { token } of own) {
        const entry = counts.get(token)
        if (!entry) continue
        if (entry.count > 1) counts.set(token, { ...entry, count: entry.count - 1 })
        else counts.delete(token)
      }
      refresh()
    }
  }
  return {
    add(name, value) {
      if (value === '') return () => {}
      return remember([{ value, token: tokenOf(name, value) }])
    },
    tokenOf,
    list: () => known,
    borrow: remember,
    conceal,
    reveal,
    concealAll: all(conceal),
    revealAll: all(reveal),
    get isNeeded() {
      return known.length > 0
    },
  }
}
