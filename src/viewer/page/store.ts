/** Values that parts of the page watch. */
import { useEffect, useState } from 'preact/hooks'
import { every, now } from './time.ts'

export interface Store<T> {
  get(): T
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Draws again when what is chosen of the value is another one. */
export const useStore = <T, S = T>(store: Store<T>, choose: (value: T) => S = value => value as unknown as S): S => {
  const [, draw] = useState(0)
  const chosen = choose(store.get())
  useEffect(() => {
    let last = choose(store.get())
    // Between drawing and listening it may have changed.
    if (!Object.is(last, chosen)) draw(count => count + 1)
    return store.subscribe(() => {
      const next = choose(store.get())
      if (Object.is(next, last)) return
      last = next
      draw(count => count + 1)
    })
  })
  return chosen
}

/** The time, once a second. */
export const useNow = (): number => {
  const [time, setTime] = useState(now())
  useEffect(() => every(1_000, () => setTime(now())), [])
  return time
}
