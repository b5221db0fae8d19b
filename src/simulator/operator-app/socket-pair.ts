/** Both ends of a socket between the debug daemon and an app. */
import type { AppSocket } from '../phone-parts.ts'

/** Bytes that come before somebody listens are kept for them. */
const end = () => {
  let onData: ((bytes: Uint8Array) => void) | undefined
  const onClose: (() => void)[] = []
  let waiting: Uint8Array[] = []
  let closed = false
  return {
    listen(listener: (bytes: Uint8Array) => void) {
      onData = listener
      const kept = waiting
      waiting = []
      for (const bytes of kept) listener(bytes)
    },
    whenClosed(listener: () => void) {
      onClose.push(listener)
      if (closed) listener()
    },
    take(bytes: Uint8Array) {
      if (closed) return
      if (onData) onData(bytes)
      else waiting.push(bytes)
    },
    close() {
      if (closed) return
      closed = true
      for (const listener of onClose) listener()
    },
  }
}

type End = ReturnType<typeof end>

const socketOver = (ownEnd: End, other: End): AppSocket => ({
  onData: ownEnd.listen,
  onClose: ownEnd.whenClosed,
  write: other.take,
  close() {
    ownEnd.close()
    other.close()
  },
})

export const socketPair = (): [AppSocket, AppSocket] => {
  const [one, other] = [end(), end()]
  return [socketOver(one, other), socketOver(other, one)]
}
