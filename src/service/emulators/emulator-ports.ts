/** The ports of the machine `emulator`: those that make and remove AVDs are here, those of other phases beside it. */
import type { BoundedInput, CreateInput, ObserveInput, UndoInput } from '../../../machines/emulator/emulator-context.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { deadlinePort, type Port, type Ports, type PortTools } from '../../runtime/port.ts'
import { folderElsewhere, hasAvdFiles, hasAvdLeftovers, ownFolder, removeAvdFiles, setStorage } from './avd-files.ts'
import { type EmulatorFailure, emulatorFailure, failedWith, toolsMissing } from './failure.ts'
import { repairLeftovers } from './repair.ts'
import { runTool, shownText, type ToolRun, toolFailure } from './run-tool.ts'
import { observeAvd } from './running.ts'
import { avdHome, type EmulatorDeps, findTool, missingTools, type SdkTool } from './sdk.ts'
import { startPorts } from './start-ports.ts'

/** All that a tool run takes beside its arguments. */
type ToolBase = Omit<ToolRun, 'args' | 'stdin' | 'onText'>

type Installed = { ok: true } | { ok: false; failure: EmulatorFailure }

const CODE = 'ANDROID_SYSTEM_IMAGE_INSTALL_FAILED'
/** More questions than any package has licences. */
const YES = 'y\n'.repeat(100)
const LIST = ['--list_installed']

/** The table's first column is the path of the package. */
const lists = (stdout: string, image: string): boolean =>
  shownText(stdout)
    .split('\n')
    .some(line => line.split('|')[0]?.trim() === image)

export interface Progress {
  percent: number | null
  step: string
}

const PERCENT = /\]\s*(\d{1,3})%\s*([^\r\n]*)/

/** `[====      ] 35% Downloading x86_64-35_r09.zip` */
const progressIn = (text: string): Progress | undefined => {
  const [, percent, step = ''] = PERCENT.exec(text) ?? []
  return percent === undefined ? undefined : { percent: Math.min(100, Number(percent)), step: step.trim() }
}

/** Says each percentage once. */
export const progressReader = (onProgress: (progress: Progress) => void): ((text: string) => void) => {
  let held = ''
  let last = -1
  return text => {
    const pieces = (held + text).split(/[\r\n]/)
    held = pieces.at(-1)?.slice(-1_000) ?? ''
    // The last piece has no end of line until it is drawn over, so it is read, too.
    for (const piece of pieces) {
      const progress = progressIn(piece)
      if (!progress || progress.percent === null || progress.percent === last) continue
      last = progress.percent
      onProgress(progress)
    }
  }
}

const installImage = async (
  base: ToolBase,
  image: string,
  onProgress: (progress: Progress) => void,
): Promise<Installed> => {
  const failed = (args: readonly string[], end: Parameters<typeof toolFailure>[3]): Installed => ({
    ok: false,
    failure: toolFailure(CODE, `The system image ${image} could not be installed`, { tool: base.tool, args }, end),
  })
  const before = await runTool({ ...base, args: LIST })
  if (before.problem !== undefined) return failed(LIST, before)
  if (lists(before.stdout, image)) return { ok: true }
  const args = ['--install', image]
  onProgress({ percent: null, step: `Installing ${image}` })
  const end = await runTool({ ...base, args, stdin: YES, onText: progressReader(onProgress) })
  if (end.problem !== undefined) return failed(args, end)
  // The tool may skip a package whose licence was not accepted, and report success.
  const after = await runTool({ ...base, args: LIST })
  if (after.problem === undefined && lists(after.stdout, image)) return { ok: true }
  return failed(args, { ...end, problem: 'reported success, but the image is not installed' })
}

type ToolCall = { tool: SdkTool; input: BoundedInput; tools: PortTools }

const avdPorts = ({ env, clock }: Pick<EmulatorDeps, 'env' | 'clock'>) => {
  const home = avdHome(env)

  /** Undefined when it is missing. */
  const toolBase = ({ tool, input: { requestId, until }, tools }: ToolCall) => {
    const path = findTool(tool, env)
    if (path === undefined) return undefined
    const { send, signal } = tools
    const onSpawned: ToolRun['onSpawned'] = ({ pid, started }) =>
      void send({ type: 'tool.spawned', tool, pid, started })
    return { tool, path, env, clock, until, signal, requestId, onSpawned }
  }

  const install: Port<CreateInput> = async (input, tools) => {
    const missing = missingTools(['sdkmanager', 'avdmanager'], env)
    const base = toolBase({ tool: 'sdkmanager', input, tools })
    if (missing.length > 0 || !base) return failedWith(tools, toolsMissing(missing))
    const installed = await installImage(base, input.spec?.image ?? '', progress => {
      void tools.send({ type: 'image.progressed', ...progress })
    })
    if (!installed.ok) return failedWith(tools, installed.failure)
    await tools.send({ type: 'image.installed' })
  }

  const create: Port<CreateInput> = async (input, tools) => {
    const { avdName, spec } = input
    if (hasAvdFiles(home, avdName)) return void (await tools.send({ type: 'avd.taken' }))
    const what = `The AVD ${avdName} could not be made`
    const failed = (why: string, details: EmulatorFailure['details'] = {}) =>
      failedWith(tools, emulatorFailure('ANDROID_AVD_CREATE_FAILED', `${what}: ${why}.`, details))
    const folder = ownFolder(home, avdName)
    if (hasAvdLeftovers(home, avdName)) {
      return failed(`the folder ${folder} is in the way`, {
        folder,
        hint: 'No AVD is registered for it. Move it away or delete it, and try again.',
      })
    }
    const base = toolBase({ tool: 'avdmanager', input, tools })
    if (!base) return failedWith(tools, toolsMissing(['avdmanager']))
    const { image = '', deviceProfile = '', storageGb = 0 } = spec ?? {}
    const args = ['create', 'avd', '--name', avdName, '--package', image, '--device', deviceProfile]
    if (!(await tools.send({ type: 'avd.making' }))) return
    const end = await runTool({ ...base, args, stdin: 'no\n' })
    if (end.problem !== undefined) {
      if (/already exists/i.test(end.output)) return void (await tools.send({ type: 'avd.taken' }))
      return failedWith(tools, toolFailure('ANDROID_AVD_CREATE_FAILED', what, { tool: 'avdmanager', args }, end))
    }
    try {
      setStorage(home, avdName, storageGb)
    } catch (error) {
      return failed(`its storage size could not be set: ${messageOf(error)}`)
    }
    await tools.send({ type: 'avd.created' })
  }

  const undo: Port<UndoInput> = async ({ avdName, making }, { send }) => {
    if (making) removeAvdFiles(home, avdName)
    await send({ type: 'avd.undone' })
  }

  const remove: Port<BoundedInput> = async (input, tools) => {
    const { avdName } = input
    const what = `The AVD ${avdName} could not be deleted`
    const elsewhere = folderElsewhere(home, avdName)
    if (elsewhere !== undefined) {
      const message = `${what}: it keeps its files in ${elsewhere}, outside the AVD home ${home}.`
      const hint = `Nothing outside the AVD home is deleted. Move what is yours, then run avdmanager delete avd --name ${avdName}.`
      return failedWith(tools, emulatorFailure('ANDROID_AVD_DELETE_FAILED', message, { folder: elsewhere, hint }))
    }
    const base = toolBase({ tool: 'avdmanager', input, tools })
    if (!base) return failedWith(tools, toolsMissing(['avdmanager']))
    const args = ['delete', 'avd', '--name', avdName]
    const end = await runTool({ ...base, args })
    // The tool does not know an AVD whose files are damaged, and leaves those of others behind.
    const isUnknown = /no android virtual device|cannot find|could not be loaded|not found/i.test(end.output)
    if (end.problem === undefined || isUnknown) removeAvdFiles(home, avdName)
    if (!hasAvdLeftovers(home, avdName)) return void (await tools.send({ type: 'avd.deleted' }))
    return failedWith(tools, toolFailure('ANDROID_AVD_DELETE_FAILED', what, { tool: 'avdmanager', args }, end))
  }

  return { install, create, undo, remove }
}

export const emulatorPorts = (deps: EmulatorDeps): Ports => {
  const observe: Port<ObserveInput> = async (input, tools) => {
    const { avdName, cut, requestId } = input
    if (cut) await tools.send({ type: 'leftovers.repaired', ...(await repairLeftovers(input, cut, deps)) })
    const seen = await observeAvd(avdName, deps, { signal: tools.signal, requestId })
    if (!seen.ok) return failedWith(tools, seen.failure)
    await tools.send({ type: 'avd.observed', finding: seen.finding, serial: seen.serial })
  }

  return { observe, ...avdPorts(deps), ...startPorts(deps), deadline: deadlinePort(deps.clock) as Port }
}
