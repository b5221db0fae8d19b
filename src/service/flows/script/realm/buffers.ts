/** A bound for buffers, whose memory is not part of the heap. */

const MIB = 1_024 * 1_024
const ONE_BYTES_MAX = 16 * MIB
/** The bound of all together; up to half of it may be garbage already. */
const ALL_BYTES_MAX = 128 * MIB
const CHECK_EVERY_BYTES = 8 * MIB

const TYPED = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const

type Constructor = (new (
  ...args: unknown[]
) => { byteLength: number }) & { prototype: object; BYTES_PER_ELEMENT?: number }

/** Replaces the constructors of buffers in this realm, and removes what could grow one past them. */
export const boundBuffers = (bytesHeld: () => number): void => {
  const realm = globalThis as unknown as Record<string, unknown>
  const { construct, deleteProperty, defineProperty } = Reflect
  let unchecked = 0
  const account = (bytes: number) => {
    if (bytes > ONE_BYTES_MAX) throw new RangeError(`A buffer of a script may hold ${ONE_BYTES_MAX} bytes.`)
    unchecked += bytes
    if (unchecked < CHECK_EVERY_BYTES) return
    unchecked = 0
    if (bytesHeld() > ALL_BYTES_MAX) throw new RangeError(`All buffers of a script may hold ${ALL_BYTES_MAX} bytes.`)
  }
  const bytesOf = (first: unknown, size: number): number => {
    if (typeof first === 'number') return first * size
    const length = (first as { length?: unknown } | null | undefined)?.length
    return typeof length === 'number' ? length * size : 0
  }
  for (const name of ['ArrayBuffer', ...TYPED]) {
    const Native = realm[name] as Constructor
    const isArrayBuffer = name === 'ArrayBuffer'
    const Bounded = new Proxy(Native, {
      construct(target, args: unknown[], newTarget) {
        account(bytesOf(args[0], Native.BYTES_PER_ELEMENT ?? 1))
        // The second argument of an ArrayBuffer would let it grow.
        return construct(target, isArrayBuffer ? [args[0]] : args, newTarget)
      },
    })
    defineProperty(Native.prototype, 'constructor', { value: Bounded, writable: true, configurable: true })
    realm[name] = Bounded
  }
  for (const method of ['resize', 'transfer', 'transferToFixedLength']) deleteProperty(ArrayBuffer.prototype, method)
  for (const name of ['SharedArrayBuffer', 'WebAssembly', 'FinalizationRegistry']) deleteProperty(realm, name)
}
