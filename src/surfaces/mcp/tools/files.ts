/** The tool for the files of a device: their content travels in the call and in its answer. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { ListedFile } from '../../../contracts/device/device-files.ts'
import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { INLINE_FILE_BYTES_MAX } from '../../../contracts/limits/transfer-limits.ts'
import { inTemporaryFolder } from '../../../runtime/temporary-folders.ts'
import { draftOf } from '../../../service/executions/actions/flat-actions.ts'
import { done, failed } from '../answers.ts'
import { deviceToLookAt } from '../perform.ts'
import { type Tool, type ToolCall, type ToolResult, tool } from '../tool.ts'
import { act } from './act.ts'

type Given = ToolArguments<'files'>

const lineOf = ({ name, kind, bytes }: ListedFile): string =>
  bytes === undefined ? `${name} ${kind}` : `${name} ${bytes}`

const isPossible = (bytes: number) => bytes <= INLINE_FILE_BYTES_MAX

const tooLarge = (path: string, bytes: number): ToolResult =>
  failed(
    failure('FILE_REFUSED', `${path} has ${bytes} bytes, and the tool carries at most ${INLINE_FILE_BYTES_MAX}.`, {
      hint: 'Transfer it with execute: push_file or pull_file, with a path below a folder of --files-root.',
    }),
    { dispatched: false },
  )

const wrong = (problem: string): ToolResult => failed(failure('USAGE', `files: ${problem}`), { dispatched: false })

const list = async ({ path, app, device }: Given, { deps, signal }: ToolCall) => {
  const { service } = deps
  const call = { context: { caller: 'mcp' }, signal } as const
  const chosen = await deviceToLookAt(device, deps, call)
  if (!chosen.ok) return chosen
  const input = { deviceId: chosen.value, path, ...(app === undefined ? {} : { applicationId: app }) }
  return service['files.list'](input, call)
}

/** In a folder of its own, which is gone afterwards, and the only one that the transfer may touch. */
const inFolder = <T>(call: ToolCall, work: (folder: string, call: ToolCall) => Promise<T>): Promise<T> =>
  inTemporaryFolder('mcp', folder => work(folder, { ...call, deps: { ...call.deps, fileRoots: [folder] } }))

const contentOf = (bytes: Buffer) =>
  isUtf8(bytes) && !bytes.includes(0)
    ? { content: bytes.toString('utf8') }
    : { content: bytes.toString('base64'), base64: true }

const read = async (args: Given, call: ToolCall): Promise<ToolResult> => {
  const listed = await list(args, call)
  if (!listed.ok) return failed(listed.error, { dispatched: false })
  const [only] = listed.value.files
  if (only?.bytes !== undefined && listed.value.count === 1 && !isPossible(only.bytes))
    return tooLarge(args.path, only.bytes)
  return inFolder(call, async (folder, inside) => {
    const to = join(folder, 'content')
    const answer = await act(
      'files',
      draftOf('pull_file', { from: args.path, to, applicationId: args.app }),
      args,
      inside,
    )
    if ('isError' in answer && answer.isError) return answer
    const found = await stat(to).catch(() => undefined)
    if (!found) return answer
    if (!found.isFile()) return wrong(`${args.path} is a folder`)
    if (!isPossible(found.size)) return tooLarge(args.path, found.size)
    const content = contentOf(await readFile(to))
    return done(content.content, { path: args.path, bytes: found.size, ...content })
  })
}

/** A folder lists what is in it, and a file itself. */
const isOneFile = (found: readonly ListedFile[], path: string): boolean =>
  found.length === 1 && found[0]?.kind !== 'folder' && found[0]?.name === posix.basename(path)

const bytesIn = ({ content = '', base64 }: Given): Buffer | undefined => {
  if (!base64) return Buffer.from(content)
  return /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content) ? Buffer.from(content, 'base64') : undefined
}

const write = async (args: Given, call: ToolCall): Promise<ToolResult> => {
  if (args.content === undefined) return wrong('content is missing')
  const bytes = bytesIn(args)
  if (!bytes) return wrong('content is not base64')
  if (!isPossible(bytes.length)) return tooLarge('The content', bytes.length)
  if (args.path.endsWith('/')) return wrong('path names a folder, not a file')
  const there = await list(args, call)
  if (!there.ok && there.error.code !== 'FILE_NOT_FOUND') return failed(there.error, { dispatched: false })
  if (there.ok && !isOneFile(there.value.files, args.path)) return wrong(`${args.path} is a folder`)
  return inFolder(call, async (folder, inside) => {
    const from = join(folder, 'content')
    await writeFile(from, bytes)
    const { path: to, app: applicationId } = args
    return act(
      'files',
      draftOf('push_file', { from, to, applicationId }),
      args,
      inside,
      ({ path = to }) => `wrote ${path}`,
    )
  })
}

const files = tool({
  name: 'files',
  description: 'Files of a device (of app): content up to 1 MiB, base64 for bytes.',
  annotations: { performs: ['push_file', 'remove_file'] },
  async run(args, call) {
    const { action, path, app: applicationId, recursive } = args
    if (action === 'read') return read(args, call)
    if (action === 'write') return write(args, call)
    if (action === 'remove')
      return act(
        'files',
        draftOf('remove_file', { path, applicationId, recursive }),
        args,
        call,
        () => `removed ${path}`,
      )
    const listed = await list(args, call)
    if (!listed.ok) return failed(listed.error, { dispatched: false })
    const { files: found, count } = listed.value
    return done(found.map(lineOf).join('\n') || 'empty', { files: found, count })
  },
})

export const FILE_TOOLS: readonly Tool[] = [files]
