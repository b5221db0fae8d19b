/** The header Range of a request for bytes, as RFC 9110 has it: one range; anything else means the whole. */

export interface ByteRange {
  start: number
  /** The last byte that is wanted. */
  end: number
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

export const rangeIn = (header: string | undefined, size: number): ByteRange | 'all' | 'outside' => {
  const [, first = '', last = ''] = ONE_RANGE.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'outside' : { start, end }
}
