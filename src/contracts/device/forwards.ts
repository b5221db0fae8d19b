/** Ports of the host that lead to the device (forwards), and ports of the device that lead to the host (reverses). */
import * as v from 'valibot'
import { closedObject, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])'
/** A Unix socket address has room for no more; a semicolon separates the two ends in the words of adb. */
const NAMED = '(?:localabstract|localreserved|localfilesystem):[^\\p{Cc}\\p{Cs};]{1,107}'

const TARGET = new RegExp(`^(?:tcp:${PORT}|${NAMED})$`, 'u')
const LISTENER = new RegExp(`^(?:tcp:(?:0|${PORT})|${NAMED})$`, 'u')

/** The port of `tcp:<port>`; undefined for any other end. */
export const portIn = (end: string): number | undefined =>
  end.startsWith('tcp:') && LISTENER.test(end) ? Number(end.slice('tcp:'.length)) : undefined

/** Where connections go: no port 0. */
export const isTarget = (end: string): boolean => TARGET.test(end)

/** Names the end at which somebody listens, and the one to which connections go. */
export const endsOf = (kind: 'forward' | 'reverse') =>
  kind === 'forward'
    ? ({ listens: 'local', target: 'remote' } as const)
    : ({ listens: 'remote', target: 'local' } as const)

/** A listening end that has the system choose a free port. */
export const ANY_PORT = 'tcp:0'

/** Where somebody listens: `tcp:0` has the system choose a free port. */
export const isListener = (end: string): boolean => LISTENER.test(end)

export const END_WORDS = 'tcp:<port>, localabstract:<name>, localreserved:<name> or localfilesystem:<path>'

const target = v.pipe(v.string(), v.regex(TARGET, `must be ${END_WORDS}`))
const listener = v.pipe(v.string(), v.regex(LISTENER, `must be ${END_WORDS}; tcp:0 for any free port`))

/** Replaces what leads elsewhere from the same place. */
const replace = v.exactOptional(v.boolean())

/** Each of these has `local` at the host and `remote` at the device, whichever of them listens. */
export const ForwardBody = closedObject({ local: listener, remote: target, replace })
export const ReverseBody = closedObject({ local: target, remote: listener, replace })

export const Forward = openObject({
  deviceId: v.string(),
  local: v.string(),
  remote: v.string(),
  /** `adb-server`, or the process of svc that ends it when it ends itself. */
  heldBy: v.union([v.literal('adb-server'), openObject({ pid: count })]),
})
export type Forward = v.InferOutput<typeof Forward>

export const ForwardResponse = openObject({ ok: v.literal(true), forward: Forward })
export type ForwardResponse = v.InferOutput<typeof ForwardResponse>
export const ForwardsResponse = openObject({ ok: v.literal(true), forwards: v.array(Forward), count })
export type ForwardsResponse = v.InferOutput<typeof ForwardsResponse>
export const ReverseResponse = openObject({ ok: v.literal(true), reverse: Forward })
export type ReverseResponse = v.InferOutput<typeof ReverseResponse>
export const ReversesResponse = openObject({ ok: v.literal(true), reverses: v.array(Forward), count })
export type ReversesResponse = v.InferOutput<typeof ReversesResponse>
