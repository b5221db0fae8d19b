/** A map of bounded size that lets go of what was not used for the longest time. */

export const recentMap = <K, V>(sizeMax: number, onDropped: (value: V) => void = () => {}) => {
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
    set(key: K, value: V) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries
      if (entries.size <= sizeMax || !oldest) return
      entries.delete(oldest[0])
      onDropped(oldest[1])
    },
    delete: (key: K) => void entries.delete(key),
    values: () => [...entries.values()],
  }
}
