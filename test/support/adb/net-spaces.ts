/** Network namespaces on one bridge: each program in one has an address of its own, and is cut off as by a pulled cable. Linux, and root. */
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'

export interface NetSpaces {
  addressOf(index: number): string
  /** The command line that starts a program in it. */
  within(index: number): readonly string[]
  /** No packet passes, and nobody is told. */
  cut(index: number): void
  heal(index: number): void
  close(): void
}

const NAME_BYTES = 2
/** Addresses of private use that other bridges rarely have. */
const [LOWEST_NET, HIGHEST_NET] = [200, 250]
/** The bridge has the first one. */
const FIRST_HOST = 2

const ip = (line: string) => void execFileSync('ip', line.split(' '), { stdio: 'pipe' })

/** Undefined, with the reason printed, where this process may not make any. */
export const netSpaces = (count: number): NetSpaces | undefined => {
  const name = randomBytes(NAME_BYTES).toString('hex')
  const bridge = `svc-${name}`
  const net = `10.${randomInt(LOWEST_NET, HIGHEST_NET)}.${randomInt(0, 255)}`
  const addressOf = (index: number) => `${net}.${FIRST_HOST + index}`
  const spaceOf = (index: number) => `${bridge}-${index}`
  const cableOf = (index: number) => `svc${index}-${name}`
  let isClosed = false
  const attempt = (line: string) => {
    try {
      ip(line)
    } catch {
      // It is gone, or never was.
    }
  }
  const close = () => {
    if (isClosed) return
    isClosed = true
    process.off('exit', close)
    for (let index = 0; index < count; index += 1) attempt(`netns del ${spaceOf(index)}`)
    attempt(`link del ${bridge}`)
  }
  // A test process that ends in the middle of a test leaves no bridge behind.
  process.once('exit', close)
  try {
    ip(`link add ${bridge} type bridge`)
    ip(`addr add ${net}.1/24 dev ${bridge}`)
    ip(`link set ${bridge} up`)
    for (let index = 0; index < count; index += 1) {
      const [space, cable, plug] = [spaceOf(index), cableOf(index), `plug${index}`]
      ip(`netns add ${space}`)
      ip(`link add ${cable} type veth peer name ${plug} netns ${space}`)
      ip(`link set ${cable} master ${bridge} up`)
      ip(`-n ${space} addr add ${addressOf(index)}/24 dev ${plug}`)
      ip(`-n ${space} link set ${plug} up`)
      ip(`-n ${space} link set lo up`)
    }
  } catch (error) {
    close()
    console.warn(`skipped: no network namespaces: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  return {
    addressOf,
    within: index => ['ip', 'netns', 'exec', spaceOf(index)],
    cut: index => ip(`link set ${cableOf(index)} down`),
    heal: index => ip(`link set ${cableOf(index)} up`),
    close,
  }
}
