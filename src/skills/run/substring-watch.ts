/** Whether a text was in the output, known without keeping the output. */

export interface SubstringWatch {
  push(text: string): void
  isMet(): boolean
}

/** Undefined and the empty text are met from the start. */
export const createSubstringWatch = (wanted: string | undefined): SubstringWatch => {
  const needle = wanted ?? ''
  let met = needle === ''
  let end = ''
  return {
    push(text) {
      if (met) return
      const seen = end + text
      met = seen.includes(needle)
      end = needle.length > 1 ? seen.slice(1 - needle.length) : ''
    },
    isMet: () => met,
  }
}
