/** The terminal frame on a skill's stdout, read as the output comes, so that it can be held back from who watches. */
import { CAPTURE_BYTES } from '../../contracts/limits.ts'
import { SKILL_RESULT_MARKER } from '../../contracts/skill-result.ts'

export type FrameText =
  | { kind: 'none' }
  /** A marker is there, and what stands around it is not a frame. */
  | { kind: 'malformed'; reason: string }
  /** The marker and one line of text are the last two lines that are not empty. */
  | { kind: 'framed'; json: string }

export interface FrameReader {
  /** Takes output and returns what may be shown of all that was taken: everything but what may be the frame. */
  push(text: string): string
  /** No more output comes. */
  end(): FrameText
  /** What was held back until now; asked for when it turned out to be no frame. */
  held(): string
}

/** Of a line that grows on and on, as much of both ends is kept as it takes to see a marker there. */
const LINE_ENDS = 1_024

type LineKind = 'plain' | 'marker' | 'stray'

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

const isBlank = (line: string) => line.trim() === ''

/** A line that begins or ends with the marker was meant as one; a line of prose that only mentions it was not. */
const kindOf = (line: string): LineKind => {
  if (withoutReturn(line) === SKILL_RESULT_MARKER) return 'marker'
  const words = line.trim()
  return words.startsWith(SKILL_RESULT_MARKER) || words.endsWith(SKILL_RESULT_MARKER) ? 'stray' : 'plain'
}

const mayBecomeMarker = (line: string) =>
  line !== '' && (SKILL_RESULT_MARKER.startsWith(line) || withoutReturn(line) === SKILL_RESULT_MARKER)

const shortened = (line: string) =>
  line.length > 2 * LINE_ENDS ? line.slice(0, LINE_ENDS) + line.slice(-LINE_ENDS) : line

const STRAY = 'the line of the marker has other text'
const TWICE = 'there is more than one marker'
const AFTER = 'there is output after the frame'
const LAST = 'the marker is the last line, nothing follows it'
const TOO_LONG = `the frame is longer than ${CAPTURE_BYTES} characters`

export const createFrameReader = (): FrameReader => {
  let phase: 'before' | 'frame' | 'broken' = 'before'
  let reason = ''
  /** The unfinished line. */
  let line = ''
  /** Not shown yet: what may be the beginning of a marker, or the frame as far as it came. */
  let held = ''
  let json: string | undefined

  const breakUp = (why: string): string => {
    phase = 'broken'
    reason = why
    const shown = held
    held = ''
    return shown
  }

  /** What is wrong with this line of the frame, if anything is. */
  const faultOf = (content: string): string | undefined => {
    if (isBlank(content)) return undefined
    const kind = kindOf(content)
    if (kind === 'marker' || (json === undefined && kind === 'stray')) return TWICE
    if (json !== undefined) return AFTER
    json = content
    return undefined
  }

  const pushFrame = (text: string): string => {
    held += text
    const [first = '', ...others] = text.split('\n')
    line += first
    for (const other of others) {
      const fault = faultOf(line)
      if (fault !== undefined) return breakUp(fault)
      line = other
    }
    if (json !== undefined && !isBlank(line) && !mayBecomeMarker(line)) return breakUp(AFTER)
    return held.length > CAPTURE_BYTES ? breakUp(TOO_LONG) : ''
  }

  /** The unfinished line is shown as it comes, unless it may become a marker. */
  const keepRest = (rest: string): string => {
    line = shortened(line + rest)
    held += rest
    if (mayBecomeMarker(line)) return ''
    const shown = held
    held = ''
    return shown
  }

  const pushLines = (text: string): string => {
    let shown = ''
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const kind = kindOf(line + text.slice(from, end))
      held += text.slice(from, end + 1)
      line = ''
      from = end + 1
      if (kind === 'stray') return shown + breakUp(STRAY) + text.slice(from)
      if (kind === 'marker') {
        phase = 'frame'
        return shown + pushFrame(text.slice(from))
      }
      shown += held
      held = ''
    }
    return shown + keepRest(text.slice(from))
  }

  const pushBefore = (text: string): string => {
    if ((line + text).includes(SKILL_RESULT_MARKER)) return pushLines(text)
    const rest = text.lastIndexOf('\n') + 1
    if (rest === 0) return keepRest(text)
    const shown = held + text.slice(0, rest)
    held = ''
    line = ''
    return shown + keepRest(text.slice(rest))
  }

  const finish = (): FrameText => {
    if (phase === 'before' && kindOf(line) === 'marker') return { kind: 'malformed', reason: LAST }
    if (phase === 'before') return kindOf(line) === 'plain' ? { kind: 'none' } : { kind: 'malformed', reason: STRAY }
    const fault = phase === 'broken' ? reason : faultOf(line)
    if (fault !== undefined) return { kind: 'malformed', reason: fault }
    return json === undefined ? { kind: 'malformed', reason: LAST } : { kind: 'framed', json: withoutReturn(json) }
  }

  return {
    push(text) {
      if (phase === 'broken') return text
      return phase === 'frame' ? pushFrame(text) : pushBefore(text)
    },
    end: finish,
    held: () => held,
  }
}

/** The frame of output that is all there. */
export const readFrame = (stdout: string): FrameText => {
  const reader = createFrameReader()
  reader.push(stdout)
  return reader.end()
}
