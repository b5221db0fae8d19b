/** The terminal frame on a skill's stdout, read as the output comes, so that it can be held back from who watches. */

import { CAPTURE_BYTES } from '../../../contracts/limits/limits.ts'
import { SKILL_RESULT_MARKER } from '../../../contracts/skills/skill-result.ts'

/** Finds the end of a JSON object that arrives in pieces, in one pass: braces are counted, strings are skipped. */
const OUTSIDE = /["{}]/g
const INSIDE = /["\\]/g

/** The first piece begins with the brace that opens the object. */
const createJsonExtent = () => {
  let depth = 0
  let inString = false
  /** The piece before ended with a backslash in a string. */
  let isEscaped = false

  return {
    /** Takes the next piece and returns where the object ends in it (behind its last brace), undefined while it is open. */
    push(text: string): number | undefined {
      let at = 0
      if (isEscaped && text !== '') {
        isEscaped = false
        at = 1
      }
      while (at < text.length) {
        const pattern = inString ? INSIDE : OUTSIDE
        pattern.lastIndex = at
        const found = pattern.exec(text)
        if (!found) return undefined
        const [sign] = found
        at = found.index + 1
        if (sign === '"') inString = !inString
        else if (sign === '\\') {
          isEscaped = at >= text.length
          at += 1
        } else depth += sign === '{' ? 1 : -1
        if (depth === 0) return at
      }
      return undefined
    },
  }
}

type JsonExtent = ReturnType<typeof createJsonExtent>

export type FrameText =
  | { kind: 'none' }
  /** A marker is there, and what stands around it is not a frame. */
  | { kind: 'malformed'; reason: string }
  /** A line is the marker, and a JSON object, whether valid or not, follows up to the end. */
  | { kind: 'framed'; json: string }

/** The characters kept of both ends of a line that keeps growing: enough to see a marker there. */
const LINE_ENDS = 1_024

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

const isBlank = (text: string) => text.trim() === ''

/** A line that begins or ends with the marker was meant as one; a line of prose that only mentions it was not. */
const kindOf = (line: string): 'plain' | 'marker' | 'stray' => {
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
const AFTER = 'there is text after the JSON object'
const LAST = 'the marker is the last line, nothing follows it'
const NO_OBJECT = 'the text after the marker is not a JSON object'
const TOO_LONG = `the frame is longer than ${CAPTURE_BYTES} characters`

/** No valid JSON has such a line: it is no token, and a string holds no line breaks. */
const MARKER_LINE = new RegExp(`^${SKILL_RESULT_MARKER.replace(/[[\]]/g, '\\$&')}\\r?$`, 'm')

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu

const isAsWideAs = (line: string, columns: number): boolean => {
  if (line.length < Math.floor(columns / 2)) return false
  const width = [...line].length + (line.match(WIDE)?.length ?? 0)
  // A wide character that does not fit begins the next line.
  return width === columns || width === columns - 1
}

/** Removes the line breaks at the edge of a terminal: programs put them into strings too. JSON needs none. */
const unwrapped = (json: string, columns: number): string =>
  json
    .split('\n')
    .map((line, index, { length }) => (index === length - 1 || isAsWideAs(line, columns) ? line : `${line}\n`))
    .join('')

/** The text between the marker and the end of the output; `push` returns a fault as soon as there is one. */
const createFrameBody = (columns: number | undefined) => {
  /** Undefined until the object begins. */
  let extent: JsonExtent | undefined
  let isWhole = false
  const parts: string[] = []
  /** The unfinished line outside of the object. */
  let line = ''

  const faultOf = (text: string): string => {
    const kind = kindOf(text)
    if (kind === 'marker' || (kind === 'stray' && !isWhole)) return TWICE
    return isWhole ? AFTER : NO_OBJECT
  }

  const outside = (text: string): string | undefined => {
    const [first = '', ...others] = text.split('\n')
    const lines = [shortened(line + first), ...others]
    line = lines.pop() ?? ''
    const wrong = lines.find(each => !isBlank(each))
    if (wrong !== undefined) return faultOf(wrong)
    return isWhole && !isBlank(line) && !mayBecomeMarker(line) ? AFTER : undefined
  }

  const inside = (text: string, opened: JsonExtent): string | undefined => {
    const end = opened.push(text)
    parts.push(text.slice(0, end))
    if (end === undefined) return undefined
    isWhole = true
    line = ''
    return outside(text.slice(end))
  }

  return {
    push(text: string): string | undefined {
      if (extent) return isWhole ? outside(text) : inside(text, extent)
      const begin = isBlank(line) ? text.search(/\S/) : -1
      if (text[begin] !== '{') return outside(text)
      const indent = (line + text.slice(0, begin)).split('\n').at(-1) ?? ''
      parts.push(indent)
      extent = createJsonExtent()
      return inside(text.slice(begin), extent)
    },
    end(): FrameText {
      if (!extent) return { kind: 'malformed', reason: isBlank(line) ? LAST : faultOf(line) }
      if (isWhole && !isBlank(line)) return { kind: 'malformed', reason: faultOf(line) }
      const json = parts.join('')
      if (MARKER_LINE.test(json)) return { kind: 'malformed', reason: TWICE }
      return { kind: 'framed', json: (columns === undefined ? json : unwrapped(json, columns)).trim() }
    },
  }
}

/** Looks for another marker in what follows a fault. */
const createMarkerWatch = () => {
  let tail = ''
  let isSeen = false
  return {
    push(text: string) {
      const all = tail + text
      const end = all.lastIndexOf('\n') + 1
      isSeen ||= MARKER_LINE.test(all.slice(0, end))
      tail = shortened(all.slice(end))
    },
    hasSeen: () => isSeen || kindOf(tail) === 'marker',
  }
}

/** `columns`: of the terminal that the output is written to, if it is one. */
export const createFrameReader = (columns?: number) => {
  let phase: 'before' | 'frame' | 'broken' = 'before'
  let reason = ''
  /** The unfinished line before the marker. */
  let line = ''
  /** Not shown yet: what may be the beginning of a marker, or the frame as far as it came. */
  let held: string[] = []
  let heldChars = 0
  const body = createFrameBody(columns)
  const later = createMarkerWatch()

  const hold = (text: string) => {
    held.push(text)
    heldChars += text.length
  }

  const release = (): string => {
    const output = held.join('')
    held = []
    heldChars = 0
    return output
  }

  const breakUp = (why: string): string => {
    phase = 'broken'
    reason = why
    return release()
  }

  const pushFrame = (text: string): string => {
    hold(text)
    const fault = body.push(text) ?? (heldChars > CAPTURE_BYTES ? TOO_LONG : undefined)
    if (fault === undefined) return ''
    const output = breakUp(fault)
    later.push(output.slice(output.indexOf('\n') + 1))
    return output
  }

  /** The unfinished line is shown as it comes, unless it may become a marker. */
  const keepRest = (rest: string): string => {
    line = shortened(line + rest)
    hold(rest)
    return mayBecomeMarker(line) ? '' : release()
  }

  const pushLines = (text: string): string => {
    let output = ''
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const kind = kindOf(line + text.slice(from, end))
      hold(text.slice(from, end + 1))
      line = ''
      from = end + 1
      if (kind === 'stray') return output + breakUp(STRAY) + text.slice(from)
      if (kind === 'marker') {
        phase = 'frame'
        return output + pushFrame(text.slice(from))
      }
      output += release()
    }
    return output + keepRest(text.slice(from))
  }

  const pushBefore = (text: string): string => {
    if ((line + text).includes(SKILL_RESULT_MARKER)) return pushLines(text)
    const rest = text.lastIndexOf('\n') + 1
    if (rest === 0) return keepRest(text)
    const output = release() + text.slice(0, rest)
    line = ''
    return output + keepRest(text.slice(rest))
  }

  /** No more output comes. */
  const finish = (): FrameText => {
    if (phase === 'broken') return { kind: 'malformed', reason: later.hasSeen() ? TWICE : reason }
    if (phase === 'frame') return body.end()
    if (kindOf(line) === 'plain') return { kind: 'none' }
    return { kind: 'malformed', reason: kindOf(line) === 'marker' ? LAST : STRAY }
  }

  return {
    /** Takes output and returns what may be shown of all that was taken: everything but what may be the frame. */
    push(text: string) {
      if (phase === 'broken' && reason !== STRAY) later.push(text)
      if (phase === 'broken') return text
      return phase === 'frame' ? pushFrame(text) : pushBefore(text)
    },
    end: finish,
    /** The text that was held back so far; read when it turned out not to be a frame. */
    held: () => held.join(''),
  }
}

/** The frame of output that is all there. */
export const readFrame = (stdout: string, columns?: number): FrameText => {
  const reader = createFrameReader(columns)
  reader.push(stdout)
  return reader.end()
}
