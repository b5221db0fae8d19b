/** The place of a source, as it stands in the stack traces of its scripts. */

const PREFIX = 'flow:'

/** Half a character has no encoding. */
const BROKEN = /\p{Surrogate}/gu
/** A label ends where a blank or a bracket stands. */
const ESCAPED = /[#?()]/g
const escapeSign = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`

export const sourceLabel = (file: string, firstLine: number): string =>
  `${PREFIX}${encodeURI(file.replace(BROKEN, '\ufffd')).replace(ESCAPED, escapeSign)}#L${firstLine}`

/** Undefined for what a script made up. */
export const readLabel = (label: string): { file: string; firstLine: number } | undefined => {
  const [, file, firstLine] = /^flow:(.*)#L(\d+)$/.exec(label) ?? []
  try {
    return file === undefined ? undefined : { file: decodeURIComponent(file), firstLine: Number(firstLine) }
  } catch {
    return undefined
  }
}
