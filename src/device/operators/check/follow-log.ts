/** Follows the results in the log of a device from the beginning of a check: each line once, by the request that it names. */

import { LOG_TAG, PROGRESS_PREFIX } from '../../../contracts/device/operator.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { lineCutter } from '../app/wire/lines.ts'
import { parseJson } from '../app/wire/messages.ts'
import { PROGRESS_CHARS_MAX, PROGRESS_KEPT_MAX, type ProgressReport } from './judge-progress.ts'
import { isResultLine, lineContent } from './read-answer.ts'

export type CheckLog = Awaited<ReturnType<typeof followLog>>

/** All results of one check together; an operator app that writes more has gone wild. */
const KEPT_BYTES_MAX = 64 * 1_024 * 1_024

/** The time of the device in whole seconds, as `logcat -T` takes it. */
export const deviceSeconds = async (link: Link, options: CallOptions): Promise<number> => {
  const { stdout } = await link.shell(commandLine('date', '+%s'), { ...options, maxBytes: OUTPUT_BYTES_MAX.word })
  const seconds = Number(/^\s*(\d{1,12})\s*$/.exec(stdout)?.[1])
  if (Number.isSafeInteger(seconds)) return seconds
  throw new LinkError(
    'DEVICE_SHELL_UNAVAILABLE',
    'The device does not tell its time: date +%s was expected to print a number.',
  )
}

/** The log since that second is read first, so nothing is missed between two readers. */
export const followLog = async (link: Link, since: number, options: CallOptions) => {
  const form = ['-b', 'main', '-v', 'raw', '-T', `${since}.000`, `${LOG_TAG}:I`, '*:S']
  const stream = await link.stream(commandLine('logcat', ...form), options)
  const expected = new Map<string, { results: string[]; progress: ProgressReport[] }>()
  let malformed: unknown
  let kept = 0
  let end: LinkError | undefined
  const takeProgress = (line: string) => {
    for (const [wireId, { results, progress }] of expected) {
      if (!line.includes(wireId) || progress.length >= PROGRESS_KEPT_MAX) continue
      progress.push({
        value: line.length > PROGRESS_CHARS_MAX ? undefined : parseJson(line.slice(PROGRESS_PREFIX.length))?.value,
        isBehindResult: results.length > 0,
      })
    }
  }
  const take = (line: string) => {
    if (line.startsWith(PROGRESS_PREFIX)) return takeProgress(line)
    if (!isResultLine(line)) return
    try {
      lineContent(line)
    } catch (error) {
      malformed ??= error
    }
    for (const [wireId, { results }] of expected) {
      if (!line.includes(wireId)) continue
      results.push(line)
      kept += line.length
    }
    if (kept > KEPT_BYTES_MAX) {
      throw new LinkError('DEVICE_OUTPUT_TOO_LARGE', `the results in the log have more than ${KEPT_BYTES_MAX} bytes`)
    }
  }
  const follow = async () => {
    const cutter = lineCutter()
    try {
      for await (const bytes of stream.chunks) for (const { text } of cutter.push(bytes)) take(text)
      end = new LinkError('DEVICE_LINK_LOST', 'the log of the device ended')
    } catch (error) {
      end = error instanceof LinkError ? error : new LinkError('DEVICE_LINK_LOST', messageOf(error))
    }
    stream.close()
  }
  void follow()
  return {
    link,
    /** To be called before the request leaves. */
    expect: (wireId: string) => void expected.set(wireId, { results: [], progress: [] }),
    /** The result lines that name this wire id, in the order of the log. */
    of: (wireId: string): readonly string[] => expected.get(wireId)?.results ?? [],
    progressOf: (wireId: string): readonly ProgressReport[] => expected.get(wireId)?.progress ?? [],
    /** The Breach of the first result line that is not of a documented form. */
    malformed: () => malformed,
    /** Why no further line will come; undefined while the log is being read. */
    ended: () => (link.lost.aborted ? (link.lost.reason as LinkError) : end),
    close: () => stream.close(),
  }
}
