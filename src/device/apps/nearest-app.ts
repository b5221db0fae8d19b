/** The installed application that a name which is not installed was probably meant to be: asked of the device after a failure only. */

import { distance } from '../../runtime/text/nearest-word.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'

const NAME_CHARS_MAX = 255
/** Shorter parts are in many names. */
const PART_CHARS_MIN = 3

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Never the name itself; undefined where none is near. */
export const nearestPackage = (wanted: string, installed: readonly string[]): string | undefined => {
  const name = wanted.toLowerCase()
  if (name.length > NAME_CHARS_MAX) return undefined
  const others = installed.filter(each => each !== wanted).sort()
  const part = lastPart(name)
  const slip = Math.max(1, Math.floor(part.length / 3))
  const within = (one: string, other: string) =>
    Math.abs(one.length - other.length) <= slip && distance(one, other) <= slip
  const hasPart = (each: string) => part.length >= PART_CHARS_MIN && within(part, lastPart(each))
  return (
    others.find(each => each.toLowerCase() === name) ??
    others.find(each => within(name, each.toLowerCase())) ??
    others.find(each => name.startsWith(`${each.toLowerCase()}.`)) ??
    others.find(hasPart) ??
    others.find(each => part === name && part.length >= PART_CHARS_MIN && each.toLowerCase().includes(part))
  )
}

const PACKAGE_LINE = /^package:([\w.]+)\s*$/gm

/** Undefined also where the device does not say. */
export const nearestInstalled = async (link: Link, wanted: string, call: CallOptions): Promise<string | undefined> => {
  try {
    const { stdout } = await link.shell('pm list packages', { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
    const installed = [...stdout.matchAll(PACKAGE_LINE)].flatMap(([, name]) => name ?? [])
    return nearestPackage(wanted, installed)
  } catch {
    return undefined
  }
}
