/** Videos of recordings: played from the server, at the part that belongs to what the page shows. */
import { useEffect, useState } from 'preact/hooks'
import type { RecordedPart, RecordingStatusResponse } from '../../../contracts/recording.ts'
import { bytes, credentials, encoded, problemIn, useAnswer } from '../api.ts'
import { duration } from '../format.ts'
import { onTransition } from '../live.ts'

const MS_PER_SECOND = 1_000
/** The picture shows what a step has done only after it. */
const AFTER_MS = 1_000

interface Source {
  src?: string
  problem?: string
}

/** A player sends no token, so where the server wants one the whole video is read first. */
const useVideo = (path: string): Source => {
  const needsToken = Object.keys(credentials()).length > 0
  const [source, setSource] = useState<Source>(needsToken ? {} : { src: path })
  useEffect(() => {
    if (!needsToken) return undefined
    let made: string | undefined
    let isWanted = true
    bytes(path).then(
      blob => {
        if (!isWanted) return
        made = URL.createObjectURL(blob)
        setSource({ src: made })
      },
      error => isWanted && setSource({ problem: problemIn(error).message }),
    )
    return () => {
      isWanted = false
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [path, needsToken])
  return source
}

const Video = ({ path, fromMs, toMs }: { path: string; fromMs: number; toMs: number | undefined }) => {
  const { src, problem } = useVideo(path)
  if (problem !== undefined) return <p class="note">The video cannot be read: {problem}</p>
  if (src === undefined) return <p class="muted">Reading the video…</p>
  const until = toMs === undefined ? '' : `,${(toMs + AFTER_MS) / MS_PER_SECOND}`
  return (
    <video
      class="recorded"
      controls
      preload="metadata"
      muted
      playsInline
      src={`${src}#t=${fromMs / MS_PER_SECOND}${until}`}
    />
  )
}

const pathOf = ({ recordingId, segment }: Pick<RecordedPart, 'recordingId' | 'segment'>) =>
  `/recordings/${encoded(recordingId)}/segments/${segment}`

const nameOf = ({ segment, fromMs, toMs }: RecordedPart) =>
  `Segment ${segment}, from ${duration(fromMs)} to ${duration(toMs)}`

const Part = ({ part, isLinked }: { part: RecordedPart; isLinked: boolean }) => {
  const name = nameOf(part)
  return (
    <figure>
      {part.playable && isLinked ? (
        <Video path={pathOf(part)} fromMs={part.fromMs} toMs={part.toMs} />
      ) : (
        <p class="muted">
          {part.playable
            ? `Recording ${part.recordingId}, on the host that recorded it.`
            : 'The segment is still being recorded, or its file cannot be played.'}
        </p>
      )}
      <figcaption class="muted">{name}</figcaption>
    </figure>
  )
}

/** `isLinked` is false in a file, which has no server to play from. */
export const RecordedParts = ({ parts, isLinked }: { parts: readonly RecordedPart[]; isLinked: boolean }) =>
  parts.length === 0 ? null : (
    <section class="card recorded-parts" aria-label="Recording">
      <h2>Recording</h2>
      {parts.map(part => (
        <Part key={`${part.recordingId}/${part.segment}`} part={part} isLinked={isLinked} />
      ))}
    </section>
  )

/** The segments of the recording of a device that is being made, or was made last. */
export const DeviceRecording = ({ serial, actor }: { serial: string; actor: string }) => {
  const { answer } = useAnswer<RecordingStatusResponse>(`/devices/${encoded(serial)}/recording`, read =>
    onTransition(moved => moved?.actor === actor && read()),
  )
  const recording = answer?.recording
  if (!recording) return null
  const { recordingId } = recording
  const parts = recording.segments.map(({ segment, startedAt, endedAt, playable = false }): RecordedPart => {
    return { recordingId, segment, fromMs: 0, toMs: (endedAt ?? startedAt) - startedAt, playable }
  })
  return <RecordedParts parts={parts} isLinked={true} />
}
