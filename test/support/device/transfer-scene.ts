/** A simulated phone and a folder of the host, for the actions that move files between them. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { Link } from '../../../src/device/link/link.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { phoneLink } from '../adb/phone-link.ts'
import { phoneOf } from '../simulator/simulated-phone.ts'

type Type = 'push_file' | 'pull_file' | 'remove_file' | 'add_media'
type Options = Parameters<typeof runHostStep>[1]

export const transferScene = (change: (link: Link) => Partial<Link> = () => ({})) => {
  const host = realpathSync(mkdtempSync(join(tmpdir(), 'svc-transfer-')))
  const phone = phoneOf()
  const clock = systemClock()
  const plain = phoneLink(phone, clock)
  const link = Object.assign(plain, change({ ...plain }))
  const at = (...parts: string[]) => join(host, ...parts)
  const run = async (type: Type, params: object, more: Partial<Options> = {}) => {
    const action = { id: 'a', type, params: { overwrite: type === 'push_file', recursive: false, ...params } }
    const options = { link, clock, deadline: clock.now() + 30_000, signal: new AbortController().signal, ...more }
    const { stepResults, error } = await runHostStep(action as unknown as Action, {
      screenshotPath: () => '',
      ...options,
    })
    return { data: stepResults[0]?.data ?? {}, error }
  }
  const shell = async (line: string) => (await link.shell(line, { deadline: clock.now() + 10_000 })).stdout
  return {
    at,
    phone,
    link,
    run,
    shell,
    /** Every path below a folder of the phone, drafts included. */
    onPhone: async (folder: string) => (await shell(`find ${folder}`)).trim().split('\n').slice(1),
    onHost: () => readdirSync(host, { recursive: true }).map(String).sort(),
    close() {
      phone.close()
      rmSync(host, { recursive: true, force: true })
    },
  }
}
