/** In the calm, whoever asked for a transfer that was not finished asks for it again. */
import type { Clients } from '../host/clients.ts'
import type { Plan } from '../plan/plan.ts'
import type { HostStepsOfWorld } from '../world.ts'
import { draftOnHost, type FetchedFile, type HostFolders } from './file-steps.ts'
import { draftOf } from './host-steps.ts'
import type { PhoneHost } from './phone.ts'

const FIRST_ROW = 38
/** Each phone has its own request. */
export const againOf = (phone: number): string => `tap-${FIRST_ROW + phone}`

interface AgainOptions {
  plan: Plan
  phones: readonly PhoneHost[]
  folders: HostFolders
  clients: Pick<Clients, 'probe'>
}

export const createAgains = ({ plan, phones, folders, clients }: AgainOptions) => {
  const agains: HostStepsOfWorld['agains'][number][] = []
  let fetchedBefore: FetchedFile[] = []
  const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]

  /** The places with a draft beside them. */
  const unfinished = (phone: number) => {
    const asks = plan.asks.filter(ask => ask.phone === phone)
    const drafts = phones[phone]?.drafts() ?? []
    const onHost = folders.drafts()
    return {
      pushes: distinct(
        asks.flatMap(({ hostStep }) =>
          hostStep?.kind === 'push' && drafts.includes(draftOf(hostStep.to)) ? [hostStep.to] : [],
        ),
      ),
      pulls: distinct(
        asks.flatMap(({ hostStep, place: { host } }) => {
          if (hostStep?.kind !== 'pull') return []
          const { name } = hostStep
          return onHost.some(draft => draft.host === host && draft.name.startsWith(draftOnHost(name))) ? [name] : []
        }),
      ),
    }
  }

  return {
    ask() {
      fetchedBefore = folders.files()
      for (const [phone] of phones.entries()) {
        const { pushes, pulls } = unfinished(phone)
        if (pushes.length + pulls.length === 0) continue
        const command = againOf(phone)
        agains.push({ command, phone, pushes, pulls })
        const place = { host: plan.phones[phone]?.host ?? 0, process: 0 }
        clients.probe(command, phone, place, { kind: 'again', pushes, pulls })
      }
    },
    ofWorld: (): Pick<HostStepsOfWorld, 'agains' | 'fetchedBefore' | 'fetched' | 'hostDrafts'> => ({
      agains,
      fetchedBefore,
      fetched: folders.files(),
      hostDrafts: folders.drafts(),
    }),
  }
}
