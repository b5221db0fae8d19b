/** Functions of the process that the realm of the scripts may call. All that crosses is text and numbers. */

export interface RealmHost {
  /** An EvaluationTask as JSON. */
  task(): string
  /** Takes a ScriptRequest, and returns the head of a ResponseMessage, both as JSON; blocks until there is one. */
  request(request: string): string
  /** The body of the last response. */
  body(): string
  /** Takes a LoggedLine as JSON. */
  log(line: string): void
  /** Since the evaluation began. */
  elapsedMs(): number
  /** Returns the place of the syntax error of a source as JSON, or an empty text. */
  syntaxProblem(source: string): string
  /** Returns a function that was made inside the realm. */
  loadFaker(): (next: () => number) => object
  /** Memory that buffers hold, outside of the heap. */
  bufferBytes(): number
  /** Takes an EvaluationResult as JSON. */
  answer(result: string): void
}

// Scripts may replace it.
const Failure = RangeError

/**
 * An error of a call belongs to another realm, through which a script could reach the process: it is replaced. That is the
 * end of the stack or of the memory, for the functions of the host throw nothing themselves. An argument becomes a text here,
 * without any function that a script can replace.
 */
export const guardCall =
  <Result>(call: (text: string) => Result) =>
  (value?: unknown): Result => {
    const text = `${value}`
    try {
      return call(text)
    } catch {
      throw new Failure('Maximum call stack size exceeded')
    }
  }
