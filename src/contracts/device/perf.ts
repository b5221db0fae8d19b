/** Figures about an application as the device counts them; null where it says none. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

const figure = v.nullable(count)

/** Frames since the application was started; the percentiles in ms. */
export const Frames = openObject({
  applicationId: v.string(),
  running: v.boolean(),
  total: figure,
  janky: figure,
  p50: figure,
  p90: figure,
  p95: figure,
  p99: figure,
})
export type Frames = v.InferOutput<typeof Frames>

/** In kB. */
export const Memory = openObject({
  applicationId: v.string(),
  running: v.boolean(),
  totalPss: figure,
  java: figure,
  native: figure,
  graphics: figure,
})
export type Memory = v.InferOutput<typeof Memory>

export const FramesResponse = openObject({ ok: v.literal(true), frames: Frames })
export type FramesResponse = v.InferOutput<typeof FramesResponse>
export const MemoryResponse = openObject({ ok: v.literal(true), memory: Memory })
export type MemoryResponse = v.InferOutput<typeof MemoryResponse>

/** `cold`: no process; `warm`: a process without the activity; `hot`: the activity was there. */
export const START_KINDS = ['cold', 'warm', 'hot'] as const
export type StartKind = (typeof START_KINDS)[number]

/** A start is measured twice, in ms: until the first frame, and until the device answered. */
export interface StartupRun {
  kind: StartKind | null
  totalMs: number | null
  waitMs: number | null
  /** The application that was on top in its place: then there is no total. */
  onTop?: string
}

export const STARTUP_RUNS = { min: 1, max: 20, default: 5 } as const
