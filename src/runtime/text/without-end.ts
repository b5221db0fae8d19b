/** Cuts characters off the end of a text. A pattern such as /[.\s]+$/ takes the square of the length of a run of them within the text. */

/** `ending` fits one character. */
export const withoutEnd = (text: string, ending: RegExp): string => {
  let end = text.length
  while (end > 0 && ending.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** To go on within another sentence, or to end with one full stop. */
export const withoutFullStop = (text: string): string => withoutEnd(text, /[.\s]/)
