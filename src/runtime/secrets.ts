/** Values that nobody may read later: in everything that is kept or told, a token stands in their place. */
import { createHmac, randomBytes } from 'node:crypto'
import type { KnownSecret } from '../contracts/doors/request-context.ts'
import type { Clock, Timer } from './clock.ts'
import { numberedSpellings, spellingPattern } from './secret-spellings.ts'
import { mapTexts, type Place } from './svc-words.ts'

/** The secrets of one run of flows or of one execution. Nobody else gets its values in the place of tokens. */
export interface OwnSecrets {
  /** For a host of the fleet that carries out what holds their tokens. */
  list(): readonly KnownSecret[]
  /** Puts tokens in the place of all values that this process knows, those of others included. */
  conceal(text: string): string
  /** The same for every text in JSON, keys included, but for words of svc; the same object where nothing is replaced. */
  concealAll<T>(json: T, words?: Place): T
  /** Puts values in the place of its own tokens. */
  reveal(text: string): string
  revealAll<T>(json: T): T
}

export interface Secrets extends Pick<OwnSecrets, 'conceal' | 'concealAll'> {
  /** Remembers a value under a name for its owner until the returned function is called. An empty value is no secret. */
  add(owner: string, name: string, value: string): () => void
  /** The token of a value, also of one that is not remembered. */
  tokenOf(name: string, value: string): string
  /** Remembers for an owner what another host has given tokens to, until the returned function is called. */
  borrow(owner: string, secrets: readonly KnownSecret[]): () => void
  /** Calls a function of `add` or `borrow` after so many ms, or when this is closed. */
  forgetLater(forget: () => void, ms: number, clock: Clock): void
  /** Nothing waits to be forgotten any more. */
  close(): void
  of(owner: string): OwnSecrets
  /** A digest against which nobody can try values. */
  digest(text: string): string
  /** True while at least one value is remembered. */
  readonly isNeeded: boolean
}

const DIGEST_CHARS = 12
const DIGESTS = 16 ** DIGEST_CHARS
const TOKEN = /\[secret \w+ [0-9a-f]{12}\]/g
/** True where a token stands in the place of a secret, whoever knows that one. */
export const hasTokens = (json: unknown): boolean => new RegExp(TOKEN.source).test(JSON.stringify(json))

const ONE_TOKEN = /^(\[secret \w+ )([0-9a-f]{12})\]$/

/** The digest of a spelling follows from the one of the value: where it is revealed, it is spelled as it was. */
const spelledToken = (token: string, number: number): string => {
  const [, begin, digest = ''] = ONE_TOKEN.exec(token) ?? []
  if (begin === undefined || number === 0) return token
  const numbered = (Number.parseInt(digest, 16) + number) % DIGESTS
  return `${begin}${numbered.toString(16).padStart(DIGEST_CHARS, '0')}]`
}

interface SpelledSecret extends KnownSecret {
  readonly pattern: RegExp
  readonly tokens: ReadonlyMap<string, string>
}

const spelledSecret = ({ value, token }: KnownSecret): SpelledSecret => ({
  value,
  token,
  pattern: spellingPattern(value),
  tokens: new Map([...numberedSpellings(value)].map(([spelling, number]) => [spelling, spelledToken(token, number)])),
})

interface Span {
  readonly from: number
  to: number
  readonly token: string
}

/** Where texts of two secrets overlap, none of both is left in part: the second token follows the first. */
const replaceSpans = (text: string, spans: Span[]): string => {
  spans.sort((one, other) => one.from - other.from || other.to - one.to)
  let result = ''
  let end = 0
  for (const { from, to, token } of spans) {
    if (to <= end) continue
    result += text.slice(end, Math.max(from, end)) + token
    end = to
  }
  return result + text.slice(end)
}

const spansIn = (text: string, secrets: Iterable<SpelledSecret>): Span[] => {
  const spans: Span[] = []
  for (const { pattern, tokens, token } of secrets)
    for (const { 0: spelling, index } of text.matchAll(pattern))
      spans.push({ from: index, to: index + spelling.length, token: tokens.get(spelling) ?? token })
  return spans
}

interface Known {
  readonly secret: SpelledSecret
  readonly count: number
}

/** Tokens are keyed digests: nobody can try values against a token that was kept. */
export const createSecrets = (homeKey?: () => Uint8Array): Secrets => {
  const ownKey = randomBytes(32)
  const key = homeKey ?? (() => ownKey)
  /** With how many have remembered it: an execution borrows what its own process knows already. */
  const known = new Map<string, Known>()
  const owners = new Map<string, readonly (readonly SpelledSecret[])[]>()
  let spelled: readonly SpelledSecret[] = []
  /** The tokens of all spellings, which are left as they are. */
  let tokens: ReadonlySet<string> = new Set()
  const hmac = (text: string) => createHmac('sha256', key()).update(text).digest('hex')
  const tokenOf = (name: string, value: string) => `[secret ${name} ${hmac(value).slice(0, DIGEST_CHARS)}]`
  const refresh = () => {
    spelled = [...known.values()].map(({ secret }) => secret)
    tokens = new Set(spelled.flatMap(secret => [secret.token, ...secret.tokens.values()]))
  }

  const replaceIn = (text: string) => {
    const spans = spansIn(text, spelled)
    return spans.length === 0 ? text : replaceSpans(text, spans)
  }
  /** A token may hold a text that is a secret itself, so what stands between tokens is looked at alone. */
  const conceal = (text: string): string => {
    let result = ''
    let end = 0
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (!tokens.has(token)) continue
      result += replaceIn(text.slice(end, index)) + token
      end = index + token.length
    }
    return result + replaceIn(text.slice(end))
  }
  const concealAll = <T>(json: T, words?: Place): T => (known.size === 0 ? json : (mapTexts(json, conceal, words) as T))

  const countOne = (added: KnownSecret): SpelledSecret => {
    const id = `${added.token} ${added.value}`
    const { secret, count } = known.get(id) ?? { secret: spelledSecret(added), count: 0 }
    known.set(id, { secret, count: count + 1 })
    return secret
  }
  const forgetOne = ({ token, value }: KnownSecret) => {
    const id = `${token} ${value}`
    const entry = known.get(id)
    if (entry && entry.count > 1) known.set(id, { ...entry, count: entry.count - 1 })
    else known.delete(id)
  }
  const remember = (owner: string, added: readonly KnownSecret[]) => {
    const secrets = added.filter(({ value }) => value !== '').map(countOne)
    if (secrets.length === 0) return () => {}
    owners.set(owner, [...(owners.get(owner) ?? []), secrets])
    refresh()
    let isForgotten = false
    return () => {
      if (isForgotten) return
      isForgotten = true
      secrets.forEach(forgetOne)
      const others = (owners.get(owner) ?? []).filter(each => each !== secrets)
      if (others.length > 0) owners.set(owner, others)
      else owners.delete(owner)
      refresh()
    }
  }

  const later = new Map<() => void, Timer>()
  const endWait = (forget: () => void) => {
    later.get(forget)?.cancel()
    later.delete(forget)
    forget()
  }

  const of = (owner: string): OwnSecrets => {
    const owned = () => (owners.get(owner) ?? []).flat()
    const revealing = () => {
      const texts = new Map(
        owned().flatMap(({ tokens: ownTokens }) => [...ownTokens].map(([text, token]) => [token, text])),
      )
      return (text: string) => text.replace(TOKEN, token => texts.get(token) ?? token)
    }
    return {
      conceal,
      concealAll,
      list: () => [...new Map(owned().map(({ token, value }) => [token, { token, value }])).values()],
      reveal: text => revealing()(text),
      revealAll: json => (owners.has(owner) ? (mapTexts(json, revealing()) as typeof json) : json),
    }
  }

  return {
    conceal,
    concealAll,
    of,
    tokenOf,
    add: (owner, name, value) => remember(owner, [{ value, token: tokenOf(name, value) }]),
    borrow: remember,
    forgetLater: (forget, ms, clock) =>
      void later.set(
        forget,
        clock.at(clock.now() + ms, () => endWait(forget), { idle: true }),
      ),
    close: () => [...later.keys()].forEach(endWait),
    digest: hmac,
    get isNeeded() {
      return known.size > 0
    },
  }
}
