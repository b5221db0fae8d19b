/** The tools for emulators: what there is, and one that is ready to use. */
import * as v from 'valibot'
import { ProvisionRequest } from '../../../contracts/device/avd.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { progressText } from '../../../service/emulators/progress-text.ts'
import { done, failed } from '../answers.ts'
import { LOOKS_LOCALLY, type Tool, tool } from '../tool.ts'

const list = tool({
  name: 'emulators',
  description: 'List the configured AVDs and the running emulators.',
  annotations: LOOKS_LOCALLY,
  async run(_, { deps, signal }) {
    const { service } = deps
    const call = { context: { caller: 'mcp' }, signal } as const
    const [listed, ran] = await Promise.all([
      service['emulators.list']({}, call),
      service['emulators.running']({}, call),
    ])
    if (!listed.ok) return failed(listed.error)
    if (!ran.ok) return failed(ran.error)
    const { avds } = listed.value
    const { devices: running } = ran.value
    const lines = avds.map(({ name, running: runs }) => {
      const serial = running.find(({ avdName }) => avdName === name)?.serial
      return `${name}: ${runs ? `runs${serial === undefined ? '' : ` as ${serial}`}` : 'does not run'}`
    })
    return done(lines.join('\n') || 'no AVDs', { avds, running })
  },
})

const provision = tool({
  name: 'emulator_provision',
  description: 'Bring up an emulator, booted: a running one, an AVD, or a new one. Takes minutes.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run(args, { deps, progress }) {
    const request = v.safeParse(ProvisionRequest, args)
    if (!request.success) {
      const [issue] = request.issues
      const message = `emulator_provision: ${v.getDotPath(issue) ?? 'arguments'}: ${issue.message}`
      return failed(failure('USAGE', message), { dispatched: false })
    }
    const answered = await deps.service['emulators.provision'](request.output, {
      context: { caller: 'mcp' },
      onProgress(update) {
        if (update.kind !== 'begun') return
        const { actor } = update
        progress.watch(record =>
          record.actor === actor || record.machine === 'emulator' ? progressText(record) : undefined,
        )
      },
    })
    if (!answered.ok) return failed(answered.error)
    const { ok: _, type: __, ...emulator } = answered.value
    const { avdName, serial, note } = emulator
    return done(`${avdName} is ready as ${serial}${note === undefined ? '' : `. ${note}`}`, emulator)
  },
})

export const EMULATOR_TOOLS: readonly Tool[] = [list, provision]
