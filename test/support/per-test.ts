/** What a test owns by itself, also while others of its file run: made when it is first asked for, closed at the end. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { aroundEach } from 'vitest'

interface Closable {
  close(): Promise<void>
}

export const perTest = <Args extends unknown[], Made extends Closable | Promise<Closable>>(
  make: (...args: Args) => Made,
): ((...args: Args) => Made) => {
  const current = new AsyncLocalStorage<{ made?: Made }>()
  aroundEach(async runTest => {
    const own: { made?: Made } = {}
    try {
      await current.run(own, runTest)
    } finally {
      await (await own.made)?.close()
    }
  })
  return (...args) => {
    const own = current.getStore()
    if (!own) throw new Error('only a test can have one')
    own.made ??= make(...args)
    return own.made
  }
}

/** For `const atEnd = testEnd()` in a test file: what a test has done when it ends, the latest first. */
export const testEnd = (): ((step: () => unknown) => void) => {
  const own = perTest(() => {
    const steps: (() => unknown)[] = []
    return {
      steps,
      async close() {
        for (const step of steps.reverse()) await step()
      },
    }
  })
  return step => void own().steps.push(step)
}
