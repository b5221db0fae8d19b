/** The screen of a simulated phone as its recordings see it: small, never still, turned by hand; and the files that they leave. */
import type { SimulatedPhone } from '../../../src/simulator/device.ts'

export interface PhoneVideo {
  turn(rotation: number): void
  /** The last content of each file of a segment, by its path from the folder of temporary files. */
  segments(): ReadonlyMap<string, Uint8Array>
  /** How many programs that record run. */
  recorders(): number
  /** What is in the folder of temporary files. */
  temporary(): readonly string[]
}

const FOLDER = '/data/local/tmp/'
const SEGMENT = /^svc-recording-[^/]+\/\d+\.mp4$/
const SIDE = 16
const PICTURE_MS = 700

export const watchVideo = (phone: SimulatedPhone, elapsed: () => number): PhoneVideo => {
  const { files, processes } = phone
  const segments = new Map<string, Uint8Array>()
  let rotation = 0
  phone.rotation = () => rotation
  phone.frame = () => {
    const shown = Math.floor(elapsed() / PICTURE_MS)
    return {
      width: SIDE,
      height: 2 * SIDE,
      pixels: new Uint32Array(2 * SIDE * SIDE).fill(Math.imul(shown, 0x9e3779b1) >>> 8),
    }
  }
  const { write } = files
  files.write = (path, content, ...more) => {
    write(path, content, ...more)
    const name = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : ''
    if (SEGMENT.test(name)) segments.set(name, content)
  }
  return {
    turn(to) {
      rotation = to
    },
    segments: () => segments,
    temporary: () => (files.list(FOLDER) ?? []).map(({ name }) => name),
    recorders: () => processes?.list().filter(({ words }) => words[0] === 'screenrecord').length ?? 0,
  }
}
