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

/** Lists the serials that have not told which phone they are, where that decides how many phones there are. */
export const uncountedPhones = (listed: readonly ListedPhone[], names: readonly string[] | undefined): string[] => {
  const wanted = names === undefined ? listed : listed.filter(each => names.some(name => isNamedBy(name, each)))
  if (wanted.length < 2) return []
  return wanted.filter(({ state }) => state === 'unidentified').map(({ deviceId }) => deviceId)
}

export const unlistedNames = (listed: readonly ListedPhone[], names: readonly string[]): string[] =>
  names.filter(name => !listed.some(each => isNamedBy(name, each)))

/** Each phone that somebody else has reserved, once, with whose it is. */
const reservedSentences = (listed: readonly ListedPhone[]): string[] =>
  distinct(listed.filter(({ state }) => state === 'reserved')).map(
    ({ deviceId, reservation = 'reserved by another caller' }) => `${deviceId} is ${reservation}`,
  )

const silentSentences = (listed: readonly ListedPhone[]): string[] =>
  listed
    .filter(({ state }) => state === 'unidentified')
    .map(({ deviceId }) => `${deviceId} has not answered which phone it is`)

/** For a person, while no phone takes a flow; requests stand in backticks, as in hints. */
export const nobodyReady = (listed: readonly ListedPhone[], devices: readonly string[] | undefined): string => {
  const wait = 'waiting 60 s for one'
  const awaited = devices === undefined ? listed : listed.filter(each => devices.some(name => isNamedBy(name, each)))
  const reasons = [...reservedSentences(awaited), ...silentSentences(awaited)].map(sentence => `. ${sentence}`).join('')
  if (devices === undefined) {
    const help = reasons === '' ? '. `GET /devices` lists phones; `svc simulate` starts a simulated one' : ''
    return `no phone is ready: ${wait}${reasons}${help}`
  }
  const found = phonesForFlows(listed, undefined)
  const there = found.length === 0 ? 'no phone is ready' : `ready are ${found.join(', ')}`
  return `${devices.join(', ')} is not ready: ${wait}${reasons}. Of all phones, ${there}`
}
