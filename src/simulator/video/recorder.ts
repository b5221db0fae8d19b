/** Makes a video of the pictures of a screen: a picture is coded when it differs from the one before, and shown until the next. */
import { annexB, createEncoder, type Encoder } from './h264.ts'
import { finishedFile, type Sample, sampleBytes, unfinishedFile } from './mp4.ts'
import type { Frame } from './planes.ts'

interface Size {
  width: number
  height: number
}

/** The nearest pixel of the picture for each of the video; the picture is made to fit, and the rest is black. */
const fitted = (frame: Frame, { width, height }: Size): Frame => {
  if (frame.width === width && frame.height === height) return frame
  const scale = Math.max(frame.width / width, frame.height / height)
  const left = Math.floor((width - frame.width / scale) / 2)
  const top = Math.floor((height - frame.height / scale) / 2)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const from = Math.floor((y - top) * scale)
    if (from < 0 || from >= frame.height) continue
    for (let x = 0; x < width; x += 1) {
      const across = Math.floor((x - left) * scale)
      if (across >= 0 && across < frame.width)
        pixels[y * width + x] = frame.pixels[from * frame.width + across] as number
    }
  }
  return { width, height, pixels }
}

const isSame = (one: Frame, other: Frame): boolean =>
  one === other || Buffer.from(one.pixels.buffer).equals(Buffer.from(other.pixels.buffer))

/** Pictures are in coarse pixels, so the video is smaller than it was asked to be by as much. */
export const createRecorder = (size: Size, screen: Size) => {
  let encoder: Encoder | undefined
  let last: { frame: Frame; at: number } | undefined
  const media: Buffer[] = []
  const samples: Sample[] = []

  const videoSize = (frame: Frame): Size => {
    const grain = screen.width / frame.width
    return { width: Math.round(size.width / grain), height: Math.round(size.height / grain) }
  }
  const closeSample = (at: number) => {
    const open = samples.at(-1)
    if (open && last) open.ms = Math.max(1, at - last.at)
  }

  return {
    hasFrames: () => samples.length > 0,
    /** The bytes of the raw stream for the picture; undefined when it is the one before. */
    take(frame: Frame, at: number): Buffer | undefined {
      if (last && isSame(last.frame, frame)) return undefined
      const isFirst = encoder === undefined
      encoder ??= createEncoder(videoSize(frame))
      const { unit, isWhole } = encoder.encode(fitted(frame, videoSize(frame)))
      closeSample(at)
      const bytes = sampleBytes(unit)
      media.push(bytes)
      samples.push({ bytes: bytes.length, ms: 1, isWhole })
      last = { frame, at }
      return isFirst ? annexB(encoder.sequence, encoder.picture, unit) : annexB(unit)
    },
    unfinished: () => unfinishedFile(media),
    finished(at: number): Buffer {
      closeSample(at)
      return encoder ? finishedFile(encoder, media, samples) : Buffer.alloc(0)
    },
  }
}
