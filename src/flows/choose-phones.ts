/** Chooses the listed phones that take the flows of a run. A phone counts once, by however many serials it is listed. */
import type { ListedPhone } from './phones.ts'

const isNamedBy = (name: string, { deviceId, serial }: ListedPhone): boolean => name === deviceId || name === serial

const distinct = (phones: readonly ListedPhone[]): ListedPhone[] =>
  phones.filter((each, at) => phones.findIndex(({ phone }) => phone === each.phone) === at)

/** Under the ids by which they take flows already, where they do. */
export const phonesForFlows = (
  listed: readonly ListedPhone[],
  names: readonly string[] | undefined,
  known: readonly string[] = [],
): string[] => {
  const usable = listed.filter(
    each => each.state === 'free' && (names === undefined || names.some(name => isNamedBy(name, each))),
  )
  const isKnown = ({ deviceId }: ListedPhone) => known.includes(deviceId)
  return distinct([...usable.filter(isKnown), ...usable.filter(each => !isKnown(each))]).map(({ deviceId }) => deviceId)
}

/** The named phones, free or not, each once; a name that nothing has stands for itself. */
export const namedPhones = (listed: readonly ListedPhone[], names: readonly string[]): string[] =>
  distinct(
    names.map(
      (name): ListedPhone =>
        listed.find(each => isNamedBy(name, each)) ?? { deviceId: name, serial: name, phone: name, state: 'away' },
    ),
  ).map(({ deviceId }) => deviceId)

export const unlistedNames = (listed: readonly ListedPhone[], names: readonly string[]): string[] =>
  names.filter(name => !listed.some(each => isNamedBy(name, each)))

/** For a person, while no phone takes a flow. */
export const nobodyReady = (found: readonly string[], devices: readonly string[] | undefined): string => {
  const wait = 'waiting 60 s for one'
  if (devices === undefined)
    return `no phone is ready: ${wait}. svc devices lists phones; --simulate runs on a simulated one`
  const there = found.length === 0 ? 'no phone is ready' : `ready are ${found.join(', ')}`
  return `${devices.join(', ')} is not ready: ${wait}. Of all phones, ${there}`
}
