/** `screenrecord`: a video that shows the first picture of the screen, in a file or raw on stdout. */
import type { Clock } from '../../../runtime/clock.ts'
import { storeFile } from '../../file-access.ts'
import { FilesError, normalPath } from '../../files.ts'
import { stillVideo } from '../../video/still-video.ts'
import { type Command, type Context, fail, NOT_FOUND_CODE } from '../command.ts'
import { StreamEnded } from '../io.ts'
import { SHELL_NAME } from '../scope.ts'

const MISUSE_CODE = 2
const FAILED_CODE = 1
const LIMIT_S = 180
/** From this version on, 0 takes the limit away. */
const SDK_WITHOUT_LIMIT = 34
const MS_PER_SECOND = 1_000
const LOOK_MS = 200
const SMALL = { width: 720, height: 1_280 }

interface Options {
  size: { width: number; height: number }
  limitS: number
  isRaw: boolean
  file: string
}

const VALUED = ['size', 'bit-rate', 'time-limit', 'output-format', 'display-id']
const SWITCHES = ['bugreport', 'verbose', 'rotate']

/** The value of each option, and the words that are none; a string says what is wrong. */
const readWords = (args: readonly string[]) => {
  const options = new Map<string, string>()
  const rest: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    const [, name, attached] = /^--([a-z0-9-]+)(?:=(.*))?$/.exec(word) ?? []
    if (name === undefined) rest.push(word)
    else if (SWITCHES.includes(name)) options.set(name, '')
    else if (!VALUED.includes(name)) return `screenrecord: unrecognized option \`--${name}'`
    else options.set(name, attached ?? args[++at] ?? '')
  }
  return { options, rest }
}

const optionsOf = ({ args, phone, properties }: Context): Options | string => {
  const words = readWords(args)
  if (typeof words === 'string') return words
  const { options, rest } = words
  const [, width, height] =
    /^(\d+)x(\d+)$/.exec(options.get('size') ?? `${phone.size.width}x${phone.size.height}`) ?? []
  if (width === undefined || height === undefined)
    return `Invalid size '${options.get('size')}', must be width x height`
  const rate = options.get('bit-rate')
  if (rate !== undefined && !/^\d+[Mm]?$/.test(rate)) return `Invalid bit rate '${rate}'`
  const limitS = Number(options.get('time-limit') ?? LIMIT_S)
  const least = Number(properties.get('ro.build.version.sdk')) >= SDK_WITHOUT_LIMIT ? 0 : 1
  if (!Number.isInteger(limitS) || limitS < least || limitS > LIMIT_S)
    return `Time limit ${options.get('time-limit')}s outside acceptable range [${least},${LIMIT_S}]`
  const [file, ...more] = rest
  if (file === undefined || more.length > 0) return 'Must specify output file (see --help).'
  const format = options.get('output-format') ?? 'mp4'
  if (format !== 'mp4' && format !== 'h264') return `Unknown format '${format}'`
  return { size: { width: Number(width), height: Number(height) }, limitS, isRaw: format === 'h264', file }
}

/** Resolves when the time is up, or the signal aborts. It does not keep the program of the simulation. */
const rest = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const finish = () => {
      timer.cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = clock.at(clock.now() + ms, finish, { idle: true })
    signal.addEventListener('abort', finish, { once: true })
    if (signal.aborted) finish()
  })

/** How it ended: only the first two leave a file that can be played. */
type End = 'time' | 'INT' | 'lost' | 'full'

const record = async (context: Context, { file, size, limitS, isRaw }: Options): Promise<End> => {
  const { phone, clock, waits, out } = context
  const path = normalPath(file, context.scope.cwd)
  const until = limitS === 0 ? Number.POSITIVE_INFINITY : waits.now() + limitS * MS_PER_SECOND
  const over = new AbortController()
  let end: End = 'time'
  let video: { content: ReturnType<typeof stillVideo>; since: number } | undefined
  const finish = (how: End) => () => {
    if (!over.signal.aborted) end = how
    over.abort()
  }
  const onLost = finish('lost')
  context.signal.addEventListener('abort', onLost, { once: true })
  const { processes } = phone
  const exited = processes?.start({
    pid: context.scope.pid ?? processes.nextPid(),
    words: ['screenrecord', ...context.args],
    onSignal: signal => (signal === 'EXISTS' ? undefined : finish(signal === 'INT' ? 'INT' : 'lost')()),
  })
  try {
    for (;;) {
      const frame = over.signal.aborted || video ? undefined : phone.frame?.()
      if (frame) {
        video = { content: stillVideo(frame, size, phone.size), since: clock.now() }
        if (isRaw) await out(video.content.raw)
        else phone.files.write(path, video.content.unfinished)
      }
      const leftMs = until - waits.now()
      if (over.signal.aborted || leftMs <= 0) break
      await rest(waits, Math.min(LOOK_MS, leftMs), over.signal)
    }
    const isKept = end === 'time' || end === 'INT'
    if (isKept && !isRaw && video)
      phone.files.write(path, video.content.finished(Math.max(1, clock.now() - video.since)))
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    await context.err(`ERROR: unable to write to ${file}: ${error.message}\n`)
    end = 'full'
  } finally {
    context.signal.removeEventListener('abort', onLost)
    exited?.()
  }
  return end
}

export const screenrecord: Command = async context => {
  const { phone, out, err, args } = context
  const encoder = phone.encoder ?? 'any-size'
  if (encoder === 'no-program')
    return fail(context, `${SHELL_NAME}: screenrecord: inaccessible or not found`, NOT_FOUND_CODE)
  if (args.includes('--help')) return fail(context, 'Usage: screenrecord [options] <filename>', MISUSE_CODE)
  const options = optionsOf(context)
  if (typeof options === 'string') return fail(context, options, MISUSE_CODE)
  const { size, file, isRaw } = options
  // A reader of the raw stream finds the errors in it.
  const say = (text: string) => (isRaw ? out(text).then(() => {}) : err(text))
  const refused = isRaw ? undefined : storeFile(phone.files, normalPath(file, context.scope.cwd), new Uint8Array())
  if (refused !== undefined) return fail(context, `Unable to open '${file}': ${refused}`)
  if (encoder === 'none') {
    await say('Encoder failed (err=-38)\n')
    return FAILED_CODE
  }
  const isTooLarge = Math.min(size.width, size.height) > SMALL.width || Math.max(size.width, size.height) > SMALL.height
  if (encoder === 'small-sizes' && isTooLarge) {
    await say(
      `ERROR: unable to configure video/avc codec at ${size.width}x${size.height} (err=-22)\n` +
        `WARNING: failed at ${size.width}x${size.height}, retrying at ${SMALL.width}x${SMALL.height}\n`,
    )
  }
  const end = await record(context, { ...options, size: isTooLarge && encoder === 'small-sizes' ? SMALL : size })
  if (end === 'lost') throw new StreamEnded()
  return end === 'full' ? FAILED_CODE : 0
}
