/** Looks at a fleet in the calm: the lists and the receipts that each host gives, asked as a caller does. */
import type { Result, Service } from '../../../src/service/service.ts'
import type { Told } from '../../laws/story.ts'
import type { Disk } from '../host/disk.ts'
import type { Life } from '../host/life.ts'
import type { Scheduler } from '../scheduler.ts'

export interface HostLists {
  host: string
  devices: readonly string[]
  executions: readonly string[]
  /** Hosts that it could not ask, or why it has no list. */
  unanswered: readonly string[]
}

export interface Look {
  lists: HostLists[]
  receipts: Told[]
  /** False until everybody has answered. */
  isWhole: boolean
}

const CALL = { context: { caller: 'http' } } as const
const LIST_MAX = 200

interface LookOptions {
  scheduler: Scheduler
  disks: readonly Disk[]
  /** The server of each host. */
  servers: readonly (Life | undefined)[]
}

const said = (result: Result<unknown>): unknown => (result.ok ? result.value : result.error)

export const lookAtFleet = ({ scheduler, disks, servers }: LookOptions): Look => {
  const look: Look = { lists: [], receipts: [], isWhole: false }
  let asking = 1
  const answered = () => {
    asking -= 1
    look.isWhole = asking === 0
  }
  const ask = (life: Life | undefined, work: (service: Service) => Promise<void>) => {
    if (!life) return
    asking += 1
    scheduler.post(life.owner, 0, 'is looked at', () => {
      life.service().then(work).then(answered, answered)
    })
  }
  const known = disks.flatMap((disk, host) =>
    disk
      .store()
      .receipts({ limit: 1_000 })
      .map(({ executionId }) => ({ executionId, owner: `h${host}` })),
  )
  for (const [index, life] of servers.entries()) {
    const host = `h${index}`
    ask(life, async service => {
      const devices = await service['devices.list']({}, CALL)
      const executions = await service['executions.list']({ limit: LIST_MAX }, CALL)
      const silent = (result: Result<{ unanswered?: readonly { host: string }[] }>) =>
        result.ok ? (result.value.unanswered ?? []).map(one => one.host) : [result.error.message]
      look.lists.push({
        host,
        devices: devices.ok ? devices.value.devices.map(one => one.deviceId ?? one.serial) : [],
        executions: executions.ok ? [...executions.value.executions].map(one => one.executionId) : [],
        unanswered: [...silent(devices), ...silent(executions)],
      })
    })
  }
  for (const { executionId, owner } of known) {
    const byHost: Record<string, unknown> = {}
    const told: { -readonly [Key in keyof Told]: Told[Key] } = { executionId, owner, own: undefined, byHost }
    look.receipts.push(told)
    for (const [index, life] of servers.entries())
      ask(life, async service => {
        const result = await service['executions.get']({ executionId }, CALL)
        const receipt = result.ok ? result.value.execution : said(result)
        byHost[`h${index}`] = receipt
        if (owner === `h${index}` && result.ok) told.own = result.value.execution
      })
  }
  answered()
  return look
}
