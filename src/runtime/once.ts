/** Things that are made when they are first asked for. */

/** `made` tells what was made already. */
export const once = <T>(make: () => T): (() => T) & { made(): T | undefined } => {
  let kept: { value: T } | undefined
  const get = () => {
    kept ??= { value: make() }
    return kept.value
  }
  return Object.assign(get, { made: () => kept?.value })
}
