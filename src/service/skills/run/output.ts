/** Reads the output of a child: decodes it, shows it, keeps its beginning and end, and looks for the frame and the expected text. */
import { StringDecoder } from 'node:string_decoder'
import { CAPTURE_BYTES, SKILL_TERMINAL_COLUMNS } from '../../../contracts/limits/limits.ts'
import { createTerminalText } from '../result/failure-reason.ts'
import { createFrameReader, type FrameText } from '../result/frame-reader.ts'
import type { LiveOutput } from './request.ts'

/** The end is where a frame and most mistakes are. */
const END_SHARE = 0.25
const FIRST_BYTES = 4_096

const EMPTY = Buffer.alloc(0)

/** Grows by doubling: many small writes cost no more than few large ones. */
const createBlock = (most: number) => {
  let held: Buffer = EMPTY
  let length = 0
  return {
    /** Returns the bytes that did not fit any more. */
    push(bytes: Buffer) {
      const fits = bytes.subarray(0, most - length)
      if (length + fits.length > held.length) {
        const size = Math.min(most, Math.max(FIRST_BYTES, 2 * held.length, length + fits.length))
        const larger = Buffer.allocUnsafe(size)
        held.copy(larger, 0, 0, length)
        held = larger
      }
      fits.copy(held, length)
      length += fits.length
      return bytes.subarray(fits.length)
    },
    bytes: () => held.subarray(0, length),
  }
}

const isInsideCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The index at which the first whole character at or after `at` begins. */
const cutAfter = (bytes: Buffer, at: number): number => {
  let cut = at
  while (isInsideCharacter(bytes[cut])) cut += 1
  return cut
}

export const createBoundedOutput = (most = CAPTURE_BYTES) => {
  const endBytes = Math.floor(most * END_SHARE)
  const beginning = createBlock(most - endBytes)
  let previous: Buffer = EMPTY
  let current = createBlock(endBytes)
  let dropped = 0

  const pushEnd = (bytes: Buffer) => {
    let rest = current.push(bytes)
    while (rest.length > 0) {
      dropped += previous.length
      previous = current.bytes()
      current = createBlock(endBytes)
      rest = current.push(rest)
    }
  }

  return {
    push(text: string) {
      const rest = beginning.push(Buffer.from(text))
      if (rest.length > 0) pushEnd(rest)
    },
    text() {
      const [first, recent] = [beginning.bytes(), Buffer.concat([previous, current.bytes()])]
      if (dropped === 0 && recent.length <= endBytes) return Buffer.concat([first, recent]).toString()
      // A decoder gives out whole characters only: one that the limit cut in two is dropped.
      const begun = new StringDecoder('utf8').write(first)
      const from = cutAfter(recent, Math.max(0, recent.length - endBytes))
      const lost = dropped + from + (first.length - Buffer.byteLength(begun))
      return `${begun}\n[svc: ${lost} bytes dropped]\n${recent.toString('utf8', from)}`
    },
  }
}

/** Shortens output for the journal, where a run leaves a sample of it. */
export const excerpt = (text: string, chars: number): string => {
  if (text.length <= chars) return text
  const half = Math.floor(chars / 2)
  const dropped = text.length - 2 * half
  return `${text.slice(0, half)}\n[svc: ${dropped} characters dropped]\n${text.slice(-half)}`
}

/** Undefined and the empty text are met from the start. */
export const createSubstringWatch = (wanted: string | undefined) => {
  const needle = wanted ?? ''
  let met = needle === ''
  let end = ''
  return {
    push(text: string) {
      if (met) return
      const seen = end + text
      met = seen.includes(needle)
      end = needle.length > 1 ? seen.slice(1 - needle.length) : ''
    },
    isMet: () => met,
  }
}

interface OutputOptions {
  /** Written to a pseudo-terminal: escape codes and carriage returns are not text. */
  isTerminal: boolean
  expectContains?: string | undefined
  onOutput?: ((output: LiveOutput) => void) | undefined
}

export const createRunOutput = ({ isTerminal, expectContains, onOutput }: OutputOptions) => {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const kept = { stdout: createBoundedOutput(), stderr: createBoundedOutput() }
  const terminal = isTerminal ? createTerminalText() : undefined
  const frames = createFrameReader(isTerminal ? SKILL_TERMINAL_COLUMNS : undefined)
  const expectation = createSubstringWatch(expectContains)
  let listener = onOutput
  let ended: { frame: FrameText; captured: { stdout: string; stderr: string } } | undefined

  const show = (stream: LiveOutput['stream'], text: string) => {
    if (text === '') return
    try {
      listener?.({ stream, text })
    } catch {
      // The run goes on when its viewer has gone.
      listener = undefined
    }
  }

  const takeStdout = (decoded: string) => {
    const text = terminal ? terminal.push(decoded) : decoded
    if (text === '') return
    kept.stdout.push(text)
    expectation.push(text)
    show('stdout', frames.push(text))
  }

  const takeStderr = (text: string) => {
    kept.stderr.push(text)
    show('stderr', text)
  }

  const finish = () => {
    takeStdout(decoders.stdout.end())
    takeStderr(decoders.stderr.end())
    return { frame: frames.end(), captured: { stdout: kept.stdout.text(), stderr: kept.stderr.text() } }
  }

  const end = () => {
    ended ??= finish()
    return ended
  }

  return {
    stdout: (bytes: Buffer) => {
      if (!ended) takeStdout(decoders.stdout.write(bytes))
    },
    stderr: (bytes: Buffer) => {
      if (!ended) takeStderr(decoders.stderr.write(bytes))
    },
    /** No more output counts. Safe to call twice. */
    end: () => void end(),
    /** After the end. */
    frame: (): FrameText => end().frame,
    isExpectationMet: expectation.isMet,
    /** After the end: what was kept of both streams. */
    captured: (): { stdout: string; stderr: string } => end().captured,
    /** After the end: what was held back as a frame is none, so it is shown after all. */
    release: () => {
      end()
      show('stdout', frames.held())
    },
  }
}

export type RunOutput = ReturnType<typeof createRunOutput>
