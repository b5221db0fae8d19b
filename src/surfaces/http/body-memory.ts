/** Bounds the bytes of all bodies that are held at once: each request takes a share while its body arrives. */

export interface BodyShare {
  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean
  /** True once bytes were refused. */
  isRefused(): boolean
  /** For when the request is answered: until then its body is held, even if its client has left. */
  giveBack(): void
}

export const createBodyRoom = (most: number) => {
  let held = 0
  return (): BodyShare => {
    let ownBytes = 0
    let refused = false
    const giveBack = () => {
      held -= ownBytes
      ownBytes = 0
    }
    return {
      take(bytes) {
        if (held + bytes > most) {
          refused = true
          // The rest of a refused body is dropped, so its beginning is held no more.
          giveBack()
          return false
        }
        held += bytes
        ownBytes += bytes
        return true
      },
      isRefused: () => refused,
      giveBack,
    }
  }
}
