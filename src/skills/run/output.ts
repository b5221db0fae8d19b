/** Reads the output of a child: decodes, keeps and shows it, and looks for the frame and the expected text. */
import { StringDecoder } from 'node:string_decoder'
import { SKILL_TERMINAL_COLUMNS } from '../../contracts/limits.ts'
import { createFrameReader, type FrameText } from '../result/frame-reader.ts'
import { createTerminalText } from '../result/terminal-text.ts'
import { createKeptOutput } from './kept-output.ts'
import type { LiveOutput } from './request.ts'

export interface SubstringWatch {
  push(text: string): void
  isMet(): boolean
}

/** Undefined and the empty text are met from the start. */
export const createSubstringWatch = (wanted: string | undefined): SubstringWatch => {
  const needle = wanted ?? ''
  let met = needle === ''
  let end = ''
  return {
    push(text) {
      if (met) return
      const seen = end + text
      met = seen.includes(needle)
      end = needle.length > 1 ? seen.slice(1 - needle.length) : ''
    },
    isMet: () => met,
  }
}

export interface OutputOptions {
  /** Written to a pseudo-terminal: escape codes and carriage returns are not text. */
  isTerminal: boolean
  expectContains?: string | undefined
  onOutput?: ((output: LiveOutput) => void) | undefined
}

export interface RunOutput {
  stdout(bytes: Buffer): void
  stderr(bytes: Buffer): void
  /** No more output counts. Safe to call twice. */
  end(): void
  /** After the end. */
  frame(): FrameText
  isExpectationMet(): boolean
  /** After the end: what was kept of both streams. */
  captured(): { stdout: string; stderr: string }
  /** After the end: what was held back as a frame is none, so it is shown after all. */
  release(): void
}

export const createRunOutput = ({ isTerminal, expectContains, onOutput }: OutputOptions): RunOutput => {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const kept = { stdout: createKeptOutput(), stderr: createKeptOutput() }
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
    stdout: bytes => {
      if (!ended) takeStdout(decoders.stdout.write(bytes))
    },
    stderr: bytes => {
      if (!ended) takeStderr(decoders.stderr.write(bytes))
    },
    end: () => void end(),
    frame: () => end().frame,
    isExpectationMet: expectation.isMet,
    captured: () => end().captured,
    release: () => {
      end()
      show('stdout', frames.held())
    },
  }
}
