/** `Date` as scripts have it: it begins at the time that came with the evaluation. */

/** Replaces it in this realm; `now` is asked wherever the real one would look at the clock. */
export const installClock = (now: () => number): void => {
  const Native = Date
  const { construct } = Reflect
  Native.now = now
  const Clocked = new Proxy(Native, {
    construct: (target, args: unknown[], newTarget) => construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Native(now()).toString(),
  })
  Native.prototype.constructor = Clocked
  globalThis.Date = Clocked
}
