/** `am instrument`: starts the snapshot helper, for one call or for a session, and prints what it reports. */
import { HELPER_PACKAGE, type HelperAnswer, PROTOCOL_FIELDS } from '../../helper/requests.ts'
import { sessionPortIn } from '../../helper/session.ts'
import { SNAPSHOT_COMPONENT } from '../../helper/snapshot-helper.ts'
import { type Command, type Context, fail } from '../command.ts'

/** The bytes of UTF-8 in a chunk, which may end inside a character. */
const CHUNK_BYTES = 2_048
const CHUNK_CODE = 1
const READY_CODE = 2

const status = (fields: Readonly<Record<string, string>>, code: number): string =>
  [
    ...Object.entries(fields).map(([key, value]) => `INSTRUMENTATION_STATUS: ${key}=${value}\n`),
    `INSTRUMENTATION_STATUS_CODE: ${code}\n`,
  ].join('')

const result = (fields: Readonly<Record<string, string>>, code: number): string =>
  [
    ...Object.entries(fields).map(([key, value]) => `INSTRUMENTATION_RESULT: ${key}=${value}\n`),
    `INSTRUMENTATION_CODE: ${code}\n`,
  ].join('')

const printAnswer = async ({ out }: Context, { fields, xml }: HelperAnswer) => {
  const bytes = Buffer.from(xml ?? '')
  const count = Math.ceil(bytes.length / CHUNK_BYTES)
  for (let index = 0; index < count; index++) {
    const payload = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES).toString('base64')
    const chunk = { chunkCount: String(count), chunkIndex: String(index), payloadBase64: payload }
    await out(status({ ...PROTOCOL_FIELDS, ...chunk }, CHUNK_CODE))
  }
  await out(result(fields, fields.ok === 'true' ? 0 : 1))
}

const CRASHED = 'INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n'

const session = async (context: Context, port: number, args: ReadonlyMap<string, string>): Promise<number> => {
  const { phone, out, signal } = context
  const started = phone.helpers?.snapshot.start(port, args, signal)
  if (!started) return 1
  if ('fields' in started) {
    await printAnswer(context, started)
    return 0
  }
  await out(status(started.ready, READY_CODE))
  const how = await started.ended
  if (how === 'crash') await out(CRASHED)
  else if (how !== 'abandoned') await printAnswer(context, how)
  return 0
}

export const instrument: Command = async context => {
  const { phone, out, args: words, signal } = context
  const args = new Map<string, string>()
  let component: string | undefined
  for (let index = 0; index < words.length; index++) {
    if (words[index] === '-e') args.set(words[++index] ?? '', words[++index] ?? '')
    else if (!words[index]?.startsWith('-')) component = words[index]
  }
  if (component !== SNAPSHOT_COMPONENT || !phone.helpers?.isInstalled(HELPER_PACKAGE)) {
    const named = `ComponentInfo{${component ?? ''}}`
    const fields = { id: 'ActivityManagerService', Error: `Unable to find instrumentation info for: ${named}` }
    await out(status(fields, -1))
    return fail(context, `android.util.AndroidException: INSTRUMENTATION_FAILED: ${component ?? ''}`)
  }
  if (!words.includes('-w')) return 0
  const port = sessionPortIn(args)
  if (port !== undefined) return session(context, port, args)
  await printAnswer(context, await phone.helpers.snapshot.once(args, signal))
  return 0
}
