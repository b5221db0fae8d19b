/** Chooses among the devices that fit: first one that is free as far as can be known, then the next after a refusal. */
import { isReceiptInFlight, type ReceiptState } from '../../contracts/receipt.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import type { Sending } from '../../fleet/sending.ts'
import { type ForwardOptions, forward } from './forward.ts'

/** Goes on to the next device while `mayGoOn` says that nothing was done. */
export const onFirstFree = async <T>(
  candidates: readonly FleetRow[],
  {
    run,
    mayGoOn,
    sending,
  }: { run(row: FleetRow): Promise<T>; mayGoOn(ran: T): Promise<boolean> | boolean; sending: Sending },
): Promise<T> => {
  const left = [...candidates]
  let refused: T | undefined
  for (;;) {
    const [row] = sending.leastAsked(left)
    if (!row) break
    left.splice(left.indexOf(row), 1)
    const ran = await sending.during(row, () => run(row))
    if (!(await mayGoOn(ran))) return ran
    // The first refusal is that of the device which fits best.
    refused ??= ran
  }
  if (refused === undefined) throw new Error('there is no device to choose from')
  return refused
}

const LOOK_MS = 3_000

/** True when nothing runs there, by the receipts of its host: the records of hosts can be seconds old. */
const isIdle = async ({ host, serial }: FleetRow, options: ForwardOptions): Promise<boolean> => {
  const { fleet } = options
  if (host === fleet.host) return !fleet.isBusy(serial)
  const path = `/executions?${new URLSearchParams({ deviceId: serial, limit: '1' })}`
  const outcome = await forward(host, { method: 'GET', path, withinMs: LOOK_MS }, options)
  if (outcome.kind === 'refused' || outcome.response.status !== 200) return false
  const { executions } = JSON.parse(Buffer.from(outcome.body).toString()) as { executions?: { state: ReceiptState }[] }
  const [newest] = executions ?? []
  return newest === undefined || !isReceiptInFlight(newest.state)
}

/**
 * The one device for a request that is sent to no second one: the first that is free now. Where none is, or only one fits,
 * the first.
 */
export const firstIdle = async (
  candidates: readonly [FleetRow, ...FleetRow[]],
  options: ForwardOptions & { fleet: FleetFront },
): Promise<FleetRow> => {
  const { sending } = options.fleet
  const [first = candidates[0], ...others] = sending.leastAsked(candidates)
  if (others.length === 0) return first
  if (await isIdle(first, options)) return first
  const looked = await Promise.all(others.map(row => isIdle(row, options)))
  return sending.leastAsked(others.filter((_, index) => looked[index]))[0] ?? first
}
