/** Ports of the host that lead to the device (forwards), and ports of the device that lead to the host (reverses). */
import * as v from 'valibot'
import { closedObject, openObject } from './objects.ts'
import { count } from './scalars.ts'

const PORT_MAX = 65_535
/** A Unix socket address has room for no more. */
const NAME_BYTES_MAX = 107
const SPEC_CHARS_MAX = 200

const TCP = /^tcp:(\d{1,5})$/
/** A semicolon separates the two ends in the words of adb. */
const NAMED = /^(?:localabstract|localreserved|localfilesystem):([^\p{Cc}\p{Cs};]+)$/u

/** The port of `tcp:<port>`; undefined for any other end. */
export const portIn = (end: string): number | undefined => {
  const [, digits] = TCP.exec(end) ?? []
  const port = Number(digits)
  return digits === undefined || port > PORT_MAX ? undefined : port
}

const encoder = new TextEncoder()

const isNamed = (end: string): boolean => {
  const [, name] = NAMED.exec(end) ?? []
  return name !== undefined && encoder.encode(name).length <= NAME_BYTES_MAX
}

/** Where connections go: no port 0. */
export const isTarget = (end: string): boolean => (portIn(end) ?? 0) > 0 || isNamed(end)
/** Where somebody listens: `tcp:0` has the system choose a free port. */
export const isListener = (end: string): boolean => portIn(end) !== undefined || isNamed(end)

export const END_WORDS = 'tcp:<port>, localabstract:<name>, localreserved:<name> or localfilesystem:<path>'

const end = (is: (text: string) => boolean, words: string) =>
  v.pipe(v.string(), v.maxLength(SPEC_CHARS_MAX), v.check(is, `must be ${words}`))
const target = end(isTarget, END_WORDS)
const listener = end(isListener, `${END_WORDS}; tcp:0 for any free port`)

/** Replaces what leads elsewhere from the same place. */
const replace = v.exactOptional(v.boolean())

/** Each of these has `local` at the host and `remote` at the device, whichever of them listens. */
export const ForwardBody = closedObject({ local: listener, remote: target, replace })
export const ReverseBody = closedObject({ local: target, remote: listener, replace })
export type PortsBody = v.InferOutput<typeof ForwardBody>

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
