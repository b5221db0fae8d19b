/** The picture of the screen, or of a node on it, as a file of the host. */

import type { Bounds } from '../../contracts/device/ui-tree.ts'
import { cropPng } from '../crop-png.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { tooLargeAs } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { screenshotPathProblem, writeScreenshot } from '../screenshot-file.ts'
import type { HostStep, HostStepOptions } from './performer.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Devices with several displays print a warning in front of the picture, on the same stream. */
const SEARCHED_BYTES = 4_096
/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME_BYTES = 12

type FoundPng = { ok: true; png: Uint8Array } | { ok: false; problem: string }

const startIn = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SIGNATURE)

/** From the signature to the end of the IEND chunk; what is around them is dropped. */
export const findPng = (bytes: Uint8Array): FoundPng => {
  if (bytes.byteLength === 0) return { ok: false, problem: 'the device sent no data' }
  const start = startIn(bytes.subarray(0, SEARCHED_BYTES))
  if (start < 0) {
    const beginning = Buffer.from(bytes.subarray(0, 200))
      .toString('latin1')
      .replace(/[^\x21-\x7e]+/g, ' ')
      .trim()
    return { ok: false, problem: `the device did not send a PNG, but: ${beginning}` }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = start + SIGNATURE.length
  while (at + CHUNK_FRAME_BYTES <= bytes.byteLength) {
    const end = at + CHUNK_FRAME_BYTES + view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.byteLength) break
    if (type === 'IEND') return { ok: true, png: bytes.subarray(start, end) }
    at = end
  }
  return { ok: false, problem: `the PNG is cut off after ${bytes.byteLength} bytes` }
}

const SCREENSHOT_MS = 20_000

/** One complete PNG. */
const captureScreen = async ({ link, clock, deadline, signal }: HostStepOptions): Promise<Uint8Array> => {
  const call = { deadline: Math.min(deadline, clock.now() + SCREENSHOT_MS), signal, maxBytes: OUTPUT_BYTES_MAX.raw }
  const bytes = await link.exec('screencap -p', call).catch(tooLargeAs('EVIDENCE_CAPTURE_FAILED'))
  const found = findPng(bytes)
  if (found.ok) return found.png
  throw new StepFailure('EVIDENCE_CAPTURE_FAILED', found.problem)
}

const cropped = async (screen: Uint8Array, bounds: Bounds, options: HostStepOptions): Promise<Uint8Array> => {
  const crop = await cropPng(screen, bounds, options)
  if (crop.ok) return crop.png
  throw new StepFailure('EVIDENCE_CAPTURE_FAILED', crop.problem)
}

/** A path that may not be written is refused before the picture is taken. */
export const takeScreenshot: HostStep<'take_screenshot'> = async ({ path: named, matcher } = {}, options) => {
  const path = await options.screenshotPath(named)
  const problem = await screenshotPathProblem(path)
  if (problem !== undefined) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', problem)
  const bounds = matcher && (await options.boundsOf?.(matcher))
  const screen = await captureScreen(options)
  const png = bounds ? await cropped(screen, bounds, options) : screen
  const written = await writeScreenshot({ path, png, ownerOnlyIn: options.ownerOnlyIn })
  if (!written.ok) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', written.problem)
  return { path: written.path }
}
