/** Asks a device for the frames and the memory of an application: dumpsys gfxinfo and meminfo. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import type { Frames, Memory } from '../../contracts/device/perf.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { currentUser } from '../apps/current-user.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'

/** The number in the first line that fits; null without one. */
const figureIn = (output: string, pattern: RegExp): number | null => {
  const [, digits] = pattern.exec(output) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Several processes may have the name of the package: the main one is named exactly so. */
const blockOf = (output: string, head: RegExp, applicationId: string): string | undefined => {
  const blocks = output.split(head)
  const names = [...output.matchAll(new RegExp(head, 'gm'))].map(([line]) => line)
  const main = names.findIndex(line => line.includes(`[${applicationId}]`))
  return names.length === 0 ? undefined : blocks[Math.max(0, main) + 1]
}

const GRAPHICS = /^\*\* Graphics info for pid \d+ \[.*\] \*\*/m
const MEMORY = /^\*\* MEMINFO in pid \d+ \[.*\] \*\*/m

/** The statistics of the process come before those of each window. */
export const framesIn = (output: string, applicationId: string): Frames => {
  const block = blockOf(output, GRAPHICS, applicationId)
  const total = figureIn(block ?? '', /^Total frames rendered: (\d{1,12})/m)
  // Without a frame, Android prints the largest value that it counts.
  const percentile = (part: number) =>
    total === 0 || total === null ? null : figureIn(block ?? '', new RegExp(`^${part}th percentile: (\\d{1,9})ms`, 'm'))
  return {
    applicationId,
    running: block !== undefined,
    total,
    janky: figureIn(block ?? '', /^Janky frames: (\d{1,12})/m),
    p50: percentile(50),
    p90: percentile(90),
    p95: percentile(95),
    p99: percentile(99),
  }
}

/** Android 11 and newer say TOTAL PSS. */
export const memoryIn = (output: string, applicationId: string): Memory => {
  const block = blockOf(output, MEMORY, applicationId)
  const summary = block?.slice(Math.max(0, block.indexOf('App Summary'))) ?? ''
  return {
    applicationId,
    running: block !== undefined,
    totalPss: figureIn(summary, /^\s*TOTAL(?: PSS)?:\s+(\d{1,12})/m),
    java: figureIn(summary, /^\s*Java Heap:\s+(\d{1,12})/m),
    native: figureIn(summary, /^\s*Native Heap:\s+(\d{1,12})/m),
    graphics: figureIn(summary, /^\s*Graphics:\s+(\d{1,12})/m),
  }
}

const isInstalled = async (link: Link, call: CallOptions, applicationId: string): Promise<boolean> => {
  if (!isPackageName(applicationId)) return false
  const user = await currentUser(link, call)
  const line = commandLine('pm', 'path', '--user', user, applicationId)
  return /^package:/m.test((await link.shell(line, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })).stdout)
}

type Read<T> = (output: string, applicationId: string) => T

/** Undefined for an application that the device does not have. Rejects with LinkError. */
const asking =
  <T>(service: string, read: Read<T>) =>
  async (link: Link, call: CallOptions, applicationId: string): Promise<T | undefined> => {
    if (!(await isInstalled(link, call, applicationId))) return undefined
    const line = commandLine('dumpsys', service, applicationId)
    return read((await link.shell(line, { ...call, maxBytes: OUTPUT_BYTES_MAX.state })).stdout, applicationId)
  }

export const askFrames = asking('gfxinfo', framesIn)
export const askMemory = asking('meminfo', memoryIn)
