/** Bytes that a test sends, as somebody reads them. */

export interface ByteQueue {
  chunks: AsyncIterable<Uint8Array>
  push(bytes: Uint8Array | string): void
  /** What was pushed can still be read. */
  end(error?: unknown): void
  isEnded(): boolean
}

export const byteQueue = (): ByteQueue => {
  const waiting: Uint8Array[] = []
  let ended: { error: unknown } | undefined
  let wake: () => void = () => {}

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = waiting.shift()
      if (next) yield next
      else if (ended) {
        if (ended.error !== undefined) throw ended.error
        return
      } else {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
  }
  return {
    chunks: read(),
    push(bytes) {
      if (ended) return
      waiting.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
      wake()
    },
    end(error) {
      ended ??= { error }
      wake()
    },
    isEnded: () => ended !== undefined,
  }
}
