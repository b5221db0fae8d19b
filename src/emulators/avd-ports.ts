/** The ports of the machine `emulator` that make and remove AVDs with sdkmanager and avdmanager. */
import type { BoundedInput, CreateInput, UndoInput } from '../../machines/emulator-context.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Port, PortTools } from '../runtime/port.ts'
import { folderElsewhere, hasAvdFiles, hasAvdLeftovers, ownFolder, removeAvdFiles, setStorage } from './avd-files.ts'
import type { EmulatorDeps } from './deps.ts'
import { type EmulatorFailure, emulatorFailure, failedWith, toolsMissing } from './failure.ts'
import { installImage } from './images.ts'
import { runTool, type ToolRun, toolFailure } from './run-tool.ts'
import { avdHome, findTool, missingTools, type SdkTool } from './sdk.ts'

type ToolCall = { tool: SdkTool; input: BoundedInput; tools: PortTools }

export const avdPorts = ({ env, clock }: Pick<EmulatorDeps, 'env' | 'clock'>) => {
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
    // It does not know an AVD whose files are damaged, and leaves those of others behind.
    const isUnknown = /no android virtual device|cannot find|could not be loaded|not found/i.test(end.output)
    if (end.problem === undefined || isUnknown) removeAvdFiles(home, avdName)
    if (!hasAvdLeftovers(home, avdName)) return void (await tools.send({ type: 'avd.deleted' }))
    return failedWith(tools, toolFailure('ANDROID_AVD_DELETE_FAILED', what, { tool: 'avdmanager', args }, end))
  }

  return { install, create, undo, remove }
}
