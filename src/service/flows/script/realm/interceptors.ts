/**
 * V8 calls these functions while a script runs. Node's own functions for it belong to the realm of the process, and so do the promises and
 * errors that they hand to the script; these belong to the realm of the scripts.
 */

export interface Interceptors {
  /** `import()`. */
  importModule(): Promise<never>
  /** The text of `error.stack`. */
  stackText(realm: unknown, error: unknown, frames: readonly unknown[]): string
  /** A rejection that nobody handles. */
  rejected(): void
}

/** Frames of scripts bear the labels of their sources. The others would tell where svc is installed. */
const SCRIPT_FRAME = 'flow:'

export const createInterceptors = (): Interceptors => {
  const Failure = TypeError
  const reject = Promise.reject.bind(Promise)
  const { apply } = Reflect
  const { toString: errorText } = Error.prototype
  const { includes } = String.prototype
  return {
    importModule: () => reject(new Failure('A script of a flow cannot import modules.')),
    stackText(_, error, frames) {
      let text = 'Error'
      try {
        text = `${apply(errorText, error, [])}`
      } catch {
        // The error has no text.
      }
      for (let at = 0; at < frames.length; at++) {
        const frame = `${frames[at]}`
        if (apply(includes, frame, [SCRIPT_FRAME])) text += `\n    at ${frame}`
      }
      return text
    },
    rejected() {},
  }
}
