/** A map of bounded size that lets go of what was not used for the longest time. */

interface RecentMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  values(): V[]
}

export const recentMap = <K, V>(sizeMax: number, onDropped: (value: V) => void = () => {}): RecentMap<K, V> => {
  const entries = new Map<K, V>()
  const get = (key: K) => {
    const value = entries.get(key)
    if (value !== undefined) {
      entries.delete(key)
      entries.set(key, value)
    }
    return value
  }
  return {
    get,
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries
      if (entries.size <= sizeMax || !oldest) return
      entries.delete(oldest[0])
      onDropped(oldest[1])
    },
    delete: key => void entries.delete(key),
    values: () => [...entries.values()],
  }
}
